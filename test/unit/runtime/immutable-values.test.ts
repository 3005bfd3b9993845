import { expect, test } from "vitest";
import { BodyInput, object } from "#runtime/input/bodies";
import { integer } from "#runtime/input/numbers";
import type { JsonValue } from "#runtime/input/json";
import { list } from "#runtime/input/lists";
import { nullable, required, uuid } from "#runtime/input/reader";
import { text } from "#runtime/input/text";
import { issuesOf } from "./reading.js";

const readStreet = required(text({ maxLength: 20 }));
const readState = nullable(text({ maxLength: 2 }));

test("an immutable property keeps what is stored, and refuses another value", () => {
  const same = new BodyInput({ x: "NY" });
  expect(same.finish(same.immutable("x", readState, "NY"))).toBe("NY");
  const absent = new BodyInput({});
  expect(absent.finish(absent.immutable("x", readState, "NY"))).toBe("NY");
  const other = new BodyInput({ x: "CA" });
  const next = other.immutable("x", readState, "NY");
  expect(issuesOf(() => other.finish(next))).toEqual([
    { field: "x", message: "cannot be changed" },
  ]);
});

interface Door {
  readonly number: number | null;
  readonly keys: readonly string[];
  readonly width: number | null;
  readonly lock: Lock | null;
}
interface Lock {
  readonly serial: string | null;
}

function readLock(input: BodyInput, before: Lock | null): Lock {
  return { serial: input.immutable("serial", readState, before?.serial) };
}

function readDoor(input: BodyInput, before: Door | null): Door {
  return {
    number: input.immutable("number", nullable(integer()), before?.number),
    keys: input.immutable("keys", list(readStreet), before?.keys),
    width: input.read("width", nullable(integer()), before?.width),
    lock: input.object("lock", readLock, before?.lock),
  };
}

const DOOR: Door = { number: null, keys: [], width: 5, lock: null };

test.each([
  { name: "with nothing immutable", stored: DOOR, want: [] },
  { name: "with a number", stored: { ...DOOR, number: 0 }, want: ["door.number"] },
  { name: "with a list", stored: { ...DOOR, keys: ["a"] }, want: ["door.keys"] },
  { name: "with an empty object", stored: { ...DOOR, lock: { serial: null } }, want: [] },
  {
    name: "with several values, one of them deeper",
    stored: { ...DOOR, number: 1, lock: { serial: "L1" } },
    want: ["door.number", "door.lock.serial"],
  },
])(
  "an object $name is made null only where no immutable value gets lost",
  ({ stored: door, want }) => {
    for (const mode of ["merge", "replace"] as const) {
      const input = new BodyInput({ door: null }, mode);
      const read = input.object("door", readDoor, door);
      expect(issuesOf(() => input.finish(read)).map(({ field }) => field)).toEqual(want);
    }
  },
);

test("a PUT that leaves out an object inside another makes that null likewise", () => {
  const input = new BodyInput({ door: {} }, "replace");
  const read = input.object("door", readDoor, { ...DOOR, lock: { serial: "L1" } });
  expect(issuesOf(() => input.finish(read)).map(({ field }) => field)).toEqual([
    "door.lock.serial",
  ]);
});

test("another reference than an immutable one is told on its identifier", () => {
  const readUser = nullable(
    object((input) => ({ userId: input.read("userId", uuid(), undefined) })),
  );
  const [ada, ben] = ["a", "b"].map((letter) => ({
    userId: `${letter.repeat(8)}-0000-4000-8000-000000000000`,
  }));
  const fields = (user: JsonValue): string[] => {
    const input = new BodyInput({ user }, "merge");
    const read = input.immutable("user", readUser, ada, "userId");
    return issuesOf(() => input.finish(read)).map(({ field }) => field);
  };
  expect([fields({ ...ada }), fields({ ...ben }), fields(null)]).toEqual([
    [],
    ["user.userId"],
    ["user"],
  ]);
});
