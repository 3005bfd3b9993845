import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalOfSmall, smallOfDecimal } from "#runtime/entity/conversion";

test("small units come back from a decimal, and digits that they cannot show are not lost", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.constantFrom(10, 100, 1000), (count, unit) => {
      expect(smallOfDecimal(decimalOfSmall(count, unit, 3), unit)).toBe(count);
    }),
  );
  expect(decimalOfSmall(-5, 100, 2)).toBe("-0.05");
  expect(smallOfDecimal("0.005", 100)).toBeNaN();
  expect(smallOfDecimal("45035996273704.965", 100)).toBeNaN();
});
