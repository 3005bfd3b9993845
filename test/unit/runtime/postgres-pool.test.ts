import fc from "fast-check";
import { expect, test } from "vitest";

import { mayTakeConnection } from "#runtime/store/postgres/pool";
import {
  LOOKUP,
  QUICK,
  SLOW,
  WRITE,
  type StatementKind,
  type StatementUse,
} from "#runtime/store/postgres/statements";

const KINDS = [LOOKUP, QUICK, SLOW, WRITE];

function connectionsOf(size: number): { user: StatementUse | null }[] {
  return Array.from({ length: size }, () => ({ user: null }));
}

/** How many of `wanted` connections are taken, and never given back. */
function take(
  connections: { user: StatementUse | null }[],
  use: StatementUse,
  wanted = 100,
): number {
  for (let taken = 0; taken < wanted; taken += 1) {
    const free = connections.find(({ user }) => user === null);
    if (free === undefined || !mayTakeConnection(connections, use)) return taken;
    free.user = use;
  }
  return wanted;
}

test.each([
  { size: 1, want: [1, 1, 1, 1] },
  { size: 2, want: [2, 1, 1, 1] },
  { size: 5, want: [4, 2, 1, 2] },
  { size: 10, want: [8, 5, 3, 5] },
  { size: 40, want: [30, 22, 15, 22] },
])(
  "of $size connections one table gets $want: lookups, quick lists, slow ones, writes",
  ({ size, want }) => {
    const taken = (kind: StatementKind): number => take(connectionsOf(size), { table: "a", kind });
    expect(KINDS.map(taken)).toEqual(want);
  },
);

test.each([
  { name: "slow lists", kind: SLOW, left: 5 },
  { name: "writes", kind: WRITE, left: 3 },
])("$name, of however many tables, leave $left of ten connections to others", ({ kind, left }) => {
  const connections = connectionsOf(10);
  for (let table = 0; table < 20; table += 1) take(connections, { table: `t${table}`, kind });
  expect(connections.filter(({ user }) => user === null)).toHaveLength(left);
});

test("whatever one table asks for, in whatever order, each kind of statement of another finds a connection", () => {
  const order = fc.shuffledSubarray([...KINDS, ...KINDS, ...KINDS], { minLength: 1 });
  const sizes = fc.integer({ min: 4, max: 50 });
  fc.assert(
    fc.property(sizes, order, fc.constantFrom(...KINDS), (size, kinds, another) => {
      const connections = connectionsOf(size);
      for (const kind of kinds) take(connections, { table: "locked", kind });
      expect(take(connections, { table: "other", kind: another }, 1)).toBe(1);
    }),
  );
});

test("where two tables are locked, a third one finds a connection", () => {
  const order = fc.shuffledSubarray([...KINDS, ...KINDS, ...KINDS], { minLength: 1 });
  fc.assert(
    fc.property(
      fc.integer({ min: 10, max: 50 }),
      order,
      fc.constantFrom(...KINDS),
      (size, kinds, kind) => {
        const connections = connectionsOf(size);
        for (const [index, one] of kinds.entries())
          take(connections, { table: index % 2 === 0 ? "one" : "other", kind: one });
        expect(take(connections, { table: "third", kind }, 1)).toBe(1);
      },
    ),
  );
});
