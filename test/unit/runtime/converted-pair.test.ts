import { expect, test } from "vitest";
import { OwnCodeFault } from "#runtime/base/custom-code";
import { convertedPair } from "#runtime/entity/conversion";
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

/** A pair whose `toOlder` gives this, whatever it is given. */
function showing(shown: unknown) {
  const pair = { toNewer: () => 1, toOlder: () => shown as Older };
  return convertedPair<Older, number>(pair, FILE, {
    day: nullable(text({ maxLength: 10, format: "date" })),
    box: required(shape({ tone: oneOf(["dark"] as const), sizes: list(integer({ minimum: 0 })) })),
    at: nullable(timestamp()),
  });
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
])("$name is a fault of own code, with its place", ({ shown, want }) => {
  const fault = (): unknown => {
    try {
      return showing(shown).toShown(1);
    } catch (error) {
      return error;
    }
  };
  expect(fault()).toBeInstanceOf(OwnCodeFault);
  expect(String(fault())).toContain(`toOlder in ${FILE} breaks a rule: ${want}`);
});

test("what keeps the rules is shown, without what is no part of it", () => {
  expect(showing(RIGHT).toShown(1)).toEqual(RIGHT);
  expect(showing({ ...RIGHT, more: 1 }).toShown(1)).toEqual(RIGHT);
});

test("what is sent back as it was shown changes nothing", () => {
  const pair = showing({ ...RIGHT, more: 1 });
  expect(pair.toStored(pair.toShown(7), 7)).toBe(7);
  expect(pair.toStored({ ...pair.toShown(7), day: null }, 7)).toBe(1);
});
