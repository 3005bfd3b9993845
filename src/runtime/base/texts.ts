/** Makes an object to copy. Copies keep V8's fast layout, which an object that grows by computed names loses. */
export function objectOfNulls(names: readonly string[]): Readonly<Record<string, unknown>> {
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  return JSON.parse(JSON.stringify(nulls)) as Record<string, null>;
}

const LONGEST = 40;

/** At most 40 characters, for messages that show input. */
export function truncate(text: string): string {
  if (text.length <= LONGEST) return text;
  const last = text.charCodeAt(LONGEST - 2);
  // A surrogate pair is one character.
  const end = last >= 0xd800 && last <= 0xdbff ? LONGEST - 2 : LONGEST - 1;
  return `${text.slice(0, end)}…`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Encodes text for HTML, between tags and in quoted attributes. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const MOST_ERRORS = 3;

/** The candidate that a misspelt name probably means, or null. */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  if (name.length === 0 || name.length > LONGEST) return null;
  const folded = name.toLowerCase();
  let best: string | null = null;
  // One typing error in three characters still reads as the same word.
  let bestDistance = Math.min(MOST_ERRORS, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(folded, candidate.toLowerCase(), bestDistance - 1);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Returns `; did you mean "title"?`, or an empty string. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const found = nearest(name, candidates);
  return found === null ? "" : `; did you mean "${found}"?`;
}

/**
 * Counts the insertions, deletions, replacements and swaps of neighbours between two words; returns more than `most` if
 * there are more. Cells that `most` edits cannot reach are skipped, so that many long names are cheap.
 */
function editDistance(from: string, to: string, most: number): number {
  const row = (): number[] => new Array<number>(to.length + 1).fill(most + 1);
  let [current, last, beforeLast] = [row(), row(), row()];
  for (let column = 0; column <= Math.min(most, to.length); column++) last[column] = column;
  for (let index = 1; index <= from.length; index++) {
    const first = Math.max(1, index - most);
    current[first - 1] = first === 1 ? index : most + 1;
    let least = at(current, first - 1);
    for (let column = first; column <= Math.min(to.length, index + most); column++) {
      const same = from[index - 1] === to[column - 1];
      let steps = Math.min(at(last, column), at(current, column - 1)) + 1;
      steps = Math.min(steps, at(last, column - 1) + (same ? 0 : 1));
      const swapped = from[index - 1] === to[column - 2] && from[index - 2] === to[column - 1];
      if (swapped && index > 1) steps = Math.min(steps, at(beforeLast, column - 2) + 1);
      current[column] = steps;
      least = Math.min(least, steps);
    }
    if (least > most) return least;
    [current, last, beforeLast] = [beforeLast, current, last];
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

/** `1 item`, `2 items` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
