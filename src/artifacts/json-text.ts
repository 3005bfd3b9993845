import { mostWidth, WIDTH } from "../naming/doc.js";

/** An array of scalars, an item a line: a line break stands in no JSON string, so this is never a part of one. */
const SCALARS = /\[\n(?: +[^ [\]{}][^\n]*\n)+ *\]/g;

/** An array of one array that stands on one line: the example of a list. */
const NESTED = /\[\n +\[[^\n]*\]\n *\]/g;

/** An object or a list that holds no other one of several lines. */
const INNERMOST = /[[{]\n(?: +(?:[^ [\]{}\n]|[^ [\]}\n][^\n]*[^[{\n])\n)+ *[\]}]/g;

/** JSON as prettier prints it: a member a line, short arrays of scalars on one. Ends in a line feed. */
export function jsonText(value: unknown): string {
  // V8 writes a whole OpenAPI document in the time that code of our own takes for a tenth of it.
  const expanded = JSON.stringify(value, null, 2);
  return `${expanded.replace(SCALARS, onOneLine).replace(NESTED, onOneLine)}\n`;
}

/**
 * The lines within the brackets of an object or a list that stands `depth` levels deep in a document, without the last
 * line feed; empty where it is empty. What fits on one line stands on one, objects too.
 */
export function innerText(value: object, depth: number): string {
  if (Object.keys(value).length === 0) return "";
  let outer = value;
  for (let level = 1; level < depth; level += 1) outer = { "": outer };
  const text = JSON.stringify(outer, null, 2);
  // Each level opens with a line of its own, of so many spaces and few characters, and closes with one.
  let start = 0;
  for (let level = 0; level < depth; level += 1) start = text.indexOf("\n", start) + 1;
  let end = text.length;
  for (let level = 0; level < depth; level += 1) end = text.lastIndexOf("\n", end - 1);
  return compact(text.slice(start, end));
}

/** A whole document of which what fits on one line stands on one, objects too; ends in a line feed. */
export function foldedJson(value: object): string {
  return `{\n${innerText(value, 1)}\n}\n`;
}

/** Each pass puts what is innermost on one line, so that what holds it may follow. */
function compact(text: string): string {
  const folded = text.replace(INNERMOST, onOneLine).replace(NESTED, onOneLine);
  return folded === text ? text : compact(folded);
}

function onOneLine(array: string, start: number, text: string): string {
  const used = start - text.lastIndexOf("\n", start) - 1;
  const lines = array.split("\n").slice(1, -1);
  const items = lines.map((item) => item.trimStart());
  const isObject = array.startsWith("{");
  if (!isObject && items.length > 1 && items.every(hasSeveralMembers)) return array;
  const flat = isObject ? `{ ${items.join(" ")} }` : `[${items.join(" ")}]`;
  // A piece of a document may be followed by a comma.
  const after = [",", undefined].includes(text[start + array.length]) ? "," : "";
  // An object of several lines stays one, so that it need not be known exactly how wide a text is.
  const width = isObject ? mostWidth(flat + after) : textWidth(flat + after);
  if (used + width <= WIDTH) return flat;
  if (isObject) return array;
  return items.every((item) => /^[-0-9]/.test(item)) ? filled(array, items) : array;
}

/** An item of a list on one line, as prettier keeps it: a list of such objects has an item a line. */
function hasSeveralMembers(item: string): boolean {
  return (
    item.startsWith("{") && Object.keys(JSON.parse(item.replace(/,$/, "")) as object).length > 1
  );
}

/** Numbers that do not fit on one line stand side by side on several. */
function filled(array: string, items: readonly string[]): string {
  const margin = /^\[\n( +)/.exec(array)?.[1] ?? "";
  const lines: string[] = [];
  for (const item of items) {
    const longer = `${lines.at(-1) ?? margin} ${item}`;
    if (lines.length > 0 && longer.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(margin + item);
  }
  return `[\n${lines.join("\n")}${array.slice(array.lastIndexOf("\n"))}`;
}

/** The columns that a text takes, nearly: letters of East Asia and pictures take two, marks on a letter none. */
function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  const characters = [...text.replace(/[\u0300-\u036f]/g, "")];
  return characters.reduce((width, character) => width + (WIDE.test(character) ? 2 : 1), 0);
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\p{Script=Tangut}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
