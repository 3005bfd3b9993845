import fc from "fast-check";
import { format } from "prettier";
import { expect, test } from "vitest";
import { cases } from "../support/thorough.js";
import { jsonText } from "../../src/artifacts/json-text.js";

const CASES = [
  { name: "a member a line", given: { a: 1, b: {} }, want: '{\n  "a": 1,\n  "b": {}\n}\n' },
  { name: "a short list on one line", given: { a: [1, "b"] }, want: '{\n  "a": [1, "b"]\n}\n' },
  { name: "an empty list", given: { a: [] }, want: '{\n  "a": []\n}\n' },
  {
    name: "nothing for what is undefined",
    given: { a: undefined, b: 1 },
    want: '{\n  "b": 1\n}\n',
  },
  {
    name: "a text that reads like a list",
    given: { a: "[\n  1\n]" },
    want: '{\n  "a": "[\\n  1\\n]"\n}\n',
  },
  {
    name: "a list of lists, an item a line",
    given: { a: [[1, 2], ["b"]] },
    want: '{\n  "a": [\n    [1, 2],\n    ["b"]\n  ]\n}\n',
  },
];

test.each(CASES)("JSON is written with $name", ({ given, want }) => {
  expect(jsonText(given)).toBe(want);
});

test("a list that ends on column 100 with its comma stays on one line, a longer one does not", () => {
  const listed = (length: number): string => jsonText({ a: ["x".repeat(length), "y"], b: 1 });
  expect(listed(83).split("\n")[1]).toHaveLength(100);
  expect(listed(84)).toContain('"a": [\n');
});

test("prettier would change no text of objects, texts and booleans", async () => {
  const names = fc.stringMatching(/^[a-z]{1,20}$/);
  const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.stringMatching(/^[a-z "\\[\]{},]{0,60}$/),
      fc.boolean(),
      fc.dictionary(names, tie("value"), { noNullPrototype: true }),
      fc.array(fc.stringMatching(/^[a-z]{0,30}$/)),
      fc.array(fc.dictionary(names, tie("value"), { minKeys: 1, noNullPrototype: true })),
    ),
  }));
  const object = fc.dictionary(names, values, { noNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(object, async (value) => {
      const text = jsonText(value);
      expect(JSON.parse(text)).toEqual(value);
      expect(await format(text, { parser: "json", printWidth: 100, objectWrap: "preserve" })).toBe(
        text,
      );
    }),
    { numRuns: cases({ usual: 20, long: 100 }) },
  );
});
