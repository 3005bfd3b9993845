import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalToUnits, unitsToDecimal } from "#runtime/entity/conversion";

test("small units come back from their decimal", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 6 }), (count, scale) => {
      expect(decimalToUnits(unitsToDecimal(count, scale), scale)).toBe(count);
    }),
  );
  expect(unitsToDecimal(-5, 2)).toBe("-0.05");
});

test("a decimal of more than 53 bits of small units has none that a reader accepts", () => {
  expect(Number.isSafeInteger(decimalToUnits("90071992547409.93", 2))).toBe(false);
});
