import { WIDTH } from "./layout.js";

/** JSON as prettier prints it: a member a line, short arrays of scalars on one. Ends in a line feed. */
export function jsonText(value: unknown): string {
  return `${write(value, "\n", 0)}\n`;
}

/** `line`: a line break and the indentation of the value's last line; `used`: the columns before the value. */
function write(value: unknown, line: string, used: number): string {
  if (Array.isArray(value)) return writeArray(value, line, used);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return writeObject(value, line);
}

function writeObject(value: object, line: string): string {
  const inner = `${line}  `;
  let text = "";
  // A loop and one growing text: an OpenAPI document has tens of thousands of members.
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const key = `"${escaped(name)}": `;
    // Without its line break, the line is the indentation.
    text += `${text === "" ? "" : ","}${inner}${key}${write(member, inner, inner.length - 1 + key.length)}`;
  }
  return text === "" ? "{}" : `{${text}${line}}`;
}

function writeArray(items: readonly unknown[], line: string, used: number): string {
  if (items.length === 0) return "[]";
  if (items.every((item) => typeof item !== "object" || item === null)) {
    const flat = `[${items.map((item) => JSON.stringify(item)).join(", ")}]`;
    // One more column for the comma that may follow.
    if (used + flat.length + 1 <= WIDTH) return flat;
  }
  const inner = `${line}  `;
  const texts = items.map((item) => write(item, inner, inner.length - 1));
  return `[${inner}${texts.join(`,${inner}`)}${line}]`;
}

/** Most names are plain words, which need no look at each character. */
function escaped(name: string): string {
  return /^[\w$/-]*$/.test(name) ? name : JSON.stringify(name).slice(1, -1);
}
