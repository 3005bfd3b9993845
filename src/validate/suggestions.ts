import { nearest } from "../naming/nearest.js";

/** What other languages call our types. */
const SYNONYMS: Readonly<Record<string, string>> = {
  int: "integer",
  int32: "integer",
  int64: "integer",
  long: "integer",
  bool: "boolean",
  float: "number",
  double: "number",
  money: "decimal",
  numeric: "decimal",
  text: "string",
  varchar: "string",
  guid: "uuid",
  datetime: "timestamp",
  "date-time": "timestamp",
  time: "timestamp",
};

const FORMATS = ["email", "uri", "hostname", "ipv4", "ipv6", "date"];

/** The allowed value that was most probably meant, as a sentence, or null. */
export function typeSuggestion(value: unknown, allowed: readonly string[]): string | null {
  if (typeof value !== "string") return null;
  const near = allowed.includes("timestamp") ? typeNamed(value, allowed) : nearest(value, allowed);
  if (near === null) return null;
  return near.startsWith("{") ? `Write ${near}.` : `Did you mean "${near}"?`;
}

function typeNamed(value: string, allowed: readonly string[]): string | null {
  if (FORMATS.includes(value)) return `{ type: string, format: ${value} }`;
  if (value === "object") return "{ type: object, properties: ... }";
  if (value === "array") return "{ type: array, items: ... }";
  if (value === "enum") return "{ enum: [open, closed] }";
  return SYNONYMS[value.toLowerCase()] ?? nearest(value, allowed);
}

/** How to write a value so that it is read as one of `types`, or null. */
export function quotesSuggestion(
  types: readonly string[],
  read: unknown,
  written: string,
): string | null {
  if (types.includes("string") && isScalar(read)) {
    return read === null ? "Write a value." : `Put it in quotes: "${written}".`;
  }
  if (typeof read !== "string") return null;
  if (types.includes("boolean") && /^(?:y|yes|on|true)$/i.test(read)) return "Write true.";
  if (types.includes("boolean") && /^(?:n|no|off|false)$/i.test(read)) return "Write false.";
  const numeric = types.includes("integer") || types.includes("number");
  return numeric && /^-?[0-9]+(?:\.[0-9]+)?$/.test(read) ? `Remove the quotes: ${read}.` : null;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}
