import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DOORS, doorFile, doorText, exportsOf } from "../../support/door-declarations.js";

test.each(DOORS)("the door %s declares what it promised", (door) => {
  expect(doorText(door)).toBe(readFileSync(doorFile(door), "utf8"));
});

test.each(DOORS)("each export of the door %s says what it is for", (door) => {
  const silent = exportsOf(door).filter(({ doc }) => doc.length < 20);
  expect(silent.map(({ name }) => name)).toEqual([]);
});
