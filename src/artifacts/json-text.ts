import { mostWidth, WIDTH } from "../naming/doc.js";

/** JSON as prettier prints it: a member a line, short arrays of scalars on one. Ends in a line feed. */
export function jsonText(value: unknown): string {
  return `${printed(value, { indent: 0, column: 0, after: 0, folds: false })}\n`;
}

/**
 * The lines within the brackets of an object or a list that stands `depth` levels deep in a document, without the last
 * line feed; empty where it is empty. What fits on one line stands on one, objects too.
 */
export function innerText(value: object, depth: number): string {
  const indent = 2 * depth;
  // A piece of a document may be followed by a comma.
  const texts = membersOf(value, { indent, column: indent, after: 1, folds: true });
  return texts.map((text) => " ".repeat(indent) + text).join(",\n");
}

/** A whole document of which what fits on one line stands on one, objects too; ends in a line feed. */
export function foldedJson(value: object): string {
  return `{\n${innerText(value, 1)}\n}\n`;
}

/** Where a value begins: the indent of its line, the columns before it, and those of what follows its last line. */
interface Place {
  readonly indent: number;
  readonly column: number;
  readonly after: number;
  /** Objects that fit on one line stand on one. */
  readonly folds: boolean;
}

function printed(value: unknown, place: Place): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const indent = place.indent + 2;
  const isList = Array.isArray(value);
  const texts = membersOf(value, { indent, column: indent, after: 0, folds: place.folds });
  if (texts.length === 0) return isList ? "[]" : "{}";
  if (texts.every(isOneLine) && (isList ? standsInRow(value, place.folds) : place.folds)) {
    const flat = isList ? `[${texts.join(", ")}]` : `{ ${texts.join(", ")} }`;
    // An object of several lines stays one, so that it need not be known exactly how wide a text is.
    const width = isList ? textWidth(flat) : mostWidth(flat);
    if (place.column + width + place.after <= WIDTH) return flat;
  }
  const margin = "\n" + " ".repeat(indent);
  const isFilled = isList && value.every((item) => typeof item === "number");
  const lines = isFilled ? filled(texts, indent) : texts;
  const inner = margin + lines.join(`,${margin}`) + margin.slice(0, -2);
  return isList ? `[${inner}]` : `{${inner}}`;
}

/** The texts of what an object or a list holds; each but the last has a comma behind it. */
function membersOf(value: object, { indent, column, after, folds }: Place): string[] {
  const texts: string[] = [];
  if (Array.isArray(value)) {
    const last = value.length - 1;
    for (const [index, item] of value.entries()) {
      texts.push(printed(item, { indent, column, after: index < last ? 1 : after, folds }));
    }
    return texts;
  }
  const names = Object.keys(value).filter((name) => (value as Members)[name] !== undefined);
  const last = names.at(-1);
  for (const name of names) {
    const head = `${quoted(name)}: `;
    const at = { indent, column: column + head.length, after: name === last ? after : 1, folds };
    texts.push(head + printed((value as Members)[name], at));
  }
  return texts;
}

type Members = Readonly<Record<string, unknown>>;

function isOneLine(text: string): boolean {
  return !text.includes("\n");
}

/** Most texts have nothing to escape. */
function quoted(text: string): string {
  return /^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Lists as prettier keeps them on one line: a list of objects with several members has an item a line. */
function standsInRow(items: readonly unknown[], folds: boolean): boolean {
  const isObject = (item: unknown): boolean => typeof item === "object" && item !== null;
  if (!folds) return !items.some(isObject) || (items.length === 1 && Array.isArray(items[0]));
  const isLarge = (item: unknown): boolean =>
    isObject(item) && !Array.isArray(item) && Object.keys(item as object).length > 1;
  return items.length === 1 || !items.every(isLarge);
}

/** Numbers that do not fit on one line stand side by side on several. */
function filled(numbers: readonly string[], indent: number): string[] {
  const lines: string[] = [];
  for (const number of numbers) {
    const longer = `${lines.at(-1)}, ${number}`;
    if (lines.length > 0 && indent + longer.length < WIDTH) lines[lines.length - 1] = longer;
    else lines.push(number);
  }
  return lines;
}

/** The columns that a text takes, nearly: letters of East Asia and pictures take two, marks on a letter none. */
function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  const characters = [...text.replace(/[\u0300-\u036f]/g, "")];
  return characters.reduce((width, character) => width + (WIDE.test(character) ? 2 : 1), 0);
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\p{Script=Tangut}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
