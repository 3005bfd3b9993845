import fc from "fast-check";
import { expect, test } from "vitest";

import { isMultipleOf, integer, number } from "#runtime/input/numbers";
import { reading, refused } from "./reading.js";

test("every safe integer is read as it is", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      expect(reading(integer(), value)).toBe(value === 0 ? 0 : value);
    }),
  );
});

const SAFE = "x must be a whole number between -9007199254740991 and 9007199254740991";

test.each([
  { json: "1.0", want: 1 },
  { json: "-0", want: 0 },
  { json: "1e3", want: 1_000 },
  { json: "1.5", want: refused("x must be a whole number") },
  { json: "9007199254740991", want: 9_007_199_254_740_991 },
  { json: "9007199254740993", want: refused(SAFE) },
  { json: "1e999", want: refused(SAFE) },
  { json: "-1e999", want: refused(SAFE) },
  { json: "true", want: refused("x must be a whole number, and is a boolean") },
])("an integer from $json", ({ json, want }) => {
  expect(reading(integer(), JSON.parse(json))).toEqual(want);
});

test.each([
  { json: "1.5", want: 1.5 },
  { json: "-0", want: 0 },
  { json: "-0.0", want: 0 },
  { json: "5e-324", want: 5e-324 },
  { json: "1e999", want: refused("x must be a number that 64 bits can hold") },
  { json: '"1.5"', want: refused("x must be a number, and is a string") },
])("a number from $json", ({ json, want }) => {
  const value = reading(number(), JSON.parse(json));
  expect(value).toEqual(want);
});

test.each([
  { bounds: { minimum: 1 }, good: [1, 2], bad: [0], want: "x must be at least 1" },
  { bounds: { maximum: 5 }, good: [5, -1], bad: [6], want: "x must be at most 5" },
  { bounds: { exclusiveMinimum: 1 }, good: [2], bad: [1, 0], want: "x must be more than 1" },
  { bounds: { exclusiveMaximum: 5 }, good: [4], bad: [5, 6], want: "x must be less than 5" },
  {
    bounds: { multipleOf: 5 },
    good: [0, -10, 15],
    bad: [1, 14],
    want: "x must be a multiple of 5",
  },
])("numbers within $bounds", ({ bounds, good, bad, want }) => {
  for (const reader of [integer(bounds), number(bounds)]) {
    for (const value of good) expect(reading(reader, value)).toBe(value);
    for (const value of bad) expect(reading(reader, value)).toEqual(refused(want));
  }
});

test("whether a number is a multiple is decided by its decimal digits", () => {
  const scale = fc.integer({ min: 0, max: 6 });
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 9_999 }), scale, (digits, step, places) => {
      const [value, divisor] = [Number(`${digits}e-${places}`), Number(`${step}e-${places}`)];
      expect(isMultipleOf(value, divisor)).toBe(digits % step === 0);
    }),
  );
});

test.each([
  { value: 0.07, divisor: 0.01, want: true },
  { value: 1.1, divisor: 0.1, want: true },
  { value: 0.075, divisor: 0.01, want: false },
  { value: 1e300, divisor: 0.01, want: true },
  { value: 1.5e-7, divisor: 5e-8, want: true },
  { value: 5e-324, divisor: 0.01, want: false },
  { value: 0, divisor: 0.3, want: true },
])("$value is a multiple of $divisor: $want", ({ value, divisor, want }) => {
  expect(isMultipleOf(value, divisor)).toBe(want);
});
