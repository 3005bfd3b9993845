import fc from "fast-check";
import { expect, test } from "vitest";

import { nearest, suggestion } from "#runtime/base/texts";

const NAMES = ["title", "status", "priority", "closedDate", "deliveryAddress", "tags", "id"];

test.each([
  { name: "titel", want: "title" },
  { name: "titlle", want: "title" },
  { name: "TITLE", want: "title" },
  { name: "closed_date", want: "closedDate" },
  { name: "delivryAdress", want: "deliveryAddress" },
  { name: "tag", want: "tags" },
  { name: "ID", want: "id" },
  { name: "xyz", want: null },
  { name: "", want: null },
  { name: "constructor", want: null },
  { name: "t".repeat(5_000), want: null },
])("$name was probably meant as $want", ({ name, want }) => {
  expect(nearest(name, NAMES)).toBe(want);
});

test("a suggestion ends a sentence, or adds nothing", () => {
  expect(suggestion("titel", NAMES)).toBe('; did you mean "title"?');
  expect(suggestion("xyz", NAMES)).toBe("");
});

test("finds what the whole table of distances would find", () => {
  const letters = fc.string({
    unit: fc.constantFrom("a", "b", "c", "D"),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(letters, fc.array(letters, { maxLength: 6 }), (name, names) => {
      expect(nearest(name, names)).toBe(nearestByTable(name, names));
    }),
    { seed: 7, numRuns: 2000 },
  );
});

function nearestByTable(name: string, names: readonly string[]): string | null {
  const most = Math.min(3, Math.floor(name.length / 3));
  const ranked = names
    .map((other) => ({ other, distance: distanceOf(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.other ?? null;
}

function distanceOf(from: string, to: string): number {
  const table = Array.from({ length: from.length + 1 }, (_, row) => [row]);
  const at = (row: number, column: number): number => table[row]?.[column] ?? Infinity;
  for (let column = 0; column <= to.length; column++) {
    for (let row = 0; row <= from.length; row++) {
      if (row === 0) table[0]![column] = column;
      if (row === 0 || column === 0) continue;
      const replaced = at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = row > 1 && column > 1 && isSwap ? at(row - 2, column - 2) + 1 : Infinity;
      const steps = [at(row - 1, column) + 1, at(row, column - 1) + 1, replaced, swapped];
      table[row]![column] = Math.min(...steps);
    }
  }
  return at(from.length, to.length);
}
