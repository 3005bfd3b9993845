import fc from "fast-check";
import { granted, type Granted } from "./access.js";
import { acts, MARK, type Act } from "./actions.js";
import { propertyNames } from "./names.js";
import { list, listOfObjects, object, scalar } from "./properties.js";
import { reserved } from "./reserved.js";
import { searches } from "./searches.js";
import { optional, orNull, type Yaml } from "./yaml.js";

const RELATIONS = [
  ...(["none", "refuse", "setNull", "required", "many", "child", "child", "tree"] as const),
  ...(["inside", "items", "filled", "path", "written"] as const),
] as const;

/** How a resource stands to the one before it. */
export type Relation = (typeof RELATIONS)[number];

/** A resource on its own: what it says, and the code that its author has written for it. */
export interface RightResource {
  readonly properties: Yaml;
  readonly states: Yaml | null;
  readonly settings: Yaml;
  readonly found: Yaml;
  readonly relation: Relation;
  readonly granted: Granted | null;
  readonly acts: readonly Act[];
  /** The keywords of a reference to another service, if there is one. */
  readonly external: Yaml | null;
  /** How a representation of it is, if there is one. */
  readonly shown: Yaml | null;
}

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
    initial: fc.constantFrom("draft", ["draft", "placed"], ["draft", "shipped", "placed"]),
    allowed: optional({
      updatableIn: fc.subarray(STATES, { minLength: 1 }),
      deletableIn: fc.subarray(STATES, { minLength: 1 }),
    }),
  })
  .map(({ transitions, initial, allowed }): Yaml => ({
    property: "status",
    initial,
    transitions,
    ...allowed,
  }));

const property = fc.oneof(
  { weight: 8, arbitrary: scalar },
  { weight: 1, arbitrary: list },
  { weight: 1, arbitrary: listOfObjects },
  { weight: 1, arbitrary: object },
);

/** A list has the name of one, or says why not; a UUID may say that it leads nowhere. */
function named(names: readonly string[], all: readonly Yaml[]): Yaml {
  const entries = all.map((yaml, place) => {
    const name = names[place] ?? "";
    if (yaml["type"] === "uuid" && place % 2 === 0) {
      return [name, { ...yaml, exempt: { "REP-4": "A number of the maker." } }];
    }
    if (yaml["type"] !== "array") return [name, yaml];
    return place === 0
      ? ["history", { ...yaml, exempt: { "NAM-3": "A word of the trade." } }]
      : [`lists${place}`, yaml];
  });
  return Object.fromEntries(entries) as Yaml;
}

const properties = fc
  .tuple(propertyNames(6), fc.array(property, { maxLength: 6 }))
  .map(([names, all]) => named(names, all));

const ALL = ["create", "list", "read", "replace", "update", "delete"];
const settings = optional({
  ifMatch: fc.constantFrom("optional", "required"),
  count: fc.constantFrom("exact", "none"),
  operations: fc.constantFrom(
    ALL,
    ALL,
    ["create", "read", "delete"],
    ["create", "list", "read", "update", "delete"],
    ["list", "read"],
  ),
  events: fc.constantFrom(["created", "updated", "deleted"], ["deleted"], ["created", "updated"]),
  emits: fc.constantFrom(["noticed"], ["reminded", "noticed"]),
  paging: optional({
    defaultSize: fc.constantFrom(3, 20),
    maximumSize: fc.constantFrom(50, 200),
    next: fc.boolean(),
  }),
  description: fc.constantFrom("What is asked for.", "`${x}` */"),
});

const relation = fc.constantFrom(...RELATIONS);

/** A representation: what it is called by, which entities it shows, and what it lets callers do. */
const shown = optional({
  operations: fc.constantFrom(["list", "read"], ["list", "read", "update", "delete"], ["read"]),
  where: fc.constantFrom<Yaml>({ createdDate: { within: "24h" } }),
  description: fc.constant("Another view."),
});

/** A resource of a service with tokens, or of one without. */
export function resource(isSecured: boolean): fc.Arbitrary<RightResource> {
  const base = fc.record({
    own: properties,
    states: orNull(2, 3, states),
    settings,
    relation,
    external: orNull(4, 1, optional({ identifier: fc.constantFrom("uuid", "string") })),
    shown: orNull(3, 1, shown),
  });
  return base.chain((one) =>
    fc
      .record({
        acts: fc.oneof(fc.constant([]), acts(one.states, isSecured)),
        isReserved: fc.boolean(),
        granted: isSecured
          ? orNull(1, 3, granted(one.relation === "child", one.states !== null))
          : fc.constant(null),
      })
      .chain(({ acts: chosen, granted: grants, isReserved }) => {
        const all = { ...complete(one.own, one.states), ...(marks(chosen) && MARK) };
        const offered = one.settings["operations"] as readonly string[] | undefined;
        const lists = offered?.includes("list") ?? true;
        const hasStates = one.states !== null;
        return searches({ properties: all, isSecured, lists, hasStates }).map((found) => ({
          ...one,
          states: isReserved ? reserved(one.states, chosen) : one.states,
          properties: all,
          found,
          acts: chosen,
          granted: grants,
        }));
      }),
  );
}

function complete(own: Yaml, given: Yaml | null): Yaml {
  const status = { enum: STATES, filterable: true, sortable: true };
  if (given !== null) return { ...own, status };
  return Object.keys(own).length === 0 ? { title: "string" } : own;
}

function marks(all: readonly Act[]): boolean {
  return all.some(({ name }) => name === "mark");
}
