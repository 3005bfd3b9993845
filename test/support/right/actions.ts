import fc from "fast-check";
import { CODE_NAMES } from "./names.js";
import { optional, type Yaml } from "./yaml.js";

/** An action as the schema says it, and the function that its author has written. */
export interface Act {
  readonly name: string;
  readonly yaml: Yaml;
  /** A member of the object of actions. */
  readonly code: string;
}

const PLACES = ["authenticated", "role:clerk", "role:admin"];
const GRANTS = [...PLACES, "owner"];

/** What stands for the resource of an action, and for the one that it stands below, until both are known. */
export const ITSELF = "itself";
export const ABOVE = "above";

/** Properties of an answer, each with the code of its value. */
const ANSWERED: readonly (readonly [Yaml, string])[] = [
  [{ type: "decimal", scale: 2, required: true }, '"4.50"'],
  [{ type: "integer" }, "7"],
  [{ type: "boolean", required: true }, "true"],
  [{ type: "timestamp" }, '"2026-01-31T12:00:00.000Z"'],
  [{ enum: ["near", "far"], required: true }, '"near"'],
  [{ type: "string", format: "currencyCode" }, "null"],
  [{ type: "array", items: "string" }, '["a", "b"]'],
  [{ type: "object", properties: { size: "integer" } }, "{ size: 1 }"],
  [
    { reference: "carriers", external: true, entity: "carrier", embed: ["label"] },
    '{ carrierId: "01900000-0000-7000-8000-000000000000" }',
  ],
];

/** Likewise, of one about an entity. */
const OF_ENTITY: readonly (readonly [Yaml, string])[] = [
  ...ANSWERED,
  [{ reference: ITSELF, required: true }, "entity"],
  [{ type: "array", items: { reference: ITSELF } }, "[entity, entity]"],
  [{ type: "object", properties: { kin: { reference: ITSELF } } }, "{ kin: entity }"],
];

/** Properties that an action is sent. */
const SENT: readonly Yaml[] = [
  { type: "string", required: true, maxLength: 100 },
  { type: "integer", minimum: 1, maximum: 9, default: 3 },
  { type: "number", multipleOf: 0.01 },
  { type: "decimal", scale: 2, required: true },
  { type: "string", format: "countryCode", example: "NO" },
  { enum: ["red", "blue"] },
  { type: "boolean", required: true },
  { type: "uuid" },
  { type: "timestamp" },
  { type: "array", items: { type: "string", format: "date" }, maxItems: 3 },
  { type: "object", properties: { label: { type: "string", required: true }, size: "number" } },
  { reference: ITSELF },
  { reference: ABOVE, required: true },
  { type: "array", items: { reference: ABOVE }, maxItems: 3 },
  { type: "object", properties: { kin: { reference: ABOVE, required: true }, size: "integer" } },
  { type: "array", items: { type: "object", properties: { kin: { reference: ITSELF } } } },
];

const NAMES = [...CODE_NAMES, "input", "arguments", "id", "ticket", "reason"];
const named = <T>(values: readonly T[], most: number): fc.Arbitrary<Record<string, T>> =>
  fc
    .tuple(
      fc.shuffledSubarray([...NAMES], { minLength: most, maxLength: most }),
      fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: most }),
    )
    .map(([names, all]) =>
      Object.fromEntries(all.map((value, index) => [pluralFor(names[index] ?? "", value), value])),
    );

/** A list has a plural name. */
function pluralFor(name: string, value: unknown): string {
  const yaml = (Array.isArray(value) ? value[0] : value) as Yaml;
  return yaml["type"] === "array" ? `${name}Lists` : name;
}

const inputs = fc.oneof(fc.constant(undefined), named(SENT, 4));
const answers = named(ANSWERED, 3);
const answersOfEntity = named(OF_ENTITY, 3);

const access = (grants: readonly string[]): fc.Arbitrary<readonly string[] | undefined> =>
  fc.oneof(fc.constant(undefined), fc.subarray([...grants], { minLength: 1 }));

/** What an action can be allowed in, and lead to. */
const ways = (states: Yaml | null): fc.Arbitrary<Yaml> =>
  states === null ? fc.constant({}) : fc.oneof(fc.constant({}), waysOf(states));

function waysOf(states: Yaml): fc.Arbitrary<Yaml> {
  const transitions = states["transitions"] as Readonly<Record<string, readonly string[]>>;
  const targets = Object.values(transitions).flat();
  const leading = fc.constantFrom(...targets).chain((leadsTo) => {
    const from = Object.keys(transitions).filter((state) => transitions[state]?.includes(leadsTo));
    return optional({ states: fc.subarray(from, { minLength: 1 }) }).map((some) => ({
      ...some,
      leadsTo,
    }));
  });
  const within = fc
    .subarray(Object.keys(transitions), { minLength: 1 })
    .map((some): Yaml => ({ states: some }));
  const all = Object.keys(transitions);
  // It makes its own transitions, whatever updates do.
  const own = fc.record({
    states: fc.subarray(all, { minLength: 1 }),
    leadsTo: fc.constantFrom(...all),
  });
  return fc.oneof(leading, within, own);
}

/** What an action that changes an entity writes: the property of that name, which only code writes. */
export const MARK: Yaml = {
  mark: { type: "string", maxLength: 100, readOnly: true, filterable: true },
};

/** What holds for an action that says nothing else. */
const ENTITY: Yaml = { on: "entity", answers: "entity" };

const defined = (yaml: Yaml): Yaml =>
  Object.fromEntries(Object.entries(yaml).filter(([, value]) => value !== undefined));

/** Some actions of a resource. Without tokens everybody is the same caller. */
export function acts(states: Yaml | null, isSecured: boolean): fc.Arbitrary<readonly Act[]> {
  const own = isSecured ? access(GRANTS) : fc.constant(undefined);
  const common = isSecured ? access(PLACES) : fc.constant(undefined);
  const description = fc.constantFrom("Does it.", undefined);
  const told = fc.record({ description, input: inputs });
  const emits = fc.constantFrom(undefined, "reminded");
  const hasInput = (yaml: Yaml): boolean => yaml["input"] !== undefined;
  const every = [
    fc.tuple(told, ways(states), own).map(([yaml, way, grants]) => ({
      name: "mark",
      yaml: { ...yaml, ...way, access: grants, ...(way["states"] !== undefined && ENTITY) },
      code: 'mark(entity) { entity.mark = "marked"; }',
    })),
    fc.tuple(told, ways(states), own, emits).map(([yaml, way, grants, event]) => ({
      name: "remind",
      yaml: { ...yaml, ...way, answers: "nothing", access: grants, emits: event },
      code: "remind() {}",
    })),
    fc.tuple(told, ways(states), own, answersOfEntity).map(([yaml, way, grants, answered]) => ({
      name: "measure",
      yaml: { ...yaml, ...way, answers: yamlOf(answered), access: grants },
      code: `measure: (entity${hasInput(yaml) ? ", input" : ""}) => { void entity; ${hasInput(yaml) ? "void input; " : ""}return ${codeOf(answered)}; }`,
    })),
    fc.tuple(told, common, answers).map(([yaml, grants, answered]) => ({
      name: "quote",
      yaml: { ...yaml, on: "collection", answers: yamlOf(answered), access: grants },
      code: `quote: async () => Promise.resolve(${codeOf(answered)})`,
    })),
    fc.tuple(told, common).map(([yaml, grants]) => ({
      name: "sweep",
      yaml: { ...yaml, on: "collection", access: grants },
      code: "async sweep() { await Promise.resolve(); }",
    })),
  ];
  return fc
    .subarray(every)
    .chain((some) => fc.tuple(...some))
    .map((some) => some.map((one) => ({ ...one, yaml: defined(one.yaml) })));
}

type Answers = Readonly<Record<string, readonly [Yaml, string]>>;

function yamlOf(answered: Answers): Yaml {
  return Object.fromEntries(Object.entries(answered).map(([name, [yaml]]) => [name, yaml]));
}

function codeOf(answered: Answers): string {
  const values = Object.entries(answered).map(([name, [, code]]) => `${name}: ${code}`);
  return `{ ${values.join(", ")} }`;
}
