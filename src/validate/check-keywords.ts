import { ADVICE } from "../diagnostics/advice.js";
import { kindNamed, takesKeyword, type KindName } from "../kinds/kinds.js";
import { kindWords } from "../kinds/property-yaml.js";
import type { Findings } from "./findings.js";
import { isMapping } from "./plain.js";
import { isInItems, type PropertyPlace } from "./property-place.js";

/** Keywords that have no meaning inside an array, and those that have none on the items themselves. */
const NOT_IN_ARRAYS = ["filterable", "sortable", "unique", "immutable"];
const NOT_ON_ITEMS = [
  ...NOT_IN_ARRAYS,
  "readOnly",
  "required",
  "default",
  "deprecated",
  "sensitive",
  "exempt",
];

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
    findings.add("SCH-14", at, { keyword, target }, { suggestion: ADVICE.remove });
  }
  for (const [keyword, suggestion] of Object.entries(kindNamed(kind).demands)) {
    if (!hasKey(yaml, keyword)) missing(keyword, property, findings, suggestion);
  }
  checkNesting(property, findings);
}

/** What the keyword does not apply to, in words; null if it applies. */
function notApplicable(property: PropertyPlace, keyword: string, kind: KindName): string | null {
  if (property.isItem && NOT_ON_ITEMS.includes(keyword)) return "the items of an array";
  const isItemFilter = keyword === "filterable" && isComparedInItems(property);
  if (isInItems(property) && NOT_IN_ARRAYS.includes(keyword) && !isItemFilter) {
    const isSearch = keyword === "filterable" && property.yaml.filterable === "search";
    return isSearch ? "the items of an array as `search`" : "the items of an array";
  }
  if (keyword === "unique" && property.holders.length > 0) return "a property of a nested object";
  if (keyword === "filterable" && holdsObjects(property)) return "an array of objects";
  return takesKeyword(kind, keyword) ? null : kindWords(kind);
}

function holdsObjects({ kind, yaml }: PropertyPlace): boolean {
  const { items } = yaml;
  return kind === "array" && typeof items === "object" && items.type === "object";
}

/** QRY-10: a value that stands in one list is compared; it is not searched. */
function isComparedInItems({ kind, holders, yaml }: PropertyPlace): boolean {
  const lists = holders.filter((holder) => holder.kind === "array");
  return lists.length === 1 && kind !== "array" && yaml.filterable !== "search";
}

function checkMissingType(property: PropertyPlace, findings: Findings): void {
  const written = property.yaml;
  const original = readAt(findings.document.value, property.path);
  const says = ["type", "enum", "reference"].some((key) => hasKey(original, key));
  if (!isMapping(original) || says || written.type !== undefined) return;
  missing("type", property, findings, "Add `type: string`, for example.");
}

function missing(
  key: string,
  { path, name }: PropertyPlace,
  findings: Findings,
  suggestion: string,
): void {
  const given = { key, where: `The property "${name}"` };
  findings.add("SCH-9", { path, part: "key" }, given, { suggestion });
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
