import { expect, test } from "vitest";
import { CHANGE_KINDS } from "../../../src/contract/change-kinds.js";
import { CHANGE_FIXTURES, fixtureChanges } from "../../support/change-fixtures.js";

test("every kind of edit has a fixture, and every fixture a kind", () => {
  expect(CHANGE_FIXTURES).toEqual(Object.keys(CHANGE_KINDS).sort());
});

test.each(CHANGE_FIXTURES)("the fixture of %s shows it", async (kind) => {
  const changes = await fixtureChanges(kind);

  expect(changes.map((change) => change.kind)).toContain(kind);
});
