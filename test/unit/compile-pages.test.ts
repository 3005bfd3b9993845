import { expect, test } from "vitest";
import { compileChangeKinds, compileRules } from "../../bin/compile-pages.js";

const KIND = `# What an edit means

## Values

| kind | what | breaks |
|---|---|---|

### maximum-raised

**A number may be larger.** {path} is {after}; it was {before}.

- Readers: They read smaller numbers.
- Operations: list, read
- Advice: Nothing: clients need no change.

Example:
`;

test("a section of docs/changes.md is a kind of edit", () => {
  expect(compileChangeKinds(KIND)).toEqual({
    "maximum-raised": {
      title: "A number may be larger",
      says: "{path} is {after}; it was {before}.",
      readers: "They read smaller numbers.",
      needs: ["list", "read"],
      advice: "Nothing: clients need no change.",
    },
  });
});

test.each([
  { name: "an unknown label", text: KIND.replace("Operations", "Operation"), line: 13 },
  { name: "a fact of another order", text: KIND.replace("Readers", "Versions"), line: 12 },
  { name: "a kind without advice", text: KIND.replace(/- Advice.*\n/, ""), line: 15 },
  { name: "a kind without a title", text: KIND.replace(/\*\*.*\*\* /, ""), line: 10 },
  { name: "a heading of another form", text: `${KIND}\n### Maximum raised\n`, line: 18 },
])("$name in docs/changes.md is a mistake in its line", ({ text, line }) => {
  expect(() => compileChangeKinds(text)).toThrow(`docs/changes.md:${line}: `);
});

const RULES = `# The contract, rule by rule

## NAM: naming (contract 2.1)

### NAM-1: A name is in lower case

**Supported in part.** Not yet: names of actions.

\`shippingfees\`, without a hyphen.

**Why.** It is a segment of a URL.

Wrong:
\`\`\`yaml
resource: Fees

\`\`\`

Right:
\`\`\`yaml
resource: fees
\`\`\`

Enforced by:
- Refused with: [NAM-1](diagnostics/NAM-1.md), [NAM-2](diagnostics/NAM-2.md)
- OpenAPI document: \`paths > /<resources>\`
- On a running service: \`generator verify <url> --rule NAM-1\`

## Besides the rules

- Pages come in order. Test: \`a.ts\`, \`b.ts\`.
`;

test("a section of docs/contract.md is a rule", () => {
  expect(compileRules(RULES)).toEqual({
    RULES: [
      {
        id: "NAM-1",
        title: "A name is in lower case",
        asks: "`shippingfees`, without a hyphen.",
        why: "It is a segment of a URL.",
        example: { language: "yaml", wrong: "resource: Fees\n", right: "resource: fees" },
        support: "partly",
        lacks: "names of actions",
        enforcedBy: {
          codes: ["NAM-1", "NAM-2"],
          checks: [],
          emitted: [],
          openapi: ["paths > /<resources>"],
          tests: [],
        },
        verified: true,
      },
    ],
    PROMISES: [{ promise: "Pages come in order.", tests: ["a.ts", "b.ts"] }],
  });
});

test.each([
  { name: "a rule of another family", text: RULES.replace("### NAM", "### REP"), line: 5 },
  { name: "a rule without a reason", text: RULES.replace("**Why.** ", ""), line: 11 },
  { name: "a block that has no end", text: RULES.replace(/(?<=fees\n)```\n/, ""), line: 32 },
  { name: "a block of an unknown language", text: RULES.replace("yaml", "toml"), line: 14 },
  { name: "two languages", text: RULES.replace("yaml", "json"), line: 22 },
  { name: "a code without a link", text: RULES.replace(/\[NAM-2\].*$/m, "`NAM-2`"), line: 25 },
  { name: "an unknown label", text: RULES.replace("OpenAPI document", "OpenAPI"), line: 26 },
  {
    name: "the command of another rule",
    text: RULES.replace("--rule NAM-1", "--rule X"),
    line: 27,
  },
  { name: "a promise without a test", text: `${RULES}- A promise.\n`, line: 32 },
])("$name in docs/contract.md is a mistake in its line", ({ text, line }) => {
  expect(() => compileRules(text)).toThrow(`docs/contract.md:${line}: `);
});
