import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalOfUnits, decimalUnits } from "#runtime/base/decimal";
import { numberWithin, wholeWithin } from "../../../src/kinds/numbers/number-values.js";
import { patternText } from "../../../src/kinds/string/pattern-text.js";
import { pickerOf, type Seed } from "../../../src/samples/seed.js";

const RUN = "0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f";

function seed(index: number): Seed {
  return { run: RUN, index, anchors: () => [] };
}

test.each([
  "^[A-Z]{2}-[0-9]{4}$",
  "^\\d+(?:\\.\\d{1,2})?$",
  "^(?:red|navy blue)$",
  "^[^a-c]x*y?$",
  "^#[0-9a-fA-F]{6}$",
  "^\\w[\\w.-]{0,10}\\/[a-z]+$",
  "a.c",
  "^\\u0041\\u{1F600}[\\x30-\\x39]$",
  "^\\p{Lu}[\\p{L}\\p{N}]{2,5}$",
])("a text is made that matches %s", (pattern) => {
  for (let index = 0; index < 50; index += 1) {
    const text = patternText(pattern, pickerOf(seed(index), "text"));
    expect(text).toMatch(new RegExp(pattern, "u"));
  }
});

test.each(["^(?=a)b$", "^\\p{Greek}+$", "^(a)\\1$"])(
  "%s is not understood, and no text is made",
  (pattern) => {
    expect(patternText(pattern, pickerOf(seed(1), "text"))).toBeNull();
  },
);

const BOUND = fc.option(fc.integer({ min: -1000, max: 1000 }), { nil: null });

test("a number is within its bounds, or there is none", () => {
  fc.assert(
    fc.property(BOUND, BOUND, fc.nat(1000), (minimum, maximum, index) => {
      const bounds = {
        minimum,
        maximum,
        exclusiveMinimum: null,
        exclusiveMaximum: null,
        multipleOf: null,
      };
      const value = numberWithin(bounds, seed(index));
      const isPossible = minimum === null || maximum === null || minimum <= maximum;
      if (!isPossible) {
        expect(value).toBeNull();
        return;
      }
      expect(value).toBeGreaterThanOrEqual(minimum ?? -Infinity);
      expect(value).toBeLessThanOrEqual(maximum ?? Infinity);
    }),
  );
});

test("a whole number is a multiple within its bounds, the exclusive ones too", () => {
  const bounds = {
    minimum: null,
    maximum: 50n,
    exclusiveMinimum: 10n,
    exclusiveMaximum: null,
    multipleOf: 7n,
  };
  const values = Array.from({ length: 20 }, (_, index) => wholeWithin(bounds, seed(index)));
  expect(new Set(values)).toEqual(new Set([14n, 21n, 28n, 35n, 42n, 49n]));
  expect(wholeWithin({ ...bounds, maximum: 13n }, seed(1))).toBeNull();
});

test("a decimal is the same after its units", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.nat(6), (units, scale) => {
      expect(decimalUnits(decimalOfUnits(units, scale), scale)).toBe(units);
    }),
  );
});
