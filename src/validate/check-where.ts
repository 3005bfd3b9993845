import { ADVICE, didYouMean } from "../diagnostics/advice.js";
import { nearest, nearestPath } from "../naming/nearest.js";
import { commonFieldMeant } from "../naming/reserved.js";
import { durationMilliseconds } from "../naming/duration.js";
import type { ValueScope } from "../kinds/kind-keywords.js";
import { kindNamed } from "../kinds/kinds.js";
import { kindNameOf } from "../kinds/property-yaml.js";
import type { PathStep } from "../load/source-document.js";
import { mistake, type Mistake } from "../diagnostics/diagnostic.js";
import { shown } from "../diagnostics/quoted.js";
import { isText } from "./check-contradictions.js";
import type { Findings } from "./findings.js";
import { isMapping, mapping } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";
import type { CheckedResource } from "./read-resource.js";
import type { Scope } from "./scope.js";
import { itemsOf, namesOf, type Named } from "./where-names.js";

/** The conditions of an alias or a representation, or the sort of an alias, and where they stand. */
export interface Conditions {
  readonly value: unknown;
  readonly path: readonly PathStep[];
  /** What else to say of a name that is not known. */
  readonly otherName?: (name: string) => string | null;
}

/** Something wrong in a `where` or a `sort`. */
interface WhereMistake {
  /** From the `where` or the `sort`. */
  readonly path: readonly PathStep[];
  readonly part: "key" | "value";
  readonly mistake: Mistake;
  readonly suggestion: string | null;
}

/** The same where a value is held against it. */
interface Subject extends Named {
  readonly scope: ValueScope;
}

const SIZES = ["atLeast", "atMost", "moreThan", "lessThan"];
const WINDOWS = ["within", "withinNext"];
const COMPARISONS = ["not", ...SIZES, ...WINDOWS];

/** Tells every mistake of the conditions of an alias or a representation. */
export function checkWhere(
  where: Conditions,
  properties: readonly PropertyPlace[],
  findings: Findings,
  scope: Scope,
): void {
  const named = namesOf(properties, scope);
  const asked = { ...where, named, scope };
  const found = Object.entries(mapping(where.value)).flatMap(([name, condition]) =>
    isAlternatives(name, condition)
      ? condition.flatMap((one, index) => alternativeMistakes(one, asked, [name, index]))
      : entryMistakes(name, condition, asked, [name]),
  );
  tell(found, where, findings);
}

/** What the entries of a `where` are held against. */
interface Asked extends Pick<Conditions, "otherName"> {
  readonly named: ReadonlyMap<string, Named>;
  readonly scope: Scope;
}

/** A property may be called `any`: a list of its values holds no mappings. */
function isAlternatives(name: string, condition: unknown): condition is readonly unknown[] {
  return name === "any" && Array.isArray(condition) && condition.some(isMapping);
}

function alternativeMistakes(
  alternative: unknown,
  asked: Asked,
  path: readonly PathStep[],
): WhereMistake[] {
  const entries = Object.entries(mapping(alternative));
  if (entries.length === 0) {
    return [refused(path, mistake("SCH-217", {}), "Write { status: open }, for example.")];
  }
  return entries.flatMap(([name, condition]) => {
    const at = [...path, name];
    if (!isAlternatives(name, condition)) return entryMistakes(name, condition, asked, at);
    const found = mistake("SCH-214", {});
    return [{ ...refused(at, found, "Write each of them next to the others."), part: "key" }];
  });
}

function entryMistakes(
  name: string,
  condition: unknown,
  { named, scope, otherName }: Asked,
  path: readonly PathStep[],
): WhereMistake[] {
  if (name === "createdSubject") return mineMistakes(condition, scope, path);
  const property = named.get(name);
  if (property !== undefined) return conditionMistakes(condition, { ...property, scope }, path);
  return [unknownName({ path, part: "key" }, name, named, otherName)];
}

function mineMistakes(
  condition: unknown,
  { authentication }: Scope,
  path: readonly PathStep[],
): WhereMistake[] {
  if (condition !== "mine") {
    return [refused(path, mistake("SCH-215", {}), "Write `createdSubject: mine`.")];
  }
  return authentication === "none" ? [refused(path, mistake("SCH-216", {}))] : [];
}

/** Tells every mistake of a sort: unknown and unsortable names, and names that stand twice. */
export function checkSort(
  sort: Conditions,
  properties: readonly PropertyPlace[],
  findings: Findings,
  scope: Scope,
): void {
  if (!Array.isArray(sort.value)) return;
  const named = namesOf(properties, scope);
  const names = sort.value.map((item: unknown) => String(item).replace(/^-/, ""));
  for (const [index, name] of names.entries()) {
    const property = named.get(name);
    const at = { path: [index], part: "value" } as const;
    if (property === undefined) {
      tell([unknownName(at, name, named, sort.otherName)], sort, findings);
    } else if (!property.sortable) {
      const suggestion = property.isInItems === true ? null : "Add `sortable: true` to it.";
      tell([{ ...at, mistake: mistake("SCH-84", { name }), suggestion }], sort, findings);
    } else if (names.indexOf(name) < index) {
      const suggestion = ADVICE.keepOne;
      tell([{ ...at, mistake: mistake("SCH-85", { name }), suggestion }], sort, findings);
    }
  }
}

/** QRY-8: what `?search=` looks in are texts that the resource shows, each named once. */
export function checkSearch({ value, properties, findings }: CheckedResource, scope: Scope): void {
  const search = { value: value["search"], path: ["search"] };
  // QRY-9: a list with such a filter has no tokens that its pages could say.
  const isTold = mapping(value["paging"])["next"] ?? scope.pagesSayNext;
  const taken = [
    ...(isTold === true ? ["after"] : []),
    ...(search.value === undefined ? [] : ["search"]),
  ];
  for (const { name, yaml, path, holders } of properties) {
    const isFilter = holders.length === 0 && (yaml.filterable ?? false) !== false;
    if (!taken.includes(name) || !isFilter) continue;
    findings.add("SCH-119", { path, part: "key" }, { name }, { suggestion: ADVICE.rename });
  }
  if (!Array.isArray(search.value)) return;
  const named = namesOf(properties, scope);
  for (const [index, item] of search.value.entries()) {
    if (typeof item !== "string") continue;
    const property = named.get(item);
    const at = { path: [index], part: "value" } as const;
    if (property === undefined) {
      const unknown = unknownName(at, item, named);
      const suggestion = unsearched(item, [...named.keys()]) ?? unknown.suggestion;
      tell([{ ...unknown, suggestion }], search, findings);
    } else if (!isText(property.yaml) || property.isUnsearched === true) {
      const advice = "Take it out of `search`.";
      tell([refused([index], mistake("SCH-435", {}), advice)], search, findings);
    }
  }
}

/** What to write instead of a reference, or of what it does not embed; null where a name is mistyped. */
function unsearched(name: string, known: readonly string[]): string | null {
  const [holder = "", member] = name.split(".");
  const within = known.filter((path) => path.startsWith(`${holder}.`));
  if (within.length === 0) return null;
  if (member === undefined)
    return `Write one of ${within.map((path) => `\`${path}\``).join(", ")}.`;
  if (nearest(name, within) !== null) return null;
  return `Add \`embed: [${member}]\` to \`${holder}\`, where that is a reference.`;
}

function tell(found: readonly WhereMistake[], { path }: Conditions, findings: Findings): void {
  for (const { path: inner, part, mistake: one, suggestion } of found) {
    findings.tell(one, { path: [...path, ...inner], part }, { suggestion });
  }
}

function unknownName(
  at: Pick<WhereMistake, "path" | "part">,
  name: string,
  known: ReadonlyMap<string, Named>,
  otherName?: Conditions["otherName"],
): WhereMistake {
  const near = commonFieldFor(name, known) ?? nearestPath(name, [...known.keys()]);
  const suggestion = near === null ? (otherName?.(name) ?? null) : didYouMean(near);
  return { ...at, mistake: mistake("SCH-83", { name }), suggestion };
}

/** `createdDate` for `createdAt`, which other services have. */
function commonFieldFor(name: string, known: ReadonlyMap<string, Named>): string | null {
  const meant = commonFieldMeant(name);
  return meant !== null && known.has(meant) ? meant : null;
}

function conditionMistakes(
  condition: unknown,
  property: Subject,
  path: readonly PathStep[],
): WhereMistake[] {
  if (!isMapping(condition)) return valuesMistakes(condition, property, path);
  const entries = Object.entries(condition);
  if (entries.length === 0) {
    return [refused(path, mistake("SCH-86", {}), "Write { atLeast: 2 }, for example.")];
  }
  return entries.flatMap(([comparison, value]) => {
    const at = [...path, comparison];
    if (comparison === "not") return valuesMistakes(value, property, at);
    if (SIZES.includes(comparison)) return sizeMistakes(value, property, at);
    if (WINDOWS.includes(comparison)) return windowMistakes(value, property, at);
    const near = nearest(comparison, COMPARISONS);
    const suggestion =
      near === null ? `Comparisons are ${COMPARISONS.join(", ")}.` : didYouMean(near);
    const found = mistake("SCH-87", { comparison });
    return [{ ...refused(at, found, suggestion), part: "key" } as const];
  });
}

/** A value, null, or a list of them. */
function valuesMistakes(
  value: unknown,
  property: Subject,
  path: readonly PathStep[],
): WhereMistake[] {
  if (!Array.isArray(value)) return valueMistakes(value, property, path);
  if (value.length === 0) return [refused(path, mistake("SCH-88", {}))];
  return value.flatMap((item: unknown, index) => valueMistakes(item, property, [...path, index]));
}

function valueMistakes(
  value: unknown,
  property: Subject,
  path: readonly PathStep[],
): WhereMistake[] {
  if (value === null) return [];
  const { kind, yaml } = itemOf(property);
  if (value === "today") {
    if (isDate({ kind, yaml })) return [];
    if (kind === "timestamp") {
      return [refused(path, mistake("SCH-437", {}), "Write { atLeast: today, atMost: today }.")];
    }
  }
  const found = kindNamed(kind).valueMistake(value, { yaml, role: "value", scope: property.scope });
  return found === null ? [] : [refused(path, found)];
}

function isDate({ kind, yaml }: Pick<Named, "kind" | "yaml">): boolean {
  return kind === "string" && yaml["format"] === "date";
}

/** An array is compared with what it contains. */
function itemOf({ kind, yaml }: Named): Pick<Named, "kind" | "yaml"> {
  if (kind !== "array") return { kind, yaml };
  const items = itemsOf(yaml);
  return { kind: kindNameOf(items) ?? "string", yaml: items };
}

function sizeMistakes(
  value: unknown,
  property: Subject,
  path: readonly PathStep[],
): WhereMistake[] {
  const comparison = String(path.at(-1));
  if (!kindNamed(property.kind).isOrdered(property.yaml)) {
    return [{ ...refused(path, mistake("SCH-89", { comparison })), part: "key" }];
  }
  if (value === null) {
    return [refused(path, mistake("SCH-90", { comparison }), "Write { not: null } for any value.")];
  }
  const isDay = value === "today" && property.kind === "timestamp";
  return isDay ? [] : valueMistakes(value, property, path);
}

function windowMistakes(
  value: unknown,
  property: Subject,
  path: readonly PathStep[],
): WhereMistake[] {
  const ofDays = isDate(property);
  if (property.kind !== "timestamp" && !ofDays) {
    const comparison = String(path.at(-1));
    return [{ ...refused(path, mistake("SCH-91", { comparison })), part: "key" }];
  }
  const example = ofDays ? "Write 1d or 30d, for example." : "Write 30m, 24h or 7d, for example.";
  if (durationMilliseconds(value) === null) {
    return [refused(path, mistake("SCH-92", { value: shown(value) }), example)];
  }
  if (!ofDays || String(value).endsWith("d")) return [];
  return [refused(path, mistake("SCH-436", { value: shown(value) }), example)];
}

function refused(
  path: readonly PathStep[],
  found: Mistake,
  suggestion: string | null = null,
): WhereMistake {
  return { path, part: "value", mistake: found, suggestion };
}
