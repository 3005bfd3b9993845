import { WIDTH } from "./layout.js";

/** An array of scalars, an item a line: a line break stands in no JSON string, so this is never a part of one. */
const SCALARS = /\[\n(?: +[^ [\]{}][^\n]*\n)+ *\]/g;

/** An array of one array that stands on one line: the example of a list. */
const NESTED = /\[\n +\[[^\n]*\]\n *\]/g;

/** JSON as prettier prints it: a member a line, short arrays of scalars on one. Ends in a line feed. */
export function jsonText(value: unknown): string {
  // V8 writes a whole OpenAPI document in the time that code of our own takes for a tenth of it.
  const expanded = JSON.stringify(value, null, 2);
  return `${expanded.replace(SCALARS, onOneLine).replace(NESTED, onOneLine)}\n`;
}

function onOneLine(array: string, start: number, text: string): string {
  const used = start - text.lastIndexOf("\n", start) - 1;
  const items = array.split("\n").slice(1, -1);
  const flat = `[${items.map((item) => item.trimStart()).join(" ")}]`;
  // One more column for the comma that may follow.
  return used + flat.length + 1 <= WIDTH ? flat : array;
}
