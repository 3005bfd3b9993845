import fc from "fast-check";
import { expect, test } from "vitest";

import { isCalendarDate, isTimestamp, formatTimestamp, timestampWriter } from "#runtime/base/time";

const YEAR_1 = Date.parse("0001-01-01T00:00:00.000Z");
const YEAR_9999 = Date.parse("9999-12-31T23:59:59.999Z");

test("every time that Date knows is written as the contract's form, and read back", () => {
  fc.assert(
    fc.property(fc.integer({ min: YEAR_1, max: YEAR_9999 }), (milliseconds) => {
      const text = formatTimestamp(milliseconds);
      expect(isTimestamp(text)).toBe(true);
      expect(Date.parse(text)).toBe(milliseconds);
    }),
  );
});

test("a writer of times writes each as it is written alone, whatever came before", () => {
  const near = fc.tuple(
    fc.integer({ min: YEAR_1 + 2000, max: YEAR_9999 - 2000 }),
    fc.array(fc.integer({ min: -2000, max: 2000 })),
  );
  fc.assert(
    fc.property(near, ([start, steps]) => {
      const write = timestampWriter();
      for (const step of steps) expect(write(start + step)).toBe(formatTimestamp(start + step));
    }),
  );
  const write = timestampWriter();
  expect(write(YEAR_9999)).toBe("9999-12-31T23:59:59.999Z");
  for (const wrong of [YEAR_9999 + 1, Number.NaN]) {
    expect(() => write(wrong)).toThrow("outside the years 1 to 9999");
  }
});

test("a text is a time exactly when Date writes the same text for it", () => {
  const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, "0"));
  const year = fc.integer({ min: 1, max: 9999 }).map((n) => String(n).padStart(4, "0"));
  const form = fc.tuple(year, two(13), two(32), two(25), two(61), two(61));
  fc.assert(
    fc.property(form, ([y, mo, d, h, mi, s]) => {
      const text = `${y}-${mo}-${d}T${h}:${mi}:${s}.007Z`;
      expect(isTimestamp(text)).toBe(isWrittenByDate(text));
    }),
    { numRuns: 5_000 },
  );
});

function isWrittenByDate(text: string): boolean {
  const milliseconds = Date.parse(text);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === text;
}

test("one changed character makes a time no time, or another time that Date knows", () => {
  const place = fc.integer({ min: 0, max: 23 });
  const character = fc.constantFrom(..."0123456789-:.TZtz+ /é");
  fc.assert(
    fc.property(place, character, (index, changed) => {
      const text = "2024-02-29T23:59:59.999Z";
      const other = text.slice(0, index) + changed + text.slice(index + 1);
      expect(isTimestamp(other)).toBe(isWrittenByDate(other));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  "",
  "2024-01-01",
  "2024-01-01T00:00:00Z",
  "2024-01-01T00:00:00.0000Z",
  "2024-01-01T00:00:00.000z",
  "2024-01-01t00:00:00.000Z",
  "2024-01-01 00:00:00.000Z",
  "2024-01-01T00:00:00.000+00:00",
  "2024-01-01T24:00:00.000Z",
  "2024-12-31T23:59:60.000Z",
  "2024-02-30T00:00:00.000Z",
  "2023-02-29T00:00:00.000Z",
  "1900-02-29T00:00:00.000Z",
  "2024-13-01T00:00:00.000Z",
  "2024-00-01T00:00:00.000Z",
  "2024-01-00T00:00:00.000Z",
  "0000-01-01T00:00:00.000Z",
  "+02024-01-01T00:00:00.000Z",
  "-001-01-01T00:00:00.000Z",
  "２024-01-01T00:00:00.000Z",
  "2024-01-01T00:00:00.000Z\n",
])("%j is no time", (text) => {
  expect(isTimestamp(text)).toBe(false);
});

test.each([
  { text: "2024-02-29", want: true },
  { text: "2000-02-29", want: true },
  { text: "9999-12-31", want: true },
  { text: "0001-01-01", want: true },
  { text: "2023-02-29", want: false },
  { text: "2024-04-31", want: false },
  { text: "0000-01-01", want: false },
  { text: "2024-1-1", want: false },
  { text: "2024-02-29T", want: false },
  { text: "", want: false },
])("$text is a date: $want", ({ text, want }) => {
  expect(isCalendarDate(text)).toBe(want);
});

test("a clock outside the years that a time can have is an error at once", () => {
  expect(formatTimestamp(Date.UTC(9999, 11, 31, 23, 59, 59, 999))).toBe("9999-12-31T23:59:59.999Z");
  expect(formatTimestamp(-62_135_596_800_000)).toBe("0001-01-01T00:00:00.000Z");
  for (const wrong of [Date.UTC(10_000, 0, 1), -62_135_596_800_001, Number.NaN]) {
    expect(() => formatTimestamp(wrong)).toThrow("outside the years 1 to 9999");
  }
});
