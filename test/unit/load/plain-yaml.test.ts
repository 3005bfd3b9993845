import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseYaml } from "../../../src/load/parse-yaml.js";
import { plainValue } from "../../../src/load/plain-value.js";
import { plainYaml } from "../../../src/load/plain-yaml.js";
import { readText } from "../../../src/load/read-text.js";
import { randomProject } from "../../support/random-schema.js";
import { readTree } from "../../support/read-tree.js";

const EXAMPLES = Object.entries(readTree(resolve("templates/examples"))).filter(([path]) =>
  path.endsWith(".yaml"),
);

/** What the parser makes of a text: its value, or null when anything in it is a mistake. */
function parsed(text: string): { value: unknown } | null {
  const read = readText("a.yaml", Buffer.from(text));
  if (!read.ok) return null;
  const node = parseYaml(read.value);
  if (!node.ok) return null;
  const { value, diagnostics } = plainValue(node.value, read.value);
  return diagnostics.length > 0 ? null : { value };
}

/** Says whether the text was read here at all; if so, as the parser does, order of keys and -0 included. */
function expectSame(text: string): boolean {
  if (!readText("a.yaml", Buffer.from(text)).ok) return false;
  const value = plainYaml(text);
  if (value === null) return false;
  const whole = parsed(text);
  expect(whole, text).not.toBeNull();
  expect(value, text).toStrictEqual(whole?.value);
  expect(JSON.stringify(value), text).toBe(JSON.stringify(whole?.value));
  return true;
}

test.each(EXAMPLES)("%s is read without the parser", (_, text) => {
  expect(expectSame(text)).toBe(true);
});

test.each([
  { name: "an anchor", given: "a: &x 1\n" },
  { name: "an alias", given: "a: *x\n" },
  { name: "a tag", given: "a: !!str 1\n" },
  { name: "a key twice", given: "a: 1\na: 2\n" },
  { name: "a key twice on a line", given: "a: { b: 1, b: 2 }\n" },
  { name: "a key of every prototype", given: "constructor: 1\n" },
  { name: "a text on two lines", given: "a: one\n  two\n" },
  { name: "a block of text", given: "a: |\n  one\n" },
  { name: "an escape", given: 'a: "\\0"\n' },
  { name: "an integer beyond 53 bits", given: "a: 9007199254740993\n" },
  { name: "a decimal that no number holds", given: "a: 0.10000000000000001\n" },
  { name: "a number in hexadecimal", given: "a: 0x1f\n" },
  { name: "a colon in a text", given: "a: b: c\n" },
  { name: "two documents", given: "a: 1\n---\nb: 2\n" },
  { name: "a key without a value", given: "a:\n" },
  { name: "a key between two columns", given: "a:\n    b: 1\n  c: 2\n" },
  { name: "nothing", given: "# nothing\n" },
])("$name is left to the parser", ({ given }) => {
  expect(plainYaml(given)).toBeNull();
});

const SCALARS = [
  ...["1", "-1", "-0", "0", "01", "1.10", "1e3", "0x1f", "0o7", ".5", "5.", "-.inf", ".nan", "+1"],
  ...[
    "true",
    "True",
    "null",
    "Null",
    "~",
    "",
    "no",
    "7d",
    "-a",
    "1Z-0",
    "2024-01-01",
    "9007199254740993",
    "1_0",
  ],
  ...[
    "word",
    "two words",
    "two  words",
    "a#b",
    "a #b",
    "a: b",
    "a:b",
    "a:",
    "it's",
    '"',
    "'",
    "''",
  ],
  ...['"text"', "'text'", '"a # b"', '"a: b"', '"a\\n"', "'it''s'", '"x" # c', '"x"# c', '"x" y'],
  ...["{}", "[]", "[a, b]", "[a,b]", "[a, ]", "[ a ]", "{ a: 1 }", "{a: 1}", "{ a: 1, b: [x] }"],
  ...[
    "{ a }",
    "{ a: }",
    "[a: b]",
    "[[1], 2]",
    "[a # b]",
    "[a, 'b, c']",
    "{ a: 1 } # c",
    "{ a: 1 }x",
  ],
  ...[
    "[true, ~]",
    "[-1, - 1]",
    "[é, 名前]",
    "é",
    "名前",
    "\u00a0x",
    "x\u00a0",
    "x \u2028",
    "\ufeff",
  ],
  ...[
    "- a",
    "-a",
    "? a",
    "| ",
    ">",
    "&a b",
    "*a",
    "!t a",
    "%a",
    "@a",
    "`a",
    "<<",
    "...",
    "---",
    "(a)",
  ],
  ...["{ url: https://a.b/c }", "https://a.b/c", "^[a-z]+$", "'^[A-Z]{2}$'", "{ p: '^[0-9]{4}$' }"],
  ...[
    "[a]b",
    '["a"b]',
    '["a" , "b"]',
    '{ "a": 1 }',
    "{ a: 1,b: 2 }",
    "{ a: x y }",
    "[a\n  b]",
    "=",
    "\\",
  ],
];

const KEYS = [
  "a",
  "b",
  "c",
  "dE-f_1",
  "null",
  "true",
  "1",
  '"a"',
  "'b'",
  "__proto__",
  "a b",
  "<<",
  "é",
];

const entry = fc
  .tuple(
    fc.constantFrom("", "", "", "", "", "  ", "  ", "    ", " ", "\t", "- "),
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h") },
      { weight: 1, arbitrary: fc.constantFrom(...KEYS) },
    ),
    fc.constantFrom(": ", ": ", ": ", ": ", ": ", ": ", ":", " : ", ":  "),
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom("", "word", "1", "{ a: 1 }") },
      { weight: 4, arbitrary: fc.constantFrom(...SCALARS) },
    ),
    fc.constantFrom("", "", "", " ", "  # c", "#c"),
  )
  .map((parts) => parts.join(""));

const textOfLines = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: entry },
      {
        weight: 1,
        arbitrary: fc.constantFrom("", "  ", "# c", "     # c", "---", "...", "%YAML 1.2"),
      },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((lines) => lines.join("\n"));

test("a text made of every form of YAML is read as the parser reads it, or not at all", () => {
  let read = 0;
  fc.assert(
    fc.property(textOfLines, (text) => {
      if (expectSame(text)) read += 1;
    }),
    { numRuns: 5000, seed: 7 },
  );
  expect(read).toBeGreaterThan(250);
});

test("a schema that was cut, doubled or mixed up is read as the parser reads it, or not at all", () => {
  const schema = fc.oneof(
    fc.constantFrom(...EXAMPLES.map(([, text]) => text)),
    randomProject.chain((files) => fc.constantFrom(...Object.values(files))),
  );
  const broken = fc
    .tuple(schema, fc.nat(), fc.nat(12), fc.constantFrom(..."\n :#,{}[]\"'-xé1&*!|>".split("")))
    .map(([text, seed, length, put]) => {
      const at = seed % (text.length + 1);
      return text.slice(0, at) + put + text.slice(at + length);
    });
  let read = 0;
  fc.assert(
    fc.property(broken, (text) => {
      if (expectSame(text)) read += 1;
    }),
    { numRuns: 1000, seed: 7 },
  );
  expect(read).toBeGreaterThan(100);
});
