import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CHANGE_KINDS } from "../../../src/contract/change-kinds.js";
import { changesPage } from "./changes-page.js";
import { CHANGE_FIXTURES, fixtureChanges } from "../../support/change-fixtures.js";

test("every kind of edit has a fixture, and every fixture a kind", () => {
  expect(CHANGE_FIXTURES).toEqual(Object.keys(CHANGE_KINDS).sort());
});

test.each(CHANGE_FIXTURES)("the fixture of %s shows it", async (kind) => {
  const changes = await fixtureChanges(kind);

  expect(changes.map((change) => change.kind)).toContain(kind);
});

test("docs/changes.md is what the fixtures make it: npm run accept", async () => {
  expect(readFileSync("docs/changes.md", "utf8")).toBe(await changesPage());
});

test("every kind says whom it breaks in a sentence, or nobody", () => {
  const rows = Object.entries(CHANGE_KINDS);
  const texts = rows.flatMap(([, { says, readers, writers, advice }]) => [
    ...[says, advice],
    ...[readers, writers].filter((text) => text !== undefined),
  ]);
  expect(texts.filter((text) => !/[.]$/.test(text))).toEqual([]);
  expect(rows.length).toBeGreaterThan(100);
});
