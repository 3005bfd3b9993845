import fc from "fast-check";
import { stringify } from "yaml";
import type { Texts } from "./render-files.js";

type Yaml = Readonly<Record<string, unknown>>;

const optional = (keywords: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Yaml> =>
  fc.record(keywords, { requiredKeys: [] });

const merged = (...parts: readonly fc.Arbitrary<Yaml>[]): fc.Arbitrary<Yaml> =>
  fc.tuple(...parts).map((given) => Object.assign({}, ...given) as Yaml);

const FLAGS = optional({
  required: fc.boolean(),
  filterable: fc.boolean(),
  sortable: fc.boolean(),
  immutable: fc.boolean(),
});

const FORMATS = [
  ...["email", "uri", "hostname", "ipv4", "ipv6", "date"],
  ...["currencyCode", "countryCode", "languageTag", "time", "duration"],
];

/** Steps whose multiples floats cannot add up to, and steps that a bound is not a multiple of. */
const NUMBERS: readonly Yaml[] = [
  { type: "number", multipleOf: 0.01 },
  { type: "number", multipleOf: 0.1, minimum: 0.3 },
  { type: "number", multipleOf: 0.07, exclusiveMinimum: 0 },
  { type: "number", multipleOf: 1e-7, maximum: 5 },
  { type: "number", minimum: 0.5, maximum: 12, multipleOf: 1 },
  { type: "number", minimum: -1e300, maximum: 1e300 },
  { type: "number" },
  { type: "integer", minimum: -5, maximum: 1000, multipleOf: 3 },
  { type: "integer" },
  { type: "decimal", scale: 2, minimum: "0.01", maximum: "999.99", multipleOf: "0.5" },
  { type: "decimal", scale: 3 },
];

const scalar = fc.oneof(
  fc.constantFrom(...FORMATS).map((format): Yaml => ({ type: "string", format })),
  fc.constantFrom<Yaml>({ type: "string" }, { type: "string", minLength: 2, maxLength: 20 }),
  fc.constantFrom<Yaml>({ enum: ["red", "blue", "green"] }, { type: "boolean" }),
  fc.constantFrom<Yaml>({ type: "timestamp" }, { type: "uuid" }),
  fc.constantFrom(...NUMBERS),
);

const list = fc
  .tuple(scalar, optional({ uniqueItems: fc.boolean(), filterable: fc.boolean() }))
  .map(([items, flags]): Yaml => ({ type: "array", items, maxItems: 5, ...flags }));

const object = fc
  .tuple(merged(scalar, optional({ required: fc.boolean(), filterable: fc.boolean() })), list)
  .map(([inner, many]): Yaml => {
    const { filterable: _filterable, ...plain } = many;
    return { type: "object", properties: { inner, others: plain } };
  });

const property = fc.oneof(
  { weight: 6, arbitrary: merged(scalar, FLAGS) },
  { weight: 1, arbitrary: list },
  { weight: 1, arbitrary: object },
);

const STATES = ["draft", "placed", "shipped"];

/** States that can all be reached, and forbid what they like; a resource may have nothing else. */
const states = fc
  .record({
    transitions: fc.constantFrom<Yaml>(
      { draft: ["placed"], placed: ["shipped"], shipped: [] },
      { draft: ["placed", "shipped"], placed: ["draft"], shipped: [] },
      { draft: ["placed", "shipped"], placed: ["shipped"], shipped: ["draft"] },
      { draft: ["shipped"], placed: ["draft"], shipped: ["placed"] },
    ),
    allowed: optional({
      updatableIn: fc.subarray(STATES, { minLength: 1 }),
      deletableIn: fc.subarray(STATES, { minLength: 1 }),
    }),
  })
  .map(({ transitions, allowed }): Yaml => {
    return { property: "status", initial: "draft", transitions, ...allowed };
  });

const resource = fc.record({
  properties: fc.array(property, { maxLength: 5 }),
  states: fc.option(states, { nil: null }),
  settings: optional({
    ifMatch: fc.constantFrom("optional", "required"),
    count: fc.constantFrom("exact", "none"),
    operations: fc.constantFrom(
      ["create", "list", "read", "replace", "update", "delete"],
      ["create", "read", "delete"],
      ["create", "list", "read", "update", "delete"],
      ["list", "read"],
    ),
  }),
  relation: fc.constantFrom(
    ...([
      "none",
      "refuse",
      "setNull",
      "required",
      "many",
      "child",
      "inside",
      "items",
      "path",
    ] as const),
  ),
});
type Resource = typeof resource extends fc.Arbitrary<infer R> ? R : never;

const service = optional({
  basePath: fc.constantFrom("/", "/api", "/rest/desk"),
  identifiers: fc.constantFrom("ordered", "random"),
  json: fc.record({ pretty: fc.boolean() }),
});

/** Services that keep every rule, in shapes that a check could take for a mistake. */
export const rightService: fc.Arbitrary<Texts> = fc
  .tuple(service, fc.array(resource, { minLength: 1, maxLength: 3 }))
  .map(([given, resources]) => ({
    "service.yaml": print({ service: "desk", ...given }),
    ...Object.fromEntries(resources.flatMap((one, index) => filesOf(one, index, resources))),
  }));

const ENTITIES = ["ticket", "order", "parcel"];

function filesOf(
  one: Resource,
  index: number,
  all: readonly Resource[],
): (readonly [string, string])[] {
  const entity = ENTITIES[index] ?? "";
  const { states: own, settings } = one;
  const above = all[index - 1];
  const isChild = one.relation === "child" && above !== undefined;
  const yaml = {
    resource: `${entity}s`,
    entity,
    ...settings,
    properties: propertiesOf(one, index, isChild ? null : (above ?? null)),
    ...(own !== null && { states: own, aliases: aliasesOf(settings) }),
    ...(isChild && { parent: `${ENTITIES[index - 1]}s` }),
  };
  return [[`resources/v1/${entity}s.yaml`, print(yaml)]];
}

function propertiesOf(one: Resource, index: number, above: Resource | null): Yaml {
  const named = one.properties.map((yaml, place) => {
    return [yaml["type"] === "array" ? `lists${place}` : `field${place}`, yaml] as const;
  });
  const status = { enum: STATES, filterable: true, sortable: true };
  const reference = `${ENTITIES[index - 1]}s`;
  const listed = { type: "object", properties: { other: { reference, required: true } } };
  const relations: Readonly<Record<string, Yaml>> = {
    refuse: { other: { reference, filterable: true } },
    setNull: { other: { reference, onDelete: "setNull" } },
    required: { other: { reference, required: true } },
    many: { others: { type: "array", items: { reference } } },
    inside: {
      details: { type: "object", properties: { other: { reference, filterable: true } } },
    },
    items: { rows: { type: "array", maxItems: 3, items: listed } },
    path: { other: { reference, listedUnder: true } },
  };
  const own: Yaml = {
    ...Object.fromEntries(named),
    ...(one.states !== null && { status }),
    ...(above !== null && relations[one.relation]),
  };
  return Object.keys(own).length === 0 ? { title: "string" } : own;
}

/** An alias needs a list. */
function aliasesOf({ operations }: Yaml): Yaml | undefined {
  if (Array.isArray(operations) && !operations.includes("list")) return undefined;
  return { open: { where: { status: ["draft", "placed"] }, sort: ["-status"] } };
}

/** Without anchors, which a schema cannot contain. */
function print(yaml: Yaml): string {
  return stringify(yaml, { aliasDuplicateObjects: false });
}
