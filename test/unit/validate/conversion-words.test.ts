import { expect, test } from "vitest";
import { checkProject } from "./check-project.js";

const V1 = `resource: visits
entity: visit
properties:
  cents: { type: integer, required: true, minimum: 0, exclusiveMaximum: 100000, multipleOf: 5 }
  status: { enum: [open, done] }
`;

const RIGHT = {
  amount:
    "{ type: decimal, scale: 2, required: true, minimum: 0, exclusiveMaximum: '1000.00', multipleOf: 0.05, converted: { from: cents, unit: 100 } }",
  progress: "{ enum: [open, closed], converted: { from: status, values: { done: closed } } }",
};

type Changes = Readonly<Record<string, string | null>>;

/** The reasons that SCH-439 gives, with the properties of v2 changed; null: the property is left out. */
async function reasons(changes: Changes): Promise<string[]> {
  return (await told(changes)).map(({ code, message }) => `${code} ${message}`);
}

async function suggestions(changes: Changes): Promise<(string | null)[]> {
  return (await told(changes)).map(({ suggestion }) => suggestion);
}

async function told(changes: Changes) {
  const properties = Object.entries({ ...RIGHT, ...changes }).flatMap(([name, yaml]) =>
    yaml === null ? [] : [`  ${name}: ${yaml}\n`],
  );
  const { diagnostics } = await checkProject({
    "service.yaml": "service: desk\nversions: { v1: draft, v2: draft }\n",
    "resources/v1/visits.yaml": V1,
    "resources/v2/visits.yaml": `resource: visits\nentity: visit\nproperties:\n${properties.join("")}`,
  });
  return diagnostics;
}

test("words that turn each value into the other and back are right", async () => {
  expect(await reasons({})).toEqual([]);
});

const amount = (from: string, to: string) => ({ amount: RIGHT.amount.replace(from, to) });
const progress = (from: string, to: string) => ({ progress: RIGHT.progress.replace(from, to) });

test.each<[string, Changes]>([
  ["custom code makes all or none", amount("{ from: cents, unit: 100 }", "true")],
  ['v1 has no property `cent` that is gone here; did you mean "cents"?', amount("cents", "cent")],
  ["nothing is made of `status` of v1", { progress: null }],
  ["it says either `unit` or `values`", amount(", unit: 100", "")],
  ["it says either `unit` or `values`", amount("unit: 100", "unit: 100, values: { a: b }")],
  ["`cents` is converted twice", { other: RIGHT.amount }],
  ["`required` differs from that of `cents` in v1", amount("required: true, ", "")],
  [
    "`required` differs from that of `status` in v1",
    progress("converted", "required: true, converted"),
  ],
  ["`unit` makes a decimal of an integer", progress("values: { done: closed }", "unit: 100")],
  ["makes a decimal with `scale: 3`", amount("unit: 100", "unit: 1000")],
  ["`minimum` of `cents` in v1 is `0.00` here", amount("minimum: 0, ", "")],
  ["`exclusiveMaximum` of `cents` in v1 is `1000.00` here", amount("1000.00", "999.00")],
  ["`cents` has no `maximum` in v1", amount("exclusiveMaximum: '1000.00'", "maximum: '999.99'")],
  ["`multipleOf` of `cents` in v1 is `0.05` here", amount("0.05", "0.10")],
  ["only an enum has `values`", progress("enum: [open, closed]", "type: string")],
  ["v1 has no value `gone`", progress("done:", "gone:")],
  ["`shut` is not one of its values", progress("done: closed", "done: shut")],
  ["no value of v1 becomes `late`", progress("[open, closed]", "[open, closed, late]")],
  [
    "two values of v1 become `open`",
    { progress: "{ enum: [open], converted: { from: status, values: { done: open } } }" },
  ],
])("refused: %s", async (why, changes) => {
  const found = await reasons(changes);
  expect(found.join("\n")).toContain(why);
  expect(found.every((text) => text.startsWith("SCH-439"))).toBe(true);
});

test.each([
  ["a word that is unknown", amount("unit: 100", "units: 100"), /units/],
  ["a unit that no decimal has", amount("unit: 100", "unit: 60"), /60/],
  ["a misspelt property", amount("cents", "cent"), /SCH-439.*`cent`/],
])("%s is told once", async (_what, changes, words) => {
  const found = await reasons(changes);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(words);
});

test("a property that is forgotten is offered to be removed", async () => {
  expect(await suggestions({ progress: null })).toEqual([
    expect.stringContaining("Write `removed: { status: why }`."),
  ]);
});
