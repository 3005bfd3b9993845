import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { format } from "../../src/diagnostics/format.js";
import { MESSAGES } from "../../src/diagnostics/messages.js";
import {
  diagnosticPage,
  diagnosticsOf,
  PAGE_CODES,
  pageFile,
  parsePage,
  printedFor,
} from "../support/diagnostic-pages.js";
import { MISTAKE_FILES, mistakeText } from "../support/mistake-cases.js";

const CODES = Object.keys(MESSAGES).sort();

/** Codes that no text of a schema gives rise to by itself: tests of `apply`, `load`, `migrations`, `contract` and `verify --samples` make what it takes. */
const MADE_ELSEWHERE =
  /^OWN-|^SCH-(?:114|14[13-9]|154|155|157|158|179|26\d|311|360|39\d|43[013]|444)$|^VER-[34]$/;

/** Codes of files that are no text of a page: a symbolic link, invalid UTF-8, a carriage return. Tests of `load` make them. */
const NOT_A_TEXT = ["SCH-113", "SCH-26", "SCH-27"];

const SHOWN = CODES.filter((code) => !MADE_ELSEWHERE.test(code) && !NOT_A_TEXT.includes(code));

const TICKETS = {
  "service.yaml": "service: helpdesk\n",
  "resources/v1/tickets.yaml": "resource: tickets\nentity: ticket\nproperties: { title: string }\n",
};
const BLOCK = "```yaml\na: 1\n```\n";
const WRONG = `Wrong, in \`resources/v1/a.yaml\`:\n${BLOCK}`;

test("every code has a page, and every page a code", () => {
  expect(PAGE_CODES).toEqual(CODES);
});

test.each(CODES)("the page of %s says what, why, what is wrong and what is right", (code) => {
  const page = readFileSync(pageFile(code), "utf8");
  expect(page).toMatch(new RegExp(`^# ${code}: \\S`));
  expect(page).toMatch(/\*\*Why\.\*\*[^]*\nWrong(?:, in `.+)?:\n```[^]*\nRight(?:, in `.+)?:\n```/);
});

test.each(SHOWN)("the wrong project of %s prints what its page says", async (code) => {
  const { wrong, output } = diagnosticPage(code);
  const diagnostics = await diagnosticsOf(wrong ?? {});
  // `npm run accept` writes it.
  expect(format(diagnostics)).toBe(output);
  expect([...new Set(diagnostics.map((diagnostic) => diagnostic.code))]).toEqual([code]);
});

test.each(SHOWN)("the right project of %s has no mistake", async (code) => {
  const { right } = diagnosticPage(code);
  expect(right).not.toBeNull();
  expect(await printedFor(right ?? {})).toBe("");
});

test("the schemas of every other page have no mistake of their own", async () => {
  for (const code of CODES.filter((one) => !SHOWN.includes(one))) {
    const { wrong, output, right } = diagnosticPage(code);
    expect(output, code).toBeNull();
    for (const project of [wrong, right])
      expect(await printedFor(project ?? TICKETS), code).toBe("");
  }
});

test.each(MISTAKE_FILES)("every mistake of %s is printed", async (path) => {
  // `npm run accept` writes it.
  expect(await mistakeText(path)).toBe(readFileSync(path, "utf8"));
});

test.each([
  { name: "a block without a line before it", page: "Text.\n\n```yaml\na: 1\n```\n" },
  { name: "another line before it", page: "Like this:\n```yaml\na: 1\n```\n" },
  { name: "a file in another language", page: "Wrong, in `service.yaml`:\n```text\na: 1\n```\n" },
  { name: "an output of nothing", page: "Output:\n```text\na\n```\n" },
  {
    name: "a file that is gone and was never there",
    page: `${WRONG}Right, in \`b\` instead of \`c\`:\n${BLOCK}`,
  },
  { name: "a right version that is alone", page: `${WRONG}Right, in \`b\` alone:\n${BLOCK}` },
  {
    name: "a right version of one of two files",
    page: `${WRONG}And in \`b.yaml\`:\n${BLOCK}Right:\n${BLOCK}`,
  },
])("a page with $name is refused", ({ page }) => {
  expect(() => parsePage(page)).toThrow("does not say what the block after it is");
});

test("a page with a block that does not end is refused", () => {
  expect(() => parsePage("Wrong:\n```yaml\na: 1\n")).toThrow("a block has no end");
});

test("the right version has the wrong files but for those that it names", () => {
  const both = `${WRONG}And in \`resources/v2/b.yaml\`:\n${BLOCK}Output:\n\`\`\`text\nc\n\`\`\`\n`;
  const page = `${both}Right, in \`resources/v2/c.yaml\` instead of \`resources/v2/b.yaml\`:\n${BLOCK}`;
  const service = "service: helpdesk\nversions: { v1: draft, v2: draft }\n";
  const same = { "service.yaml": service, "resources/v1/a.yaml": "a: 1\n" };
  expect(parsePage(page)).toEqual({
    wrong: { ...same, "resources/v2/b.yaml": "a: 1\n" },
    output: "c\n",
    right: { ...same, "resources/v2/c.yaml": "a: 1\n" },
  });
});
