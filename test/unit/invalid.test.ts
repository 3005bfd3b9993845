import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { format } from "../../src/diagnostics/format.js";
import { MESSAGES } from "../../src/diagnostics/messages.js";
import { diagnosticsOf, INVALID_PROJECTS } from "../support/invalid-projects.js";

const PAGES = "docs/diagnostics";

const CODES = Object.keys(MESSAGES).sort();

/** Codes that no text of a schema gives rise to by itself: tests of `apply`, `load`, `migrations`, `contract` and `verify --samples` make what it takes. */
const MADE_ELSEWHERE =
  /^OWN-|^SCH-(?:114|14[13-9]|154|155|157|158|179|26\d|311|360|39\d|43[013])$|^VER-[34]$/;

test.each(INVALID_PROJECTS)("what is printed for %s is what the fixture says", async (code) => {
  const diagnostics = await diagnosticsOf(code);
  // `npm run accept` writes it.
  expect(format(diagnostics)).toBe(readFileSync(`fixtures/invalid/${code}/stderr.txt`, "utf8"));
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
});

test("every code has a fixture, and every fixture a code", () => {
  expect(INVALID_PROJECTS).toEqual(CODES.filter((code) => !MADE_ELSEWHERE.test(code)));
});

test("every code has a page, and every page a code", () => {
  expect(readdirSync(PAGES).sort()).toEqual(CODES.map((code) => `${code}.md`).sort());
});

test.each(CODES)("the page of %s says what, why, what is wrong and what is right", (code) => {
  const path = `${PAGES}/${code}.md`;
  expect(existsSync(path)).toBe(true);
  const page = readFileSync(path, "utf8");
  expect(page).toMatch(new RegExp(`^# ${code}: \\S`));
  for (const part of ["**Why.**", "\nWrong:\n```", "\nRight:\n```"]) expect(page).toContain(part);
});
