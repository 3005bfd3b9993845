import { expect, test } from "vitest";

import {
  decimalOf,
  decimalOrNull,
  scaledInteger,
  booleanOf,
  booleanOrNull,
  bitOf,
  jsonOf,
  jsonOrNull,
  numberOf,
  textOf,
  textOrNull,
} from "#runtime/store/rows";

test.each([
  ["1250", 2, "12.50"],
  ["5", 2, "0.05"],
  ["-5", 2, "-0.05"],
  ["-1250", 2, "-12.50"],
  ["0", 3, "0.000"],
  ["7", 0, "7"],
  ["999999999999999999", 18, "0.999999999999999999"],
])("the column %s at scale %i is the decimal %s, and back", (cell, scale, text) => {
  expect(decimalOf(cell, scale)).toBe(text);
  expect(scaledInteger(text, scale)).toBe(BigInt(cell));
});

test("a decimal with fewer digits than its scale is padded", () => {
  expect(scaledInteger("12.5", 2)).toBe(1250n);
  expect(scaledInteger("12", 2)).toBe(1200n);
});

test("null stays null where a column may be null", () => {
  expect([textOrNull(null), booleanOrNull(null), decimalOrNull(null, 2), jsonOrNull(null)]).toEqual(
    [null, null, null, null],
  );
});

test("booleans are 0 and 1", () => {
  expect([booleanOf(0), booleanOf(1), bitOf(true), bitOf(false)]).toEqual([false, true, 1, 0]);
});

test("JSON columns come back as values", () => {
  expect(jsonOf<string[]>(`["a"]`)).toEqual(["a"]);
});

test.each([
  ["text", () => textOf(null)],
  ["text", () => textOf(undefined)],
  ["a number", () => numberOf("1")],
  ["0 or 1", () => booleanOf(2)],
])("a column that does not hold %s is an error, not a wrong answer", (wanted, read) => {
  expect(read).toThrow(`where ${wanted} belongs`);
});
