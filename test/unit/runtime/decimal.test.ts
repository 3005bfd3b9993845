import fc from "fast-check";
import { expect, test } from "vitest";

import { decimal, parseDecimal } from "#runtime/input/numbers";
import { Problem } from "#runtime/input/reader";
import { reading, refused } from "./reading.js";

const price = decimal({ scale: 2 });

test.each([
  { value: "12.5", want: "12.50" },
  { value: "12", want: "12.00" },
  { value: "0012.50", want: "12.50" },
  { value: "0", want: "0.00" },
  { value: "-0.00", want: "0.00" },
  { value: "-0", want: "0.00" },
  { value: "-0.01", want: "-0.01" },
  { value: "0.07", want: "0.07" },
  { value: "9999999999999999.99", want: "9999999999999999.99" },
  { value: "000000000000000000000000000001", want: "1.00" },
  {
    value: "10000000000000000",
    want: refused("x must have at most 16 digits before the point, and has 17"),
  },
  { value: "1.005", want: refused("x must have at most 2 fraction digits, and has 3") },
  { value: "1.500", want: refused("x must have at most 2 fraction digits, and has 3") },
  { value: 0.07, want: refused('x must be sent as a string, such as "12.50"') },
  { value: true, want: refused("x must be a decimal string, and is a boolean") },
  { value: "", want: refused("x must not be empty") },
])("a decimal of scale 2 from $value", ({ value, want }) => {
  expect(reading(price, value)).toEqual(want);
});

test.each([
  "1.",
  ".5",
  "+1",
  "1e5",
  "0x10",
  "1,5",
  " 1",
  "1 ",
  "1\n",
  "١",
  "--1",
  "-",
  "NaN",
  "1.2.3",
])("%j is no decimal", (value) => {
  expect(reading(price, value)).toEqual(refused('x must be a decimal number, such as "12.50"'));
});

test.each([
  { scale: 0, value: "7", want: "7" },
  { scale: 0, value: "-0", want: "0" },
  { scale: 0, value: "7.0", want: refused("x must have no fraction digits, and has 1") },
  { scale: 18, value: "0.000000000000000001", want: "0.000000000000000001" },
  {
    scale: 18,
    value: "1",
    want: refused("x must have at most 0 digits before the point, and has 1"),
  },
])("a decimal of scale $scale from $value", ({ scale, value, want }) => {
  expect(reading(decimal({ scale }), value)).toEqual(want);
});

/** A decimal of 18 digits as text, with what it is worth in units of its last digit. */
const anyDecimal = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }),
    fc.integer({ min: 1, max: 17 }),
  )
  .map(([units, scale]) => ({ units, scale, text: textOf(units, scale) }));

function textOf(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

test("every decimal of 18 digits is kept, however it is spelt", () => {
  fc.assert(
    fc.property(anyDecimal, fc.nat(5), ({ scale, text }, zeros) => {
      const spelt = text.replace(/(?=\d)/, "0".repeat(zeros)).replace(/\.?0+$/, "");
      expect(parseDecimal(text, scale)).toBe(text);
      expect(parseDecimal(spelt, scale)).toBe(text);
    }),
  );
});

test("bounds are compared exactly", () => {
  fc.assert(
    fc.property(anyDecimal, fc.bigInt({ min: -3n, max: 3n }), ({ units, scale, text }, step) => {
      const bound = textOf(units + step, scale);
      const holds = (rule: object): boolean => reading(decimal({ scale, ...rule }), text) === text;
      expect(holds({ minimum: bound })).toBe(step <= 0n);
      expect(holds({ maximum: bound })).toBe(step >= 0n);
      expect(holds({ exclusiveMinimum: bound })).toBe(step < 0n);
      expect(holds({ exclusiveMaximum: bound })).toBe(step > 0n);
    }),
  );
});

test.each([
  { rule: { minimum: "0" }, value: "-0.01", want: "x must be at least 0.00" },
  { rule: { maximum: "99.5" }, value: "99.51", want: "x must be at most 99.50" },
  { rule: { exclusiveMinimum: "0.00" }, value: "-0.00", want: "x must be more than 0.00" },
  { rule: { exclusiveMaximum: "-0.05" }, value: "0", want: "x must be less than -0.05" },
  { rule: { multipleOf: "0.05" }, value: "0.07", want: "x must be a multiple of 0.05" },
])("$value breaks $rule", ({ rule, value, want }) => {
  expect(reading(decimal({ scale: 2, ...rule }), value)).toEqual(refused(want));
});

test("a multiple is told exactly", () => {
  expect(reading(decimal({ scale: 2, multipleOf: "0.01" }), "0.07")).toBe("0.07");
  expect(reading(decimal({ scale: 2, multipleOf: "0.05" }), "9999999999999999.95")).toBe(
    "9999999999999999.95",
  );
});

test.each([
  { what: "zeros", text: `${"0".repeat(1_000_000)}x` },
  { what: "digits", text: "9".repeat(1_000_000) },
  { what: "fraction digits", text: `1.${"0".repeat(1_000_000)}` },
])("a million $what are refused at once", ({ text }) => {
  expect(parseDecimal(text, 2)).toBeInstanceOf(Problem);
});
