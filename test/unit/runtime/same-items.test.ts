import { expect, test } from "vitest";
import { asStored, sameItems } from "#runtime/input/lists";

test.each<{ sent: string; stored: string; want: (number | undefined)[] }>([
  { sent: "", stored: "ab", want: [] },
  { sent: "ab", stored: "", want: [undefined, undefined] },
  { sent: "ba", stored: "ab", want: [1, 0] },
  { sent: "aab", stored: "ba", want: [1, undefined, 0] },
  { sent: "xaa", stored: "aaa", want: [undefined, 1, 2] },
])("$sent, where $stored is stored: each is one of these, or none", ({ sent, stored, want }) => {
  expect(sameItems([...sent], [...stored])).toEqual(want);
});

test("what only own code writes is as it is stored, in objects and in the same items", () => {
  const stored = {
    sum: 3,
    place: { town: "Oslo", label: "A" },
    lines: [
      { size: 1, parts: [{ kind: "a", cost: 1 }] },
      { size: 2, parts: [] },
    ],
    none: null,
  };
  const next = {
    sum: 4,
    place: { town: "Rome", label: "B" },
    lines: [
      { size: 1, parts: [{ kind: "a", cost: 9 }] },
      { size: 3, parts: [] },
    ],
    none: { label: "C" },
  };
  const paths = ["sum", "place.label", "lines.parts.cost", "none.label"];
  expect(asStored<unknown>(next, stored, paths)).toEqual({
    sum: 3,
    place: { town: "Rome", label: "A" },
    lines: [stored.lines[0], next.lines[1]],
    none: { label: "C" },
  });
});
