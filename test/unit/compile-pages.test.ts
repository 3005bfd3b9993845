import { expect, test } from "vitest";
import { compileChangeKinds } from "../../bin/compile-pages.js";

const KIND = `# What an edit means

## Values

| kind | what | breaks |
|---|---|---|

### maximum-raised

**A number may be larger.** {path} is {after}; it was {before}.

- Those who read: They read smaller numbers.
- Operations: list, read
- Advice: Nothing: clients go on as they are.

Example:
`;

test("a section of docs/changes.md is a kind of edit", () => {
  expect(compileChangeKinds(KIND)).toEqual({
    "maximum-raised": {
      title: "A number may be larger",
      says: "{path} is {after}; it was {before}.",
      readers: "They read smaller numbers.",
      needs: ["list", "read"],
      advice: "Nothing: clients go on as they are.",
    },
  });
});

test.each([
  { name: "an unknown label", text: KIND.replace("Operations", "Operation"), line: 13 },
  { name: "a fact of another order", text: KIND.replace("Those who read", "Versions"), line: 12 },
  { name: "a kind without advice", text: KIND.replace(/- Advice.*\n/, ""), line: 15 },
  { name: "a kind without a title", text: KIND.replace(/\*\*.*\*\* /, ""), line: 10 },
  { name: "a heading of another form", text: `${KIND}\n### Maximum raised\n`, line: 18 },
])("$name in docs/changes.md is a mistake in its line", ({ text, line }) => {
  expect(() => compileChangeKinds(text)).toThrow(`docs/changes.md:${line}: `);
});
