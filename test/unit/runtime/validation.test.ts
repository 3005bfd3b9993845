import { expect, test } from "vitest";

import { BodyInput, object } from "#runtime/input/bodies";
import type { JsonValue } from "#runtime/input/json";
import { decimal, integer, number } from "#runtime/input/numbers";
import { list } from "#runtime/input/lists";
import {
  nullable,
  required,
  withDefault,
  type Reader,
  boolean,
  oneOf,
  timestamp,
  uuid,
} from "#runtime/input/reader";
import { Report } from "#runtime/input/report";
import { text } from "#runtime/input/text";
import { issuesOf, reading, refused } from "./reading.js";

const STATUSES = ["open", "pending", "closed"] as const;
const shortText = text({ maxLength: 5 });

interface Address {
  readonly street: string;
  readonly state: string | null;
}

const readStreet = required(text({ maxLength: 20 }));
const readState = nullable(text({ maxLength: 2 }));

const ADDRESS_NAMES = new Set(["street", "state"]);

/** As an emitted validator reads a nested object. */
function readAddress(input: BodyInput, stored: Address | null): Address {
  input.refuseUnknown(ADDRESS_NAMES);
  return {
    street: input.read("street", readStreet, stored?.street),
    state: input.read("state", readState, stored?.state),
  };
}

const EVERY_READER: readonly { readonly kind: string; readonly reader: Reader<unknown> }[] = [
  { kind: "text", reader: text({ maxLength: 5 }) },
  { kind: "integer", reader: integer() },
  { kind: "number", reader: number() },
  { kind: "decimal", reader: decimal({ scale: 2 }) },
  { kind: "boolean", reader: boolean() },
  { kind: "timestamp", reader: timestamp() },
  { kind: "uuid", reader: uuid() },
  { kind: "enum", reader: oneOf(STATUSES) },
  { kind: "object", reader: object(readAddress) },
];

test.each(EVERY_READER)("a required $kind is never left out, null or blank", ({ reader }) => {
  expect(reading(required(reader), undefined)).toEqual(refused("x is required"));
  expect(reading(required(reader), null)).toEqual(refused("x must not be null"));
  for (const blank of ["", " ", "\t\n", "\u00a0\u2003\ufeff"]) {
    expect(reading(required(reader), blank)).toEqual(refused("x must not be empty"));
  }
});

test.each(EVERY_READER)(
  "a nullable $kind that is left out, null or blank is null",
  ({ reader }) => {
    for (const absent of [undefined, null, "", " ", "\t\n", "\u00a0\u2003\ufeff"]) {
      expect(reading(nullable(reader), absent)).toBeNull();
    }
  },
);

test.each(EVERY_READER)("a $kind of every other type is one issue", ({ kind, reader }) => {
  const others: Record<string, JsonValue> = { boolean: true, number: 0, list: [], object: {} };
  for (const [type, value] of Object.entries(others)) {
    if (type === kind || (kind === "integer" && type === "number")) continue;
    if (kind === "object" && type === "object") continue;
    const read = reading(nullable(reader), value);
    expect(read).toMatchObject({ issues: [expect.stringMatching(/^x must be /)] });
  }
});

test("a message says what was expected, and what came", () => {
  expect(reading(shortText, 5)).toEqual(refused("x must be a string, and is a number"));
  expect(reading(integer(), "5")).toEqual(refused("x must be a whole number, and is a string"));
  expect(reading(boolean(), "true")).toEqual(refused("x must be true or false, and is a string"));
  expect(reading(object(readAddress), [])).toEqual(refused("x must be an object, and is a list"));
  expect(reading(uuid(), "7")).toMatchObject({
    issues: [expect.stringMatching(/^x must be a UUID/)],
  });
});

test("a property with a default is that where it is left out, and only there", () => {
  const reader = withDefault<string | null>(nullable(shortText), "open");
  expect(reading(reader, undefined)).toBe("open");
  expect(reading(reader, null)).toBeNull();
  expect(reading(reader, "a")).toBe("a");
});

test.each(STATUSES)("the enum has the value %s", (status) => {
  expect(reading(oneOf(STATUSES), status)).toBe(status);
});

test.each([
  { value: "OPEN", want: 'x must be one of open, pending, closed; did you mean "open"?' },
  { value: "pendng", want: 'x must be one of open, pending, closed; did you mean "pending"?' },
  { value: " open", want: 'x must be one of open, pending, closed; did you mean "open"?' },
  { value: "xyz", want: "x must be one of open, pending, closed" },
  { value: "toString", want: "x must be one of open, pending, closed" },
  { value: "__proto__", want: "x must be one of open, pending, closed" },
  { value: 0, want: "x must be a string, and is a number" },
])("the enum has no value $value", ({ value, want }) => {
  expect(reading(oneOf(STATUSES), value)).toEqual(refused(want));
});

test("a long enum is not listed to its end", () => {
  const values = Array.from({ length: 30 }, (_, i) => `value${i}`);
  const read = reading(oneOf(["first", ...values]), "xyz");
  expect(read).toMatchObject({ issues: [expect.stringMatching(/value18 and 11 more$/)] });
});

test("a time is in the contract's form", () => {
  expect(reading(timestamp(), "2024-02-29T23:59:59.999Z")).toBe("2024-02-29T23:59:59.999Z");
  expect(reading(timestamp(), "2024-02-30T00:00:00.000Z")).toEqual(
    refused(
      'x must be a UTC time in the form yyyy-MM-ddTHH:mm:ss.SSSZ, such as "2024-02-29T23:59:59.999Z"',
    ),
  );
});

test("a UUID becomes lower case", () => {
  const identifier = "0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f";
  expect(reading(uuid(), identifier.toUpperCase())).toBe(identifier);
});

test.each([
  { value: undefined, want: [] },
  { value: null, want: [] },
  { value: [], want: [] },
  { value: ["a", "b", "a"], want: ["a", "b", "a"] },
  { value: "", want: refused("x must not be empty") },
  { value: "a", want: refused("x must be a list, and is a string") },
  { value: { 0: "a" }, want: refused("x must be a list, and is an object") },
  { value: ["a", null], want: refused("x[1] must not be null") },
  { value: ["", "a", " "], want: refused("x[0] must not be empty", "x[2] must not be empty") },
  { value: [["a"]], want: refused("x[0] must be a string, and is a list") },
])("a list of texts from $value", ({ value, want }) => {
  expect(reading(list(shortText), value)).toEqual(want);
});

test.each([
  { items: 0, want: refused("x must have at least 1 item, and has 0") },
  { items: 1, want: ["a"] },
  { items: 3, want: ["a", "a", "a"] },
  { items: 4, want: refused("x must have at most 3 items, and has 4") },
])("$items items of 1 to 3", ({ items, want }) => {
  const value = Array.from({ length: items }, () => "a");
  expect(reading(list(shortText, { minItems: 1, maxItems: 3 }), value)).toEqual(want);
});

test("nothing sent is an empty list first, which may be too short", () => {
  const read = reading(list(shortText, { minItems: 1 }), undefined);
  expect(read).toEqual(refused("x must have at least 1 item, and has 0"));
});

test("a list has at most 1,000 items where its rule says nothing", () => {
  expect(reading(list(integer()), Array(1_000).fill(0))).toHaveLength(1_000);
  expect(reading(list(integer()), Array(1_001).fill(0))).toEqual(
    refused("x must have at most 1000 items, and has 1001"),
  );
});

test.each([
  {
    what: "texts",
    item: shortText,
    value: ["a", "b", "a", "a"],
    want: ["x[2] must not repeat item [0]", "x[3] must not repeat item [0]"],
  },
  {
    what: "decimals, by value",
    item: decimal({ scale: 2 }),
    value: ["1.5", "1.50"],
    want: ["x[1] must not repeat item [0]"],
  },
  {
    what: "objects, whatever the order of their properties",
    item: object(readAddress),
    value: [{ street: "a" }, { state: null, street: "a" }],
    want: ["x[1] must not repeat item [0]"],
  },
  {
    what: "a wrong item equals none",
    item: integer(),
    value: ["a", 0],
    want: ["x[0] must be a whole number, and is a string"],
  },
  {
    what: "wrong items, each for its own reason",
    item: shortText,
    value: [1, 1, "a"],
    want: ["x[0] must be a string, and is a number", "x[1] must be a string, and is a number"],
  },
])("unique items: $what", ({ item, value, want }) => {
  expect(reading(list<unknown>(item, { uniqueItems: true }), value)).toEqual(refused(...want));
});

test("a list of 1,000 wrong items has 100 issues", () => {
  const read = reading(list(oneOf(STATUSES)), Array(1_000).fill("opne"));
  expect(read).toMatchObject({ issues: { length: 100 } });
});

test("a nested object has its issues by their paths", () => {
  expect(reading(object(readAddress), { street: "a", state: "" })).toEqual({
    street: "a",
    state: null,
  });
  expect(reading(object(readAddress), { state: "long", stat: 1 })).toEqual(
    refused(
      'x.stat is not known; did you mean "state"?',
      "x.street is required",
      "x.state must be at most 2 characters long, and is 4",
    ),
  );
  expect(reading(nullable(object(readAddress)), {})).toEqual(refused("x.street is required"));
});

const stored: Address = { street: "Main Street", state: "NY" };

function patching(sent: JsonValue, before: Address | null, isRequired = false): unknown {
  const input = new BodyInput({ x: sent }, "merge");
  const issues = issuesOf(() => input.finish(null));
  expect(issues).toEqual([]);
  const read = isRequired
    ? input.requiredObject("x", readAddress, before)
    : input.object("x", readAddress, before);
  const found = issuesOf(() => input.finish(read));
  return found.length === 0 ? read : refused(...found.map((i) => `${i.field} ${i.message}`));
}

test.each([
  { sent: { state: "CA" }, before: stored, want: { street: "Main Street", state: "CA" } },
  { sent: { state: null }, before: stored, want: { street: "Main Street", state: null } },
  { sent: {}, before: stored, want: stored },
  { sent: null, before: stored, want: null },
  { sent: " ", before: stored, want: null },
  { sent: { street: "a" }, before: null, want: { street: "a", state: null } },
  { sent: { state: "CA" }, before: null, want: refused("x.street is required") },
  { sent: { street: null }, before: stored, want: refused("x.street must not be null") },
  { sent: "a", before: stored, want: refused("x must be an object, and is a string") },
  { sent: ["a"], before: null, want: refused("x must be an object, and is a list") },
])("a PATCH with $sent on $before", ({ sent, before, want }) => {
  expect(patching(sent, before)).toEqual(want);
});

test("a required nested object is not made null by a PATCH", () => {
  expect(patching(null, stored, true)).toEqual(refused("x must not be null"));
  expect(patching({ state: "CA" }, stored, true)).toEqual({ street: "Main Street", state: "CA" });
});

test("a PATCH that leaves a nested object out keeps what is stored", () => {
  const input = new BodyInput({}, "merge");
  expect(input.object("x", readAddress, stored)).toEqual(stored);
  expect(input.object("x", readAddress, null)).toBeNull();
});

test("a nested object in a PUT is whole: what it leaves out is null", () => {
  const input = new BodyInput({ x: { street: "a" } }, "replace");
  expect(input.object("x", readAddress, stored)).toEqual({ street: "a", state: null });
});

test("what stands for a value that could not be read has the right type", () => {
  const report = new Report();
  const address = object(readAddress)(7, "address", report);
  expect(address).toEqual({ street: "", state: null });
  expect(oneOf(STATUSES)(7, "status", report)).toBe("open");
  expect(decimal({ scale: 2 })(7, "price", report)).toBe("0.00");
  expect(issuesOf(() => report.throwIfAny()).map(({ field }) => field)).toEqual([
    "address",
    "status",
    "price",
  ]);
});
