import { didYouMean } from "../diagnostics/advice.js";
import type { PathStep } from "../load/source-document.js";
import { nearest } from "../naming/nearest.js";
import type { Plurals } from "../naming/plurals.js";
import { isMapping, own } from "./plain.js";

/** Other schema languages' names for our keys. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["name", "resource"],
  ["fields", "properties"],
  ["attributes", "properties"],
  ["columns", "properties"],
  ["values", "enum"],
  ["oneOf", "enum"],
  ["options", "enum"],
  ["ref", "reference"],
  ["$ref", "reference"],
  ["to", "reference"],
  ["references", "reference"],
  ["min", "minimum"],
  ["max", "maximum"],
  ["length", "maxLength"],
  ["regex", "pattern"],
  ["index", "filterable"],
  ["indexed", "filterable"],
  ["search", "filterable"],
  ["searchable", "filterable"],
  ["filter", "where"],
  ["orderBy", "sort"],
]);

const NULLABLE = ["nullable", "optional", "null"];

/** An unknown key and its place. */
export interface UnknownKey {
  readonly key: string;
  /** The path of the mapping that contains it. */
  readonly path: readonly PathStep[];
  readonly value: unknown;
  /** The keys that the mapping can have. */
  readonly known: readonly string[];
}

/** What to write instead of a key that is not known, as a sentence. */
export function keySuggestion({ key, path, value, known }: UnknownKey): string {
  if (NULLABLE.includes(key) && known.includes("required")) {
    return "Leave it out: a property may be null unless it says `required: true`.";
  }
  const meant = SYNONYMS.get(key);
  const near = meant !== undefined && known.includes(meant) ? meant : nearest(key, known);
  if (near !== null) return didYouMean(near);
  // `{ description: Its length, in metres }`
  if (value === null && key.includes(" ")) {
    return "Quote the text before it, if this belongs to it: within { } a comma ends the text.";
  }
  if (path.length === 0 && key === "required") return "Write `required: true` at each property.";
  if (path.length === 0 && known.includes("properties") && isProperty(value)) {
    return "Indent it below `properties:` if it is a property.";
  }
  return `It can have: ${known.join(", ")}.`;
}

/** Says whether a value reads like a property: `integer`, `{ type: integer }`, `{ reference: users }`. */
function isProperty(value: unknown): boolean {
  if (typeof value === "string") return /^[a-z]+$/.test(value);
  return ["type", "enum", "reference"].some((key) => own(value, key) !== undefined);
}

const EXAMPLES: Readonly<Record<string, string>> = {
  service: "helpdesk",
  resource: "tickets",
  entity: "ticket",
  properties: "{ title: string }",
  scheme: "none",
  status: "draft",
  level: "warning",
  reason: "why the rule cannot be followed",
  property: "status",
  initial: "open",
  transitions: "{ open: [closed], closed: [] }",
};

/** What a key that is missing from a file could say, as a sentence, or null. */
export function missingKeySuggestion(key: string, file: unknown, plurals: Plurals): string | null {
  const resource = isMapping(file) ? own(file, "resource") : null;
  // A resource name has no word boundaries, so this is right only for names of one word.
  const isEntity = key === "entity" && typeof resource === "string";
  const example = isEntity ? plurals.singular(resource) : EXAMPLES[key];
  return example === undefined ? null : `Add \`${key}: ${example}\`.`;
}
