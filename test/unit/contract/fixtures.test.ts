import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ACTION_KINDS } from "../../../src/contract/action-kinds.js";
import { BEHAVIOUR_KINDS } from "../../../src/contract/behaviour-kinds.js";
import { CHANGE_KINDS } from "../../../src/contract/change-kinds.js";
import { INTERNAL_KINDS } from "../../../src/contract/internal-kinds.js";
import { PROPERTY_KINDS } from "../../../src/contract/property-kinds.js";
import { RESOURCE_KINDS } from "../../../src/contract/resource-kinds.js";
import { SERVICE_KINDS } from "../../../src/contract/service-kinds.js";
import { VALUE_KINDS } from "../../../src/contract/value-kinds.js";
import { changesPage } from "./changes-page.js";
import {
  CHANGE_FIXTURES,
  CHANGE_SUBJECT_FIXTURES,
  fixtureChanges,
} from "../../support/change-fixtures.js";

test("every kind of edit has a fixture, and every fixture a kind", () => {
  expect(CHANGE_FIXTURES).toEqual(Object.keys(CHANGE_KINDS).sort());
});

test("the fixtures of a module of kinds are in the file of the same name, sorted", () => {
  const modules = {
    action: ACTION_KINDS,
    behaviour: BEHAVIOUR_KINDS,
    internal: INTERNAL_KINDS,
    property: PROPERTY_KINDS,
    resource: RESOURCE_KINDS,
    service: SERVICE_KINDS,
    value: VALUE_KINDS,
  };
  const sorted = Object.entries(modules).map(([name, kinds]) => [name, Object.keys(kinds).sort()]);
  expect(CHANGE_SUBJECT_FIXTURES).toEqual(Object.fromEntries(sorted));
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
