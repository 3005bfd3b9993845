import { expect, test } from "vitest";
import { format, prettierText } from "../../../src/render/format.js";

const word = "word".repeat(30);
const UNBREAKABLE = [
  { name: "a comment", text: `// ${word}\n` },
  { name: "a line of a block comment", text: `/**\n * ${word}\n */\nconst one = 1;\n` },
  {
    name: "a template literal in a concatenation",
    text: `const all =\n  \`\${line}  "first": \${writeFirst(${word}, inner)},\` +\n  \`\${line}  "second"\`;\n`,
  },
  {
    name: "a string in a list",
    text: `const all = [\n  "${word}",\n  "with a \\n in it ${word}",\n];\n`,
  },
];

test.each(UNBREAKABLE)("$name that is too long is left alone, as prettier does", async (given) => {
  expect(await format("one.ts", given.text)).toBe(given.text);
  expect(await prettierText(given.text)).toBe(given.text);
});

test("a long line that can be broken is broken", async () => {
  const text = `call(${word}, ${word});\n`;
  expect(await format("one.ts", text)).toBe(`call(\n  ${word},\n  ${word},\n);\n`);
});

test("what is no TypeScript is left alone", async () => {
  const text = `call(${word}, ${word});\n`;
  expect(await format("one.sql", text)).toBe(text);
});
