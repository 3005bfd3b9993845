/**
 * The position where a text is nested deeper than `most` levels, or null. The scan ignores quotes, so `most` must be
 * generous: its purpose is that the recursive parser does not run out of stack or memory (G9).
 */
export function tooDeepAt(text: string, most: number): number | null {
  return flowTooDeep(text, most) ?? blockTooDeep(text, most);
}

function flowTooDeep(text: string, most: number): number | null {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === "[" || bracket === "{" ? 1 : -1));
    if (depth > most) return index;
  }
  return null;
}

/** Counts the columns at which something begins: by indentation, and by `- ` and `? ` on one line. */
function blockTooDeep(text: string, most: number): number | null {
  const open: number[] = [];
  for (const { 0: line, index } of text.matchAll(/^.*\S.*$/gm)) {
    for (const column of beginnings(line)) {
      while ((open.at(-1) ?? -1) >= column) open.pop();
      open.push(column);
      if (open.length > most) return index + column;
    }
  }
  return null;
}

function* beginnings(line: string): Generator<number> {
  const step = /[-?:][ \t]+/y;
  step.lastIndex = line.search(/[^ \t]/);
  yield step.lastIndex;
  while (step.test(line)) yield step.lastIndex;
}
