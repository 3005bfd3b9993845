import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CHANGE_KINDS } from "../../../src/contract/change-kinds.js";
import { changeSubjects, withExamples } from "./changes-page.js";
import {
  CHANGE_FIXTURES,
  CHANGE_SUBJECT_FIXTURES,
  fixtureChanges,
} from "../../support/change-fixtures.js";

const PAGE = readFileSync("docs/changes.md", "utf8");

test("every kind of edit has a fixture, and every fixture a kind", () => {
  expect(CHANGE_FIXTURES).toEqual(Object.keys(CHANGE_KINDS).sort());
});

test("a file of fixtures has the kinds below one heading of docs/changes.md", () => {
  const subjects = [...changeSubjects(PAGE).values()].map((kinds) => [...kinds].sort());
  const files = Object.values(CHANGE_SUBJECT_FIXTURES);
  expect(files).toHaveLength(subjects.length);
  expect(files).toEqual(expect.arrayContaining(subjects));
});

test.each(CHANGE_FIXTURES)("the fixture of %s shows it", async (kind) => {
  const changes = await fixtureChanges(kind);

  expect(changes.map((change) => change.kind)).toContain(kind);
});

test("tables and examples of docs/changes.md are what the fixtures make them: npm run accept", async () => {
  expect(await withExamples(PAGE)).toBe(PAGE);
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
