import { expect, test } from "vitest";
import type { FieldIssue } from "#runtime/base/errors";
import { fillPairs, storedPair, withFilledNames } from "#runtime/entity/conversion";
import { oneOf, nullable, required, shape, timestamp } from "#runtime/input/reader";
import { integer } from "#runtime/input/numbers";
import { list } from "#runtime/input/lists";
import { text } from "#runtime/input/text";

interface Older {
  day: string | null;
  box: { tone: "dark"; sizes: number[] };
  at: string | null;
}

const FILE = "src/custom/conversions/orders-v1-to-v2.ts";
const RIGHT = { day: "2024-02-29", box: { tone: "dark", sizes: [1] }, at: null };

interface Newer {
  count: number;
}

/** A pair whose `toOlder` returns this, whatever it is given. */
function showing(shown: unknown, toNewer: (older: Older) => Newer = () => ({ count: 1 })) {
  return storedPair<Older, Newer>(
    { toNewer, toOlder: () => shown as Older },
    {
      version: "v1",
      file: FILE,
      older: {
        read: {
          day: nullable(text({ maxLength: 10, format: "date" })),
          box: required(
            shape({ tone: oneOf(["dark"] as const), sizes: list(integer({ minimum: 0 })) }),
          ),
          at: nullable(timestamp()),
        },
      },
      newer: { read: { count: required(integer({ minimum: 0 })) }, names: { count: "amount" } },
    },
  );
}

function never(): void {
  throw new Error("it was refused");
}

test.each<{ name: string; shown: unknown; want: string }>([
  {
    name: "a day that is none",
    shown: { ...RIGHT, day: "1950-99-99" },
    want: "day must be a real date",
  },
  {
    name: "a value that is not the enum's",
    shown: { ...RIGHT, box: { tone: "light" } },
    want: "box.tone must be",
  },
  {
    name: "an item out of bounds",
    shown: { ...RIGHT, box: { tone: "dark", sizes: [-1] } },
    want: "box.sizes[0] must be",
  },
  {
    name: "null where nothing may be",
    shown: { ...RIGHT, box: null },
    want: "box must not be null",
  },
  { name: "a time as an object", shown: { ...RIGHT, at: new Date(0) }, want: "at must be" },
  { name: "no object", shown: null, want: " must not be null" },
])("a newer write is refused for $name", ({ shown, want }) => {
  const issues: FieldIssue[] = [];
  const write = { next: { amount: 2 }, before: [], version: "v2" };
  fillPairs([showing(shown)], write, (found) => issues.push(...found));
  expect(issues).toEqual([
    {
      field: "amount",
      message: expect.stringContaining(`cannot be shown in v1: ${want.trim()}`) as string,
    },
  ]);
});

test("the result is stored, without what is no part of it", () => {
  const pairs = [showing({ ...RIGHT, more: 1 })];
  const filled = fillPairs(pairs, { next: { amount: 2 }, before: [], version: null }, never);
  expect(filled).toEqual({ ...RIGHT, amount: 2 });
});

test("an older write fills the newer form under its stored name", () => {
  const pairs = [showing(RIGHT, ({ box }) => ({ count: box.sizes.length }))];
  const next = { ...RIGHT, amount: 0 };
  expect(fillPairs(pairs, { next, before: [], version: "v1" }, never)).toEqual({
    ...RIGHT,
    amount: 1,
  });
});

test("a newer form that breaks a rule is a fault of custom code", () => {
  const pairs = [showing(RIGHT, () => ({ count: -1 }))];
  const write = { next: { ...RIGHT, amount: 0 }, before: [], version: "v1" };
  expect(() => fillPairs(pairs, write, never)).toThrow(
    `toNewer in ${FILE} breaks a rule: count must`,
  );
});

test("what neither version has changed stays, although the functions would make something else", () => {
  const before = { day: null, box: { tone: "dark", sizes: [7] }, at: null, amount: 3 };
  const pairs = [showing(RIGHT)];
  for (const version of ["v1", "v2", null]) {
    expect(fillPairs(pairs, { next: { ...before }, before: [before], version }, never)).toEqual(
      before,
    );
  }
});

test("an item of a list keeps its other form wherever it goes", () => {
  const pair = storedPair<{ grams: number }, { kilos: number }>(
    {
      toNewer: ({ grams }) => ({ kilos: Math.round(grams / 1000) }),
      toOlder: ({ kilos }) => ({ grams: kilos * 1000 }),
    },
    {
      version: "v2",
      file: FILE,
      path: "box.lines",
      older: { read: { grams: integer({ minimum: 0 }) } },
      newer: { read: { kilos: integer({ minimum: 0, maximum: 9 }) } },
    },
  );
  const kept = [
    { grams: 1100, kilos: 1 },
    { grams: 1200, kilos: 1 },
    { grams: 2000, kilos: 2 },
  ];
  const before = { box: { lines: kept } };
  const sent = (lines: object[]) => ({ next: { box: { lines } }, before: [before] });
  const newer = sent([{ kilos: 2 }, { kilos: 1 }, { kilos: 1 }, { kilos: 5 }]);
  expect(fillPairs([pair], { ...newer, version: "v3" }, never).box.lines).toEqual([
    ...[kept[2], kept[0], kept[1]],
    { grams: 5000, kilos: 5 },
  ]);
  const older = sent([{ grams: 1200 }, { grams: 3100 }]);
  expect(fillPairs([pair], { ...older, version: "v1" }, never).box.lines).toEqual([
    kept[1],
    { grams: 3100, kilos: 3 },
  ]);
});

test("what a write leaves as it is stays in the other form, also of a pair with others", () => {
  const pair = storedPair<{ name: string; cents: number }, { last: string; amount: number }>(
    {
      toNewer: ({ name, cents }) => ({ last: name.trim(), amount: cents / 100 }),
      toOlder: ({ last, amount }) => ({ name: last, cents: amount * 100 }),
    },
    {
      version: "v1",
      file: FILE,
      older: { read: { name: required(text({ maxLength: 9 })), cents: integer({}) } },
      newer: { read: { last: required(text({ maxLength: 9 })), amount: integer({}) } },
    },
  );
  const before = { name: " Ada ", cents: 100, last: "Ada", amount: 1 };
  const changed = { next: { ...before, amount: 2 }, before: [before], version: "v2" };
  expect(fillPairs([pair], changed, never)).toEqual({ ...before, amount: 2, cents: 200 });
});

test("a new item does not take the form of an equal one that is still there", () => {
  const pair = storedPair<{ text: string }, { number: number }>(
    {
      toNewer: (older) => ({ number: Number(older.text) }),
      toOlder: ({ number }) => ({ text: String(number) }),
    },
    {
      version: "v1",
      file: FILE,
      path: "lines",
      older: { read: { text: required(text({ maxLength: 9 })) } },
      newer: { read: { number: integer({}) } },
    },
  );
  const lines = [
    { text: "01", number: 1 },
    { text: "1", number: 1 },
  ];
  const next = { lines: [{ text: undefined, number: 1 }, ...lines] };
  const filled = fillPairs<{ lines: object[] }>(
    [pair],
    { next, before: [{ lines }], version: "v2" },
    never,
  );
  expect(filled.lines).toEqual([{ text: "1", number: 1 }, ...lines]);
});

test("an object keeps what only another version shows of it", () => {
  interface Box {
    street: string;
    extra: string | null;
  }
  const box = {
    toShown: ({ street }: Box) => ({ street }),
    toStored: (sent: { street: string }, stored: Box | null) => ({
      ...sent,
      extra: stored?.extra ?? null,
    }),
  };
  const street = shape({ street: required(text({ maxLength: 9 })) });
  const pair = storedPair<{ box: { street: string } }, { full: string }>(
    {
      toNewer: (older) => ({ full: older.box.street.toUpperCase() }),
      toOlder: ({ full }) => ({ box: { street: full.toLowerCase() } }),
    },
    {
      version: "v2",
      file: FILE,
      older: { read: { box: required(street) }, values: { box } },
      newer: { read: { full: required(text({ maxLength: 9 })) } },
    },
  );
  const before = { box: { street: "main", extra: "keep" }, full: "Main" };
  const newer = { next: { ...before, full: "Base" }, before: [before], version: "v3" };
  const moved = { box: { street: "base", extra: "keep" }, full: "Base" };
  expect(fillPairs([pair], newer, never)).toEqual(moved);
  const next = { ...before, box: { street: "main", extra: "other" } };
  expect(fillPairs([pair], { next, before: [before], version: "v1" }, never)).toEqual(next);
});

test("a pair leads on to the next, in the direction of the write", () => {
  const step = (version: string, older: string, newer: string) =>
    storedPair<Record<string, number>, Record<string, number>>(
      {
        toNewer: (from) => ({ [newer]: (from[older] ?? 0) + 1 }),
        toOlder: (from) => ({ [older]: (from[newer] ?? 0) - 1 }),
      },
      {
        version,
        file: FILE,
        older: { read: { [older]: integer({}) } },
        newer: { read: { [newer]: integer({}) } },
      },
    );
  const pairs = [step("v1", "a", "b"), step("v2", "b", "c")];
  const filled = (next: object, version: string) =>
    fillPairs(pairs, { next, before: [], version }, never);
  expect(filled({ a: 1 }, "v1")).toEqual({ a: 1, b: 2, c: 3 });
  expect(filled({ b: 1 }, "v2")).toEqual({ a: 0, b: 1, c: 2 });
  expect(filled({ c: 1 }, "v3")).toEqual({ a: -1, b: 0, c: 1 });
  expect(withFilledNames(pairs, {}, "v1")).toMatchObject({ b: "a", c: "a" });
  expect(withFilledNames(pairs, {}, null)).toMatchObject({ a: "c", b: "c" });
  expect(withFilledNames(pairs, {}, null, true)).toMatchObject({ b: "c (b in v2)" });
});
