import { expect, test } from "vitest";
import { checkProject, type Checked } from "./check-project.js";

// What is said of a next version is done here, to the letter, and then nothing is left to say.

const CODE = "code: { type: string, maxLength: 20, unique: true, required: true }";
const TITLE = "title: string";
const tickets = (lines: readonly string[]): string =>
  ["resource: tickets", "entity: ticket", "properties:", ...lines, ""].join("\n");
const check = async (v1: readonly string[], v2: readonly string[]): Promise<Checked> =>
  checkProject({
    "service.yaml": "service: shop\nversions: { v1: draft, v2: draft }\n",
    "resources/v1/tickets.yaml": tickets(v1.map((line) => `  ${line}`)),
    "resources/v2/tickets.yaml": tickets(
      v2.map((line) => (line.startsWith("removed") ? line : `  ${line}`)),
    ),
  });

const LABEL = "label: { type: string, maxLength: 20, unique: true, converted: true }";

test.each([
  {
    ...{ code: "SCH-181", v1: [CODE, TITLE], v2: [TITLE, "removed: { code: why }"] },
    said: "Keep it until v1 is retired.",
    followed: [{ v1: [CODE, TITLE], v2: [CODE, TITLE] }],
  },
  {
    ...{ code: "SCH-181", v1: ["tags: { type: array, items: string, minItems: 1 }", TITLE] },
    v2: [TITLE, "removed: { tags: why }"],
    said: "take `minItems` away in resources/v1/tickets.yaml",
    followed: [
      {
        v1: ["tags: { type: array, items: string }", TITLE],
        v2: [TITLE, "removed: { tags: why }"],
      },
    ],
  },
  {
    ...{ code: "SCH-173", v1: [TITLE], v2: [TITLE, CODE] },
    said: "Take `required` away, or write `converted` where",
    followed: [
      {
        v1: [TITLE, "code: { type: string, maxLength: 20, unique: true }"],
        v2: [TITLE, "code: { type: string, maxLength: 20, unique: true }"],
      },
      { v1: [TITLE, "number: string"], v2: [TITLE, "label: { type: string, converted: true }"] },
    ],
  },
  {
    ...{ code: "SCH-183", v1: [TITLE, "fax: string"] },
    v2: [TITLE, "cable: { type: string, converted: true }", "removed: { fax: why }"],
    said: "Where it is made of `fax`, take that out of `removed`. Otherwise take `converted` away",
    followed: [
      { v1: [TITLE, "fax: string"], v2: [TITLE, "cable: { type: string, converted: true }"] },
      { v1: [TITLE, "fax: string"], v2: [TITLE, "cable: string", "removed: { fax: why }"] },
    ],
  },
  {
    ...{ code: "SCH-270", v1: [TITLE, "number: string"] },
    v2: [TITLE, "label: { type: string, maxLength: 20, unique: true, converted: true }"],
    said: "Declare it in the older version as well, where that is a draft",
    followed: [{ v1: [CODE, TITLE], v2: [TITLE, LABEL] }],
  },
])("$code, and what is advised: $said", async ({ code, v1, v2, said, followed }) => {
  const { diagnostics } = await check(v1, v2);
  expect(diagnostics).toContainEqual(expect.objectContaining({ code }));
  const advice = diagnostics.find((one) => one.code === code)?.suggestion;
  expect(advice?.replace(/\s+/g, " ")).toContain(said);
  for (const done of followed) {
    const after = await check(done.v1, done.v2);
    expect(after.diagnostics).toEqual([]);
  }
});
