import fc from "fast-check";
import { expect, test } from "vitest";
import { Decimal } from "#runtime/base/decimal";

test.each([
  ["0.1", "0.2", "0.3"],
  ["104999999999999.99", "-0.02", "104999999999999.97"],
  ["12.5", "-12.50", "0.00"],
  ["-0.05", "0.004", "-0.046"],
])("%s plus %s is %s", (one, other, sum) => {
  expect(Decimal.of(one).plus(other).toString()).toBe(sum);
  expect(Decimal.of(sum).minus(other).compare(one)).toBe(0);
});

test("a sum of prices is exact where floats are not", () => {
  const prices = ["34999999999991.03", "34999999999991.03", "34999999999991.03"];
  const asFloats = prices.reduce((sum, price) => sum + Number(price), 0);
  expect(String(asFloats)).toBe("104999999999973.1");
  expect(Decimal.sum(prices).toString()).toBe("104999999999973.09");
  expect(Decimal.sum([]).round(2).toString()).toBe("0.00");
});

test.each([
  ["0.125", 2, "0.12"],
  ["0.135", 2, "0.14"],
  ["-0.125", 2, "-0.12"],
  ["-0.1251", 2, "-0.13"],
  ["2.5", 0, "2"],
  ["3.5", 0, "4"],
  ["12", 2, "12.00"],
  ["-0.004", 2, "0.00"],
])(
  "%s rounded to %d fraction digits is %s: a half goes to the even neighbour",
  (text, scale, want) => {
    expect(Decimal.of(text).round(scale).toString()).toBe(want);
  },
);

test("a product has the fraction digits of both, a quotient those that are asked for", () => {
  expect(Decimal.of("19.90").times("0.19").toString()).toBe("3.7810");
  expect(Decimal.of("0.35").times(100).toString()).toBe("35.00");
  expect(Decimal.of("10").dividedBy("3", 2).toString()).toBe("3.33");
  expect(Decimal.of("1").dividedBy("-8", 2).toString()).toBe("-0.12");
  expect(() => Decimal.of(1).dividedBy(0, 2)).toThrow(RangeError);
});

test.each([["12,5"], ["1e3"], [""], [" 1"], [12.5], [Number.NaN], [2 ** 60]])(
  "%j is not a decimal",
  (value) => {
    expect(() => Decimal.of(value)).toThrow(TypeError);
  },
);

test("decimals are sorted by their value, and are JSON as entities hold them", () => {
  const sorted = ["10", "9.99", "-1", "9.990"].map(Decimal.of).sort((a, b) => a.compare(b));
  expect(JSON.stringify(sorted)).toBe('["-1","9.99","9.990","10"]');
});

test("for whole numbers of cents, all of it agrees with bigint", () => {
  const cents = fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n });
  const text = (units: bigint) => Decimal.of(units).dividedBy(100, 2).toString();
  fc.assert(
    fc.property(cents, cents, (a, b) => {
      expect(Decimal.of(text(a)).plus(text(b)).toString()).toBe(text(a + b));
      expect(
        Decimal.of(text(a))
          .times(text(b))
          .times(10_000)
          .compare(a * b),
      ).toBe(0);
      expect(Decimal.of(text(a)).compare(text(b))).toBe(a < b ? -1 : Number(a > b));
    }),
  );
});
