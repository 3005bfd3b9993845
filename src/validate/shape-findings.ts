import { ADVICE } from "../diagnostics/advice.js";
import { quoted, shown } from "../diagnostics/quoted.js";
import type { PathStep } from "../load/source-document.js";
import type { Plurals } from "../naming/plurals.js";
import type { Findings } from "./findings.js";
import { keySuggestion, missingKeySuggestion } from "./key-suggestions.js";
import { isMapping, own } from "./plain.js";
import type { ShapeError } from "./shape.js";
import { nameSuggestion, typeSuggestion, valueSuggestion } from "./suggestions.js";

/** Reports each error of ajv once, at its place in the file and in the terms of the schema language. */
export function tellShapeErrors(
  errors: readonly ShapeError[],
  findings: Findings,
  plurals: Plurals,
): void {
  const told = new Set<string>();
  for (const error of errors) {
    // A value of the wrong type violates other keywords too, so only the first error is reported.
    const key = error.instancePath + (KEY_KEYWORDS[error.keyword]?.(error) ?? "");
    if (error.keyword === "if" || told.has(key)) continue;
    told.add(key);
    tell(error, findings, plurals);
  }
}

/** The path of a value from ajv's JSON pointer. */
export function pathOf(pointer: string): PathStep[] {
  const steps = pointer.split("/").slice(1);
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Errors about a key of the value rather than the value itself: there can be several. */
const KEY_KEYWORDS: Readonly<Record<string, (error: ShapeError) => string>> = {
  additionalProperties: ({ params }) => `/+${String(params["additionalProperty"])}`,
  required: ({ params }) => `/-${String(params["missingProperty"])}`,
};

function tell(error: ShapeError, findings: Findings, plurals: Plurals): void {
  const path = pathOf(error.instancePath);
  switch (error.keyword) {
    case "additionalProperties":
      return tellUnknownKey(error, path, findings);
    case "required":
      return tellMissingKey(error, path, findings, plurals);
    case "type":
      return tellWrongType(error, path, findings);
    case "maxItems":
    case "maxLength":
    case "maxProperties":
      return tellTooMuch(error, path, findings);
    default:
      return tellNotAllowed(error, path, findings);
  }
}

function tellUnknownKey(error: ShapeError, path: PathStep[], findings: Findings): void {
  const key = String(error.params["additionalProperty"]);
  const known = Object.keys(Object(error.parentSchema["properties"]));
  const suggestion = keySuggestion({ key, path, value: own(error.data, key), known });
  const at = { path: [...path, key], part: "key" } as const;
  findings.add("SCH-7", at, { key, where: capital(whereOf(path)) }, { suggestion });
}

function tellMissingKey(
  error: ShapeError,
  path: PathStep[],
  findings: Findings,
  plurals: Plurals,
): void {
  const key = String(error.params["missingProperty"]);
  const suggestion = missingKeySuggestion(key, findings.document.value, plurals);
  const given = { key, where: capital(whereOf(path)) };
  findings.add("SCH-9", { path, part: "key" }, given, { suggestion });
}

function tellWrongType(error: ShapeError, path: PathStep[], findings: Findings): void {
  const types = [error.params["type"]].flat().map(String);
  const isProperty = error.parentSchema["properties"] !== undefined && isPropertyPath(path);
  const expected = isProperty
    ? "a type, or a mapping of keywords"
    : types.map((type) => TYPE_WORDS[type] ?? type).join(" or ");
  const given = { key: nameOf(path), expected, read: shown(error.data) };
  const isKeyword =
    isProperty && Object.hasOwn(Object(error.parentSchema["properties"]), given.key);
  const suggestion = isKeyword
    ? "If it is a keyword of the property above, indent it further."
    : (listSuggestion(error) ?? valueSuggestion(types, error.data, findings.written({ path })));
  findings.add("SCH-8", { path }, given, { suggestion });
}

/** What a list looks like of which `true` was written; null for anything else. */
function listSuggestion({ data, parentSchema }: ShapeError): string | null {
  const [example] = Object.values(Object(parentSchema["examples"]));
  const isMeant = Array.isArray(example) && typeof data === "boolean";
  return isMeant ? `Write a list, such as [${example.join(", ")}].` : null;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping of keys to values",
};

function tellTooMuch(error: ShapeError, path: PathStep[], findings: Findings): void {
  const [size, unit] = sizeOf(error.data);
  const given = { what: quoted(nameOf(path)), size, limit: Number(error.params["limit"]), unit };
  findings.add("SCH-6", { path, part: "key" }, given);
}

/** How much there is of what has a bound, and of what. */
function sizeOf(value: unknown): readonly [size: number, unit: string] {
  if (Array.isArray(value)) return [value.length, "values"];
  return isMapping(value)
    ? [Object.keys(value).length, "entries"]
    : [[...String(value)].length, "characters"];
}

function tellNotAllowed(error: ShapeError, path: PathStep[], findings: Findings): void {
  const { keyword, params, data } = error;
  const key = nameOf(path);
  const given = { key, value: shown(data) };
  switch (keyword) {
    case "enum":
      return tellUnknownValue(error, path, findings);
    case "minimum":
    case "maximum": {
      const bound = keyword === "minimum" ? "least" : "most";
      return findings.add("SCH-124", { path }, { ...given, bound, limit: Number(params["limit"]) });
    }
    case "minProperties":
    case "minItems":
    case "minLength": {
      // Only a list of `unique` needs more than one entry.
      if (!Array.isArray(data) || data.length === 0)
        return findings.add("SCH-125", { path }, { key });
      const suggestion = `Of one property, write \`unique: true\` at ${JSON.stringify(data[0])}.`;
      const examples = "[merchant, number]";
      return findings.add("SCH-126", { path }, { ...given, examples }, { suggestion });
    }
    case "uniqueItems":
      return tellTwice(error, path, findings);
    default: {
      const suggestion = path.join() === "service" ? nameSuggestion(data) : null;
      return findings.add(
        "SCH-126",
        { path },
        { ...given, examples: examplesOf(error) },
        { suggestion },
      );
    }
  }
}

function tellUnknownValue(error: ShapeError, path: PathStep[], findings: Findings): void {
  const values = [error.parentSchema["enum"]].flat().map(String);
  const given = { key: nameOf(path), value: shown(error.data), allowed: values.join(", ") };
  const suggestion = typeSuggestion(error.data, values);
  findings.add("SCH-10", { path }, given, { suggestion });
}

/** Of two equal items of a list, ajv names the later one first. */
function tellTwice({ params, data }: ShapeError, path: PathStep[], findings: Findings): void {
  const [earlier, later] = [Number(params["i"]), Number(params["j"])].sort((a, b) => a - b);
  const items: readonly unknown[] = Array.isArray(data) ? data : [];
  const first = findings.position({ path: [...path, earlier ?? 0] });
  const given = { value: String(items[later ?? 0]), first };
  const suggestion = ADVICE.keepOne;
  findings.add("SCH-30", { path: [...path, later ?? 0] }, given, { suggestion });
}

/** Valid examples of a string for which our schema has a pattern. */
function examplesOf({ parentSchema }: ShapeError): string {
  return [parentSchema["examples"] ?? "a plain name"].flat().map(String).join(" or ");
}

/** The mapping that a key belongs to, in words. */
function whereOf(path: readonly PathStep[]): string {
  const last = path.at(-1);
  if (last === undefined) return "the file";
  return isPropertyPath(path) ? `the property "${last}"` : `"${nameOf(path)}"`;
}

function isPropertyPath(path: readonly PathStep[]): boolean {
  return path.at(-2) === "properties" || path.at(-1) === "items";
}

/** The key of a value; an item of a list has the key of the list. */
function nameOf(path: readonly PathStep[]): string {
  const names = path.filter((step) => !/^[0-9]+$/.test(String(step)));
  return String(names.at(-1) ?? "the file");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
