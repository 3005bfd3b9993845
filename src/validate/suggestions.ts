import { didYouMean } from "../diagnostics/advice.js";
import { allKinds } from "../kinds/kinds.js";
import { formMeant } from "../kinds/string/text-forms.js";
import { toDashedName } from "../naming/casing.js";
import { nearest } from "../naming/nearest.js";
import { isMapping } from "./plain.js";

/** Other services' names for our operations and schemes. */
const OTHER_NAMES = {
  get: "read",
  post: "create",
  put: "replace",
  patch: "update",
  remove: "delete",
  jwt: "bearer",
  oauth2: "bearer",
};

/** The same, and other languages' names for our types. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OTHER_NAMES),
  ...allKinds().flatMap(([name, { synonyms }]) =>
    synonyms.map((synonym) => [synonym, name] as const),
  ),
]);

/** Types that are written as a mapping. */
const SHAPES: ReadonlyMap<string, string> = new Map(
  allKinds().flatMap(([name, { synonyms, shape }]) =>
    shape === null ? [] : [name, ...synonyms].map((word) => [word, shape] as const),
  ),
);

/** The allowed value that was most probably meant, as a sentence, or null. */
export function typeSuggestion(value: unknown, allowed: readonly string[]): string | null {
  if (typeof value !== "string" || allowed.length === 0) return null;
  const isType = allowed.includes("timestamp");
  const shape = isType ? typeShape(value, allowed) : null;
  if (shape !== null) return shape;
  if (allowed.includes("true") && /^(?:y|yes|on)$/i.test(value)) return "Write true.";
  const synonym = SYNONYMS.get(value.toLowerCase()) ?? formMeant(value) ?? undefined;
  const isAllowed = synonym !== undefined && allowed.includes(synonym);
  const near = isAllowed ? synonym : nearest(value, allowed);
  if (near !== null) return didYouMean(near);
  const isName = isType && /^[a-z][a-z0-9]*$/.test(value);
  return isName ? `Write { reference: ${value} } if that is a resource.` : null;
}

/** How to write something that looks like a type but is not one of ours. */
function typeShape(value: string, allowed: readonly string[]): string | null {
  const form = formMeant(value);
  if (form !== null) return `Write { type: string, format: ${form} }.`;
  const shape = allowed.includes(value) ? undefined : SHAPES.get(value.toLowerCase());
  if (shape !== undefined) return `Write ${shape}.`;
  const item = /^(.+)\[\]$/.exec(value)?.[1];
  if (item !== undefined) return `Write { type: array, items: ${item} }.`;
  const nullable = /^(.+)\?$/.exec(value)?.[1];
  if (nullable === undefined) return null;
  return `Write ${nullable}: a property may be null unless it says \`required: true\`.`;
}

/** A name of a service near to a text, as a sentence, or null. */
export function nameSuggestion(value: unknown): string | null {
  const name = typeof value === "string" ? toDashedName(value) : null;
  return didYouMean(name);
}

/** How to write a value so that it is read as one of `types`, or null. */
export function valueSuggestion(
  types: readonly string[],
  read: unknown,
  written: string,
): string | null {
  if (types.includes("array") && isScalar(read)) return `Write [${written}].`;
  if (types.includes("object") && Array.isArray(read)) {
    return "Leave the dashes out, and indent what follows: `key: value`.";
  }
  if (types.includes("string")) return textSuggestion(read, written);
  if (typeof read !== "string") return null;
  if (types.includes("boolean") && /^(?:y|yes|on|true)$/i.test(read)) return "Write true.";
  if (types.includes("boolean") && /^(?:n|no|off|false)$/i.test(read)) return "Write false.";
  const numeric = types.includes("integer") || types.includes("number");
  return numeric && /^-?[0-9]+(?:\.[0-9]+)?$/.test(read) ? `Remove the quotes: ${read}.` : null;
}

/** How to write a value that should be a string and was read as something else. */
function textSuggestion(read: unknown, written: string): string | null {
  if (read === null) return "Write a value, or remove it.";
  if (isScalar(read)) return `Put it in quotes: "${written}".`;
  const [[key, value] = [], ...others] = isMapping(read) ? Object.entries(read) : [];
  // `role: admin` in a list is a mapping.
  const isPair = key !== undefined && others.length === 0 && typeof value === "string";
  return isPair ? `Put it in quotes, without the blank: "${key}:${value}".` : null;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}
