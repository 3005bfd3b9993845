import fc from "fast-check";
import { expect, test } from "vitest";

import { Shares, TableLanes, type Lane, type Purpose } from "#runtime/store/postgres-lanes";

/** A pool whose connections are taken and never given back. */
class Taken {
  free: number;
  readonly shares: Shares;

  constructor(size: number) {
    this.free = size;
    this.shares = new Shares(size);
  }

  /** How many of `wanted` a lane gets. */
  take(lane: Lane, wanted = 100): number {
    let taken = 0;
    while (taken < wanted && this.shares.allows(lane, this.free)) {
      this.shares.count(lane, 1);
      this.free -= 1;
      taken += 1;
    }
    return taken;
  }
}

const KINDS: readonly Purpose[] = ["lookup", "write", "quick", "slow"];

test.each([
  { size: 2, slow: 1, write: 1 },
  { size: 5, slow: 2, write: 3 },
  { size: 10, slow: 4, write: 5 },
  { size: 40, slow: 14, write: 20 },
])("of $size connections one table writes on $write, and lists slowly on $slow", (given) => {
  const { size, ...want } = given;
  const taken = (kind: Purpose): number => new Taken(size).take(new TableLanes("a")[kind]);
  expect({ slow: taken("slow"), write: taken("write") }).toEqual(want);
});

test("slow lists, of however many tables, leave half of the connections to others", () => {
  const pool = new Taken(10);
  for (let table = 0; table < 20; table += 1) pool.take(new TableLanes(`t${table}`).slow);
  expect(pool.free).toBe(5);
});

test("whatever one table asks for, in whatever order, a connection is left for each kind of statement of another", () => {
  const order = fc.shuffledSubarray([...KINDS, ...KINDS, ...KINDS], { minLength: 1 });
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 50 }), order, (size, kinds) => {
      const pool = new Taken(size);
      const locked = new TableLanes("locked");
      for (const kind of kinds) pool.take(locked[kind]);
      const other = new TableLanes("other");
      expect(pool.take(other.lookup, 1)).toBe(1);
      expect(pool.take(other.write, 1)).toBe(1);
    }),
  );
});

test("a table that holds none gets the last one", () => {
  const pool = new Taken(4);
  for (const name of ["a", "b", "c"]) expect(pool.take(new TableLanes(name).lookup, 1)).toBe(1);
  expect(pool.take(new TableLanes("d").lookup)).toBe(1);
  expect(pool.take(new TableLanes("e").lookup)).toBe(0);
});

test("those who wait with different keys have turns, those with the same one come in order", () => {
  const { slow } = new TableLanes("a");
  const waiter = (since: number) => ({ since, grant: () => undefined, fail: () => undefined });
  for (const [key, since] of [
    ["one", 1],
    ["one", 2],
    ["one", 3],
    ["other", 4],
  ] as const)
    slow.add(key, waiter(since));
  const order = [1, 2, 3, 4].map(() => slow.next()?.since);
  expect(order).toEqual([1, 4, 2, 3]);
  expect([slow.waiting, slow.next()]).toEqual([0, undefined]);
});

test("those who have waited too long are found, and no longer wait", () => {
  const { write } = new TableLanes("a");
  const waiter = (since: number) => ({ since, grant: () => undefined, fail: () => undefined });
  for (const since of [1, 2, 5]) write.add(null, waiter(since));
  expect(write.expired(2).map(({ since }) => since)).toEqual([1, 2]);
  expect([write.waiting, write.next()?.since]).toEqual([1, 5]);
});
