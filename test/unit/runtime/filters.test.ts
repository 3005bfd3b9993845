import fc from "fast-check";
import { expect, test } from "vitest";

import {
  booleanFilter,
  contains,
  decimalFilter,
  enumFilter,
  integerFilter,
  numberFilter,
  textFilter,
  timestampFilter,
  uuidFilter,
} from "#runtime/query/filters";
import { Problem } from "#runtime/input/reader";

const STATUSES = ["open", "pending", "closed"] as const;
const WHOLE = new Problem("must be a whole number");
const SAFE = new Problem("must be a whole number between -9007199254740991 and 9007199254740991");

test.each([
  { name: "text", filter: textFilter(), text: " a ", want: " a " },
  { name: "text", filter: textFilter(), text: "  ", want: "  " },
  {
    name: "text",
    filter: textFilter(),
    text: "a\0",
    want: new Problem("must not contain the character NUL"),
  },
  { name: "enum", filter: enumFilter(STATUSES), text: "open", want: "open" },
  {
    name: "enum",
    filter: enumFilter(STATUSES),
    text: "Open",
    want: new Problem('must be one of open, pending, closed; did you mean "open"?'),
  },
  {
    name: "enum",
    filter: enumFilter(STATUSES),
    text: "toString",
    want: new Problem("must be one of open, pending, closed"),
  },
  { name: "integer", filter: integerFilter(), text: "-12", want: -12 },
  { name: "integer", filter: integerFilter(), text: "-0", want: 0 },
  { name: "integer", filter: integerFilter(), text: "1.0", want: WHOLE },
  { name: "integer", filter: integerFilter(), text: "1e3", want: WHOLE },
  { name: "integer", filter: integerFilter(), text: "0x10", want: WHOLE },
  { name: "integer", filter: integerFilter(), text: " 1", want: WHOLE },
  { name: "integer", filter: integerFilter(), text: "9".repeat(30), want: SAFE },
  { name: "number", filter: numberFilter(), text: "1.5e3", want: 1500 },
  {
    name: "number",
    filter: numberFilter(),
    text: "NaN",
    want: new Problem("must be a number"),
  },
  {
    name: "number",
    filter: numberFilter(),
    text: "1e999",
    want: new Problem("must be a number that 64 bits can hold"),
  },
  { name: "decimal", filter: decimalFilter(2), text: "12.5", want: "12.50" },
  {
    name: "decimal",
    filter: decimalFilter(2),
    text: "12.505",
    want: new Problem("must have at most 2 fraction digits, and has 3"),
  },
  { name: "boolean", filter: booleanFilter(), text: "true", want: true },
  { name: "boolean", filter: booleanFilter(), text: "false", want: false },
  {
    name: "boolean",
    filter: booleanFilter(),
    text: "yes",
    want: new Problem("must be true or false"),
  },
  {
    name: "timestamp",
    filter: timestampFilter(),
    text: "2024-02-29T23:59:59.999Z",
    want: "2024-02-29T23:59:59.999Z",
  },
  {
    name: "UUID",
    filter: uuidFilter(),
    text: "0190A5D2-7C4E-7B1A-9F3E-2D4C6B8A0E1F",
    want: "0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f",
  },
])("a $name filter reads $text", ({ filter, text, want }) => {
  expect(filter.read(text)).toEqual(want);
});

test.each([
  { name: "timestamp", filter: timestampFilter() },
  { name: "UUID", filter: uuidFilter() },
  { name: "decimal", filter: decimalFilter(2) },
  { name: "number", filter: numberFilter() },
])("a $name filter refuses another text", ({ filter }) => {
  expect(filter.read("yesterday")).toBeInstanceOf(Problem);
});

test("a number filter reads what JSON writes", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(numberFilter().read(JSON.stringify(value))).toBe(value === 0 ? 0 : value);
    }),
  );
});

test("an array is filtered by a value that it contains", () => {
  const filter = contains(integerFilter());
  expect(filter.contains).toBe(true);
  expect(filter.read("7")).toBe(7);
  expect(integerFilter().contains).toBe(false);
});
