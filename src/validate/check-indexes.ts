import { ADVICE, didYouMean } from "../diagnostics/advice.js";
import type { PathStep } from "../load/source-document.js";
import { COMMON_FIELDS } from "../naming/reserved.js";
import { nearest } from "../naming/nearest.js";
import { longest, UNIQUE_CHARACTERS } from "./check-contradictions.js";
import type { Findings } from "./findings.js";
import type { Mapping } from "./plain.js";
import { isInItems, type PropertyPlace } from "./property-place.js";
import type { CheckedResource } from "./read-resource.js";

/** One list of `indexes` or of `unique`, and where it stands. */
interface Listed {
  readonly key: "indexes" | "unique";
  /** Without the sign of a descending one; "" for what is not a name, which has been told. */
  readonly names: readonly string[];
  readonly path: readonly PathStep[];
}

/** What such a list can name, by its path; null: a common field. */
type Known = ReadonlyMap<string, PropertyPlace | null>;

/** The lists of properties that have an index: each names single values of the resource, once, and not too long ones. */
export function checkIndexes({ value, properties, findings }: CheckedResource): void {
  const unique = knownOf(properties);
  const common = COMMON_FIELDS.map((name) => [name, null] as const);
  const known = { unique, indexes: new Map([...common, ...unique]) };
  for (const key of ["indexes", "unique"] as const) checkTwice(value[key], key, findings);
  for (const listed of [...listsOf(value, "indexes"), ...listsOf(value, "unique")]) {
    checkNames(listed, known[listed.key], findings);
    checkLength(listed, known[listed.key], findings);
  }
}

function checkTwice(lists: unknown, key: Listed["key"], findings: Findings): void {
  const texts = Array.isArray(lists)
    ? lists.map((list) => `[${String(list).replaceAll(",", ", ")}]`)
    : [];
  for (const [index, text] of texts.entries()) {
    const earlier = texts.indexOf(text);
    if (earlier === index) continue;
    const first = findings.position({ path: [key, earlier] });
    const suggestion = ADVICE.keepOne;
    findings.add("SCH-30", { path: [key, index] }, { value: text, first }, { suggestion });
  }
}

function listsOf(value: Mapping, key: Listed["key"]): Listed[] {
  const lists: unknown = value[key];
  if (!Array.isArray(lists)) return [];
  return lists.flatMap((list: unknown, index): Listed[] => {
    if (!Array.isArray(list)) return [];
    const names = list.map((name: unknown) => (typeof name === "string" ? name : ""));
    const plain = key === "indexes" ? names.map((name) => name.replace(/^-/, "")) : names;
    return [{ key, names: plain, path: [key, index] }];
  });
}

function knownOf(properties: readonly PropertyPlace[]): Known {
  const own = properties
    .filter((property) => !property.isItem && !isInItems(property))
    .map((property) => {
      const names = [...property.holders.map(({ name }) => name), property.name];
      return [names.join("."), property] as const;
    });
  return new Map(own);
}

function checkNames({ key, names, path }: Listed, known: Known, findings: Findings): void {
  for (const [index, name] of names.entries()) {
    const at = { path: [...path, index] };
    const property = known.get(name);
    if (name === "") continue;
    if (property === undefined) {
      const meant = referenceIn(name, known) ?? nearest(name, [...known.keys()]);
      findings.add("SCH-211", at, { key, name }, { suggestion: didYouMean(meant) });
    } else if (property?.kind === "array" || property?.kind === "object") {
      findings.add("SCH-212", at, { name });
    } else if (names.indexOf(name) < index) {
      findings.add("SCH-218", at, { name }, { suggestion: ADVICE.keepOne });
    } else if (key === "unique" && property !== null) checkUnique(property, name, at, findings);
  }
}

/** `merchant.merchantId` is `merchant` here. */
function referenceIn(name: string, known: Known): string | null {
  const [first = ""] = name.split(".");
  return known.get(first)?.kind === "reference" ? first : null;
}

function checkUnique(
  { holders, yaml }: PropertyPlace,
  name: string,
  at: { readonly path: readonly PathStep[] },
  findings: Findings,
): void {
  if (holders.length > 0) findings.add("SCH-221", at, { name });
  else if (yaml.unique === true) {
    findings.add("SCH-220", at, { name }, { suggestion: ADVICE.removeOne });
  }
}

/** PostgreSQL could not store what is longer than an entry of its indexes. */
function checkLength({ names, path }: Listed, known: Known, findings: Findings): void {
  const characters = names.reduce((sum, name) => {
    const property = known.get(name);
    return property?.kind === "string" ? sum + longest(property) : sum;
  }, 0);
  if (characters <= UNIQUE_CHARACTERS) return;
  const shown = Number.isFinite(characters) ? String(characters) : "any number of";
  const suggestion = "Add `maxLength: 100` to them, for example.";
  findings.add("SCH-219", { path }, { characters: shown, most: UNIQUE_CHARACTERS }, { suggestion });
}
