import fc from "fast-check";
import { expect, test } from "vitest";
import type { ContractChange } from "../../src/contract/change.js";
import { compareContracts } from "../../src/contract/compare-contracts.js";
import { contractOfVersion } from "../../src/contract/contract-of.js";
import { frozenContract, promisedContract } from "../../src/contract/frozen-contract.js";
import type { PropertyYaml } from "../../src/kinds/property-yaml.js";
import { changesBetween, versionOf } from "../support/change-fixtures.js";
import { MemoryProject, told } from "../support/memory-project.js";
import { publish } from "../../src/commands/publish.js";
import { randomProject } from "../support/random-schema.js";
import { renderFiles } from "../support/render-files.js";
import { cases } from "../support/thorough.js";
import { mistakeOf } from "../unit/kinds/one-kind.js";

const SEED = 20_260_901;
const RIGHT = cases({ usual: 20, long: 60 });
const PAIRS = cases({ usual: 150, long: 400 });
const PUBLISHED = cases({ usual: 10, long: 25 });

test("a schema that is equal has no change, whatever is in it", async () => {
  const samples = fc.sample(randomProject, { numRuns: RIGHT, seed: SEED });
  let compared = 0;
  for (const files of samples) {
    const rendered = await renderFiles(files);
    if (!rendered.ok) continue;
    const { model: service } = rendered.value;
    const [version] = service.versions;
    if (version === undefined) continue;
    const one = { service, version };
    expect(changesBetween(one, one)).toEqual([]);
    // What is written to a file and read again is the same promise.
    const contract = contractOfVersion(service, version);
    const sources = [...contract.resources].map(([plural, value]) => ({
      ...{ path: `contract/v1/${plural}.json`, version: "v1", text: "" },
      value: JSON.parse(JSON.stringify(value)) as unknown,
    }));
    const whole = { path: "contract/v1.json", version: "v1", text: "", value: contract.version };
    const frozen = [...sources, whole];
    expect(frozenContract("v1", frozen)?.damaged).toEqual([]);
    const read = promisedContract("v1", frozen);
    expect(read && compareContracts(read, contract)).toEqual([]);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(RIGHT * 0.6);
});

/** An integer bound, or none. */
const bound = fc.option(fc.integer({ min: -6, max: 6 }), { nil: undefined });
const size = fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined });
const cents = fc.option(
  fc.integer({ min: -200, max: 200 }).map((units) => (units / 100).toFixed(2)),
  { nil: undefined },
);
const values = fc.subarray(["red", "green", "blue", "navyBlue"], { minLength: 1 });

/** Properties whose values all stand in `POOL`, as far as bounds tell them apart. */
const property: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc
  .tuple(
    fc.oneof(
      fc.record({ type: fc.constant("string"), minLength: size, maxLength: size }),
      fc.record({
        ...{ type: fc.constantFrom("integer", "number"), minimum: bound, maximum: bound },
        ...{ exclusiveMinimum: bound, exclusiveMaximum: bound },
        multipleOf: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
      }),
      fc.record({
        ...{ type: fc.constant("decimal"), scale: fc.constant(2) },
        ...{ minimum: cents, exclusiveMaximum: cents },
      }),
      fc.record({ enum: values }),
      fc.record({
        ...{ type: fc.constant("array"), items: fc.constant({ type: "string", maxLength: 3 }) },
        ...{ minItems: size, maxItems: size, uniqueItems: fc.boolean() },
      }),
      fc.record({ type: fc.constantFrom("boolean", "timestamp") }),
    ),
    fc.boolean(),
  )
  .map(([keywords, required]) => withoutAbsent({ ...keywords, required }));

function withoutAbsent(keywords: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined));
}

/** Two properties; often both of one type, since another type is always told. */
const pair = fc
  .tuple(property, property, fc.integer({ min: 0, max: 3 }))
  .map(([one, other, turn]) => {
    const isAlike = kindOf(one) === kindOf(other);
    return [one, turn > 0 && !isAlike ? { ...one, required: other["required"] } : other] as const;
  });

function kindOf({ type, enum: list }: Readonly<Record<string, unknown>>): unknown {
  return list === undefined ? type : "enum";
}

const QUARTERS = Array.from({ length: 81 }, (_, index) => index / 4 - 10);
const TEXTS = Array.from({ length: 9 }, (_, index) => "x".repeat(index + 1));
const LISTS = Array.from({ length: 9 }, (_, length) =>
  Array.from({ length }, (_, index) => String(index)),
);

/** Every value that the properties above tell apart, and values of other types. */
const POOL: readonly unknown[] = [
  ...[null, true, "2026-01-31T12:00:00.000Z", "red", "green", "blue", "navyBlue"],
  ...QUARTERS,
  ...TEXTS,
  ...Array.from({ length: 401 }, (_, index) => ((index - 200) / 100).toFixed(2)),
  ...LISTS,
  ...LISTS.slice(1).map((list) => list.map(() => "0")),
];

/** Whether a body with the value is accepted (REP-2, REP-3). */
function isAccepted(value: unknown, yaml: Readonly<Record<string, unknown>>): boolean {
  const isList = yaml["type"] === "array";
  if (value === null && !isList) return yaml["required"] !== true;
  // In a schema a decimal may be written as a number; in a body it is text.
  if (yaml["type"] === "decimal" && typeof value !== "string") return false;
  // What the check has let pass is a property.
  return mistakeOf(value ?? [], yaml as PropertyYaml) === null;
}

/** Whether a client that was written for `yaml` can take the value out of an answer; bounds are nothing to it. */
function isReadable(value: unknown, yaml: Readonly<Record<string, unknown>>): boolean {
  if (value === null) return yaml["required"] !== true;
  const { enum: list, type } = yaml;
  if (Array.isArray(list)) return list.includes(value);
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "array":
      return Array.isArray(value);
    case "decimal":
      return typeof value === "string" && /^-?\d+\.\d\d$/.test(value);
    case "timestamp":
      return typeof value === "string" && /^\d{4}-.*Z$/.test(value);
    default:
      return typeof value === "string";
  }
}

async function changesOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Promise<readonly ContractChange[] | null> {
  const files = (yaml: object): Record<string, string> => ({
    "service.yaml": "service: helpdesk\n",
    "resources/v1/things.yaml": JSON.stringify({
      ...{ resource: "things", entity: "thing", properties: { values: yaml } },
    }),
  });
  const [one, other] = [await renderFiles(files(before)), await renderFiles(files(after))];
  // A property that leaves no value is refused: there is nothing to compare.
  if (!one.ok || !other.ok) return null;
  return changesBetween(await versionOf(files(before)), await versionOf(files(after)));
}

test("an edit breaks writers exactly where a value that was accepted is refused, and readers where an answer cannot be read", async () => {
  let breaking = 0;
  let compatible = 0;
  for (const [before, after] of fc.sample(pair, { numRuns: PAIRS, seed: SEED })) {
    const found = await changesOf(before, after);
    if (found === null) continue;
    const breaks = new Set(found.flatMap((change) => change.breaks));
    const accepted = POOL.filter((value) => isAccepted(value, before));
    // REP-3: null that is sent for a list is answered as an empty one.
    const answered = POOL.filter((value) => isAccepted(value, after)).map((value) =>
      after["type"] === "array" ? (value ?? []) : value,
    );
    const refused = accepted.filter((value) => !isAccepted(value, after));
    const unreadable = answered.filter((value) => !isReadable(value, before));
    const context = JSON.stringify({ before, after, found: found.map(({ kind }) => kind) });
    // Another type is another promise, even where its values happen to be read alike.
    if (found.some(({ kind }) => kind === "type-changed" || kind === "text-became-enum")) continue;
    expect(breaks.has("writers"), `${context} refused: ${JSON.stringify(refused[0])}`).toBe(
      refused.length > 0,
    );
    expect(breaks.has("readers"), `${context} unread: ${JSON.stringify(unreadable[0])}`).toBe(
      unreadable.length > 0,
    );
    if (breaks.size > 0) breaking += 1;
    else compatible += 1;
  }
  expect(Math.min(breaking, compatible)).toBeGreaterThan(PAIRS / 20);
});

test("what is accepted becomes the promise: the same edit again has no change", async () => {
  let accepted = 0;
  for (const [before, after] of fc.sample(pair, { numRuns: PUBLISHED, seed: SEED + 1 })) {
    const text = (yaml: object): string =>
      JSON.stringify({ resource: "things", entity: "thing", properties: { values: yaml } });
    const made = new MemoryProject({
      "service.yaml": "service: helpdesk\nversions: { v1: draft }\n",
      "resources/v1/things.yaml": text(before),
    });
    const first = await publish(made.env, "v1");
    if (!first.ok) continue;
    made.write("resources/v1/things.yaml", text(after));
    const second = await made.generate();
    if (!second.ok) continue;
    const tree = made.tree();
    expect(told(await made.generate())).toBe("");
    expect(made.tree()).toEqual(tree);
    accepted += 1;
  }
  expect(accepted).toBeGreaterThan(PUBLISHED / 5);
});
