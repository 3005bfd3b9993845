import fc from "fast-check";
import { stringify } from "yaml";
import { possibleAccess, randomAccess, type AccessYaml } from "../../support/random-access.js";
import { renderFiles } from "../../support/render-files.js";
import type { Texts } from "../../support/render-files.js";
import { AUDIENCE, ISSUER } from "./secured.js";

/** Who asks: a subject and its roles; null has no token. */
export type Asking = { readonly subject: string; readonly roles: readonly string[] } | null;

/** An entity as the model knows it. */
export interface Known {
  readonly id: string;
  readonly maker: string;
  /** The house that it belongs to, or refers to. */
  readonly house: Known | null;
}

/** The resources of these services: houses, rooms in them, views of rooms, notes about houses. */
export type Plural = "houses" | "rooms" | "views" | "notes";

/** What one random schema says of access. */
export interface Houses {
  readonly access: Readonly<Record<Plural, AccessYaml | null>>;
  readonly disclose: boolean;
}

const houses: fc.Arbitrary<Houses> = fc.record({
  access: fc.record({
    houses: randomAccess,
    rooms: fc.option(randomAccess, { nil: null }),
    views: fc.option(randomAccess, { nil: null }),
    notes: fc.option(randomAccess, { nil: null }),
  }),
  disclose: fc.boolean(),
});

/** Schemas that are not refused, with what they say; everybody who is known may create. */
export async function sampleHouses(count: number, seed: number) {
  const found: { readonly schema: Houses; readonly outputs: Texts }[] = [];
  for (const drawn of fc.sample(houses, { numRuns: count * 20, seed })) {
    if (found.length === count) break;
    const schema = withCreate(drawn);
    const rendered = await renderFiles(textsOf(schema));
    if (!rendered.ok) continue;
    const texts = rendered.value.outputs.map(({ path, text }) => [path, text ?? ""] as const);
    found.push({ schema, outputs: Object.fromEntries(texts) });
  }
  return found;
}

function withCreate({ access, disclose }: Houses): Houses {
  const said = (given: AccessYaml | null, isChild: boolean): AccessYaml | null =>
    given === null ? null : { ...possibleAccess(given, isChild), create: ["authenticated"] };
  return {
    disclose,
    access: {
      houses: said(access.houses, false),
      rooms: said(access.rooms, true),
      views: said(access.views, true),
      notes: said(access.notes, false),
    },
  };
}

function textsOf({ access, disclose }: Houses): Texts {
  const given = (plural: Plural) => (access[plural] === null ? {} : { access: access[plural] });
  const embed = { embed: ["name"], filterable: true, ...(disclose && { disclose }) };
  const files = {
    "service.yaml": {
      service: "houses",
      authentication: {
        scheme: "bearer",
        issuer: ISSUER,
        audience: AUDIENCE,
        keys: `${ISSUER}jwks.json`,
        roles: "realm_access.roles",
      },
    },
    "resources/v1/houses.yaml": {
      resource: "houses",
      entity: "house",
      properties: {
        name: { type: "string", maxLength: 50, filterable: true },
        code: { type: "string", maxLength: 50, unique: true },
      },
      ...given("houses"),
    },
    "resources/v1/rooms.yaml": {
      resource: "rooms",
      entity: "room",
      parent: "houses",
      properties: { label: { type: "string", maxLength: 50 }, kind: { enum: ["red", "blue"] } },
      aliases: { redones: { where: { kind: "red" } } },
      ...given("rooms"),
    },
    "resources/v1/views.yaml": {
      resource: "views",
      represents: "rooms",
      properties: { text: "label", house: "house" },
      operations: ["list", "read", "update"],
      ...given("views"),
    },
    "resources/v1/notes.yaml": {
      resource: "notes",
      entity: "note",
      properties: { house: { reference: "houses", ...embed } },
      ...given("notes"),
    },
  };
  return Object.fromEntries(
    Object.entries(files).map(([path, yaml]) => [path, stringify(yaml)]),
  ) as Texts;
}

/** The model: whether somebody may do something with an entity, by the words of the schema alone. */
export function may(
  { access }: Houses,
  [plural, operation]: readonly [Plural, "read" | "update" | "delete"],
  { maker, house }: Known,
  asking: Asking,
): boolean {
  const own = access[plural]?.[operation];
  if (own === undefined && plural === "views") {
    return may({ access, disclose: false }, ["rooms", operation], { id: "", maker, house }, asking);
  }
  const usual = plural === "rooms" && operation === "read" ? ["parent"] : ["authenticated"];
  return (own ?? usual).some((grant) => {
    if (grant === "anyone") return true;
    if (grant === "parent") {
      return (
        house !== null && may({ access, disclose: false }, ["houses", operation], house, asking)
      );
    }
    if (asking === null) return false;
    // What a new file in src/custom gives a caller is what that caller has made.
    if (grant === "owner" || grant === "custom") return maker === asking.subject;
    return grant === "authenticated" || asking.roles.some((role) => grant === `role:${role}`);
  });
}
