/**
 * What counts up in a text, most of it first: its last digits, else the letters at its end. The tests of a service count
 * in the same way, so that a property that must be unique needs but one value in them.
 */
const COUNTERS = [
  { place: /\d{1,3}(?=\D*$)/, letters: "0123456789" },
  { place: /[A-Z]{1,2}$/, letters: "ABCDEFGHIJKLMNOPQRSTUVWXYZ" },
  { place: /[a-z]{1,2}$/, letters: "abcdefghijklmnopqrstuvwxyz" },
] as const;

/** As many values as that are enough for the tests of one resource. */
export const ENOUGH = 100;

/** All texts that differ from one in what counts up; none where these are not enough. */
export function countedTexts(value: unknown): readonly string[] {
  if (typeof value !== "string") return [];
  for (const { place, letters } of COUNTERS) {
    const found = place.exec(value);
    if (found === null) continue;
    const before = value.slice(0, found.index);
    const after = value.slice(found.index + found[0].length);
    const texts = combinations(letters, found[0].length).map((middle) => before + middle + after);
    return texts.length < ENOUGH ? [] : texts;
  }
  return [];
}

function combinations(letters: string, length: number): readonly string[] {
  if (length === 0) return [""];
  return combinations(letters, length - 1).flatMap((start) =>
    [...letters].map((end) => start + end),
  );
}
