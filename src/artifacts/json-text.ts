import { WIDTH } from "./layout.js";

/** JSON as prettier prints it: a member a line, short arrays of scalars on one. Ends in a line feed. */
export function jsonText(value: unknown): string {
  return `${write(value, "", 0)}\n`;
}

/** `used`: the columns before the value on its line. */
function write(value: unknown, indent: string, used: number): string {
  if (Array.isArray(value)) return writeArray(value, indent, used);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return "{}";
  const inner = `${indent}  `;
  const lines = members.map(([name, member]) => {
    const key = `${inner}${JSON.stringify(name)}: `;
    return key + write(member, inner, key.length);
  });
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

function writeArray(items: readonly unknown[], indent: string, used: number): string {
  if (items.length === 0) return "[]";
  const scalar = items.every((item) => typeof item !== "object" || item === null);
  const flat = `[${items.map((item) => JSON.stringify(item)).join(", ")}]`;
  // One more column for the comma that may follow.
  if (scalar && used + flat.length + 1 <= WIDTH) return flat;
  const inner = `${indent}  `;
  return `[\n${items.map((item) => inner + write(item, inner, inner.length)).join(",\n")}\n${indent}]`;
}
