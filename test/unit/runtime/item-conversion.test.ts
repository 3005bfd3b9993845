import { expect, test } from "vitest";
import { type VersionConversion, items, uniqueItems } from "#runtime/entity/conversion";

interface Line {
  readonly article: string;
  readonly quantity: number;
  readonly note: string | null;
}
interface ShownLine {
  readonly sku: string;
  readonly quantity: number;
}

const item: VersionConversion<Line, ShownLine> = {
  toShown: ({ article, quantity }) => ({ sku: article, quantity }),
  toStored: ({ sku, quantity }, stored) => ({ article: sku, quantity, note: stored?.note ?? null }),
};
const lines = items(item);
const uniqueLines = uniqueItems(item);
const line = (article: string, note: string | null, quantity = 1): Line => {
  return { article, quantity, note };
};
const notesOf = (sent: ShownLine[], stored: Line[]): unknown[] =>
  lines.toStored(sent, stored).map(({ note }) => note);

test("an item that is sent as another was shown is that one, wherever it stands", () => {
  const stored = [line("a", "x"), line("b", "y"), line("c", "z")];
  const sent = [
    { quantity: 1, sku: "c" },
    { sku: "a", quantity: 1 },
    { sku: "b", quantity: 2 },
  ];
  expect(notesOf(sent, stored)).toEqual(["z", "x", null]);
});

test("of equal items each is one of those that are stored, its own place before others", () => {
  const stored = [line("a", "1"), line("a", "2"), line("b", "3"), line("a", "4")];
  const a = { sku: "a", quantity: 1 };
  expect(notesOf([a, a, a, a], stored)).toEqual(["1", "2", "4", null]);
  expect(notesOf([{ sku: "n", quantity: 1 }, a, a], stored)).toEqual([null, "2", "1"]);
});

test("the rest take the places of those that stood there, and what is new has none", () => {
  const stored = [line("a", "x"), line("b", "y")];
  const sent = [
    { sku: "a", quantity: 5 },
    { sku: "n", quantity: 1 },
    { sku: "m", quantity: 1 },
  ];
  expect(notesOf(sent, stored)).toEqual(["x", "y", null]);
  expect(lines.toStored(sent, null).map(({ note }) => note)).toEqual([null, null, null]);
});

test("a list costs time in proportion to its length, in whatever order it is sent", () => {
  const length = 1000;
  let looks = 0;
  const stored = Array.from({ length }, (_, at) => line(`a${at}`, String(at)));
  const sent = Array.from({ length }, (_, at) => {
    return {
      get sku() {
        looks += 1;
        return `a${length - 1 - at}`;
      },
      quantity: 1,
    };
  });
  expect(notesOf(sent, stored)[0]).toBe(String(length - 1));
  expect(looks).toBeLessThan(10 * length);
});

test("of a list without repetitions, objects that are shown as one are shown once", () => {
  const stored = [line("a", "x"), line("a", "y"), line("b", "z")];
  const shown = uniqueLines.toShown(stored);
  expect(shown).toEqual([
    { sku: "a", quantity: 1 },
    { sku: "b", quantity: 1 },
  ]);
  expect(uniqueLines.toStored(shown, stored)).toBe(stored);
  expect(uniqueLines.toStored(shown.toReversed(), stored)).toEqual([
    line("b", "z"),
    line("a", "x"),
    line("a", "y"),
  ]);
});

test("of a list without repetitions, the rest take the places of what was shown there", () => {
  const stored = [line("a", "x"), line("a", "y"), line("b", "z")];
  const sent = [
    { quantity: 1, sku: "b" },
    { quantity: 7, sku: "b" },
    { quantity: 9, sku: "n" },
  ];
  expect(uniqueLines.toStored(sent, stored).map(({ note }) => note)).toEqual(["z", null, null]);
  const changed = [
    { quantity: 7, sku: "a" },
    { quantity: 1, sku: "b" },
  ];
  expect(uniqueLines.toStored(changed, stored).map(({ note }) => note)).toEqual(["x", "z"]);
});
