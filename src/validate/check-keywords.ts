import type { Findings } from "./findings.js";
import { isMapping } from "./plain.js";
import {
  isInItems,
  kindWords,
  type PropertyKindName,
  type PropertyPlace,
} from "./property-place.js";

const NUMBERS = ["integer", "number", "decimal"] as const;
const SCALARS = ["string", "enum", ...NUMBERS, "boolean", "timestamp", "uuid"] as const;
const REFERENCE = ["reference"] as const;

/** Which kinds a keyword applies to; one that is not listed applies to all. */
const APPLIES: Readonly<Record<string, readonly PropertyKindName[]>> = {
  enum: ["enum"],
  scale: ["decimal"],
  properties: ["object"],
  items: ["array"],
  minItems: ["array"],
  maxItems: ["array"],
  uniqueItems: ["array"],
  minLength: ["string"],
  maxLength: ["string"],
  pattern: ["string"],
  format: ["string"],
  minimum: NUMBERS,
  maximum: NUMBERS,
  exclusiveMinimum: NUMBERS,
  exclusiveMaximum: NUMBERS,
  multipleOf: NUMBERS,
  reference: REFERENCE,
  external: REFERENCE,
  entity: REFERENCE,
  embed: REFERENCE,
  onDelete: REFERENCE,
  disclose: REFERENCE,
  default: SCALARS,
  example: [...SCALARS, "object", "array"],
  filterable: [...SCALARS, "array", "reference"],
  sortable: [...SCALARS, "reference"],
  unique: SCALARS,
};

/** Keywords that have no meaning inside an array, and those that have none on the items themselves. */
const NOT_IN_ARRAYS = ["filterable", "sortable", "unique", "readOnly", "immutable"];
const NOT_ON_ITEMS = [...NOT_IN_ARRAYS, "required", "default", "deprecated", "sensitive"];

/** The keywords of a property: those that its kind must have, and those that it cannot have. */
export function checkKeywords(property: PropertyPlace, findings: Findings): void {
  const { kind, yaml, path } = property;
  if (kind === null) return checkMissingType(property, findings);
  for (const keyword of Object.keys(yaml)) {
    // A flag that is false is the default.
    if (Reflect.get(yaml, keyword) === false && keyword !== "default") continue;
    const target = notApplicable(property, keyword, kind);
    if (target === null) continue;
    const at = { path: [...path, keyword], part: "key" } as const;
    findings.add("SCH-14", at, { keyword, target }, { suggestion: "Remove it." });
  }
  if (kind === "object" && yaml.properties === undefined) missing("properties", property, findings);
  if (kind === "array" && yaml.items === undefined) missing("items", property, findings);
  checkNesting(property, findings);
}

/** What the keyword does not apply to, in words; null if it applies. */
function notApplicable(
  property: PropertyPlace,
  keyword: string,
  kind: PropertyKindName,
): string | null {
  if (property.isItem && NOT_ON_ITEMS.includes(keyword)) return "the items of an array";
  if (isInItems(property) && NOT_IN_ARRAYS.includes(keyword)) return "what stands in an array";
  if (keyword === "unique" && property.holders.length > 0) return "a property of a nested object";
  if (keyword === "filterable" && holdsObjects(property)) return "an array of objects";
  const kinds = APPLIES[keyword];
  return kinds === undefined || kinds.includes(kind) ? null : kindWords(kind);
}

function holdsObjects({ kind, yaml }: PropertyPlace): boolean {
  const { items } = yaml;
  return kind === "array" && typeof items === "object" && items.type === "object";
}

function checkMissingType(property: PropertyPlace, findings: Findings): void {
  const written = property.yaml;
  const original = readAt(findings.document.value, property.path);
  const says = ["type", "enum", "reference"].some((key) => hasKey(original, key));
  if (!isMapping(original) || says || written.type !== undefined) return;
  missing("type", property, findings);
}

function missing(key: string, { path, name }: PropertyPlace, findings: Findings): void {
  const examples: Readonly<Record<string, string>> = {
    type: "Add `type: string`, for example.",
    properties: "Add `properties: { street: string }`, for example.",
    items: "Add `items: string`, for example.",
  };
  const given = { key, where: `The property "${name}"` };
  findings.add("SCH-9", { path, part: "key" }, given, { suggestion: examples[key] ?? null });
}

/** Objects can be nested two levels deep, and an array cannot contain arrays. */
function checkNesting({ path, kind, holders, isItem }: PropertyPlace, findings: Findings): void {
  const at = { path, part: "key" } as const;
  if (kind === "array" && isItem) {
    const suggestion = "Make the items objects that hold the inner array.";
    findings.add("SCH-31", at, {}, { suggestion });
  }
  const outer = holders.filter((holder) => holder.kind === "object").length;
  if (kind === "object" && outer === 2) {
    const suggestion = "Make it a resource of its own.";
    findings.add("SCH-110", at, {}, { suggestion });
  }
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}

function readAt(value: unknown, path: PropertyPlace["path"]): unknown {
  return path.reduce<unknown>(
    (holder, step) =>
      hasKey(holder, String(step)) ? Reflect.get(Object(holder), step) : undefined,
    value,
  );
}
