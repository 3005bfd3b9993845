import fc from "fast-check";
import { expect, test } from "vitest";

import { text } from "#runtime/input/text";
import { reading, refused } from "./reading.js";

test("a text that is visible and short enough is kept as it was sent", () => {
  const visible = fc.string({ unit: "binary" }).filter((t) => t.trim() !== "" && !t.includes("\0"));
  fc.assert(
    fc.property(visible, (value) => {
      expect(reading(text({ maxLength: 1_000 }), value)).toBe(value);
    }),
  );
});

test("lengths are counted in code points", () => {
  const bounds = fc.record({ minLength: fc.nat(12), maxLength: fc.nat(12) });
  const visible = fc
    .string({ unit: "binary", maxLength: 14 })
    .map((t) => `a${t.replaceAll("\0", "")}`);
  fc.assert(
    fc.property(visible, bounds, (value, rule) => {
      const length = [...value].length;
      const fits = length >= rule.minLength && length <= rule.maxLength;
      expect(reading(text(rule), value) === value).toBe(fits);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  { value: "a".repeat(64), want: "a".repeat(64) },
  { value: "😀".repeat(64), want: "😀".repeat(64) },
  { value: "a".repeat(65), want: refused("x must be at most 64 characters long, and is 65") },
  { value: "😀".repeat(65), want: refused("x must be at most 64 characters long, and is 65") },
  { value: "a", want: refused("x must be at least 2 characters long, and is 1") },
  { value: "😀", want: refused("x must be at least 2 characters long, and is 1") },
  { value: " a ", want: " a " },
  { value: "a\0b", want: refused("x must not contain the character NUL") },
  { value: "a\ud800", want: refused("x must not contain half of a surrogate pair") },
  { value: "\udc00a", want: refused("x must not contain half of a surrogate pair") },
  { value: "\ude00\ud83d", want: refused("x must not contain half of a surrogate pair") },
  { value: "a\r\nSet-Cookie: x=1", want: "a\r\nSet-Cookie: x=1" },
  { value: "<script>alert(1)</script>", want: "<script>alert(1)</script>" },
  { value: "{{7*7}}${7*7}", want: "{{7*7}}${7*7}" },
])("a text of 2 to 64 characters: $value", ({ value, want }) => {
  expect(reading(text({ minLength: 2, maxLength: 64 }), value)).toEqual(want);
});

test("one character is not called characters", () => {
  expect(reading(text({ maxLength: 1 }), "ab")).toEqual(
    refused("x must be at most 1 character long, and is 2"),
  );
});

test.each([
  { value: "1234", want: "1234" },
  { value: "1234\n", want: refused("x must match the pattern ^[0-9]{4}$") },
  { value: "１２３４", want: refused("x must match the pattern ^[0-9]{4}$") },
  { value: "12345678901", want: refused("x must be at most 10 characters long, and is 11") },
])("a text with a pattern: $value", ({ value, want }) => {
  const reader = text({ maxLength: 10, pattern: /^[0-9]{4}$/u });
  expect(reading(reader, value)).toEqual(want);
});

test("a text with a format is described by it", () => {
  const reader = text({ maxLength: 254, format: "email" });
  expect(reading(reader, "name@example.com")).toBe("name@example.com");
  expect(reading(reader, "a@b")).toEqual(
    refused("x must be an email address, such as name@example.com"),
  );
});

test.each([
  ["date", 10, "2026-11-26T10:00:00Z", "a real date in the form yyyy-MM-dd"],
  ["time", 8, "2026-11-26T10:00:00Z", "a time of day in the form HH:mm or HH:mm:ss"],
  ["countryCode", 2, "Sweden", "a two-letter country code of ISO 3166-1, such as SE"],
] as const)("what is no %s for its length is told the form", (format, maxLength, sent, form) => {
  const reader = text({ maxLength, format });
  expect(reading(reader, sent)).toEqual(refused(`x must be ${form}`));
  const long = `x must be at most ${maxLength} characters long, and is 1000`;
  expect(reading(reader, sent.padEnd(1000, "x"))).toEqual(refused(long));
});
