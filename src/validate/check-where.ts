import { ADVICE, didYouMean } from "../diagnostics/advice.js";
import { nearest, nearestPath } from "../naming/nearest.js";
import { commonFieldMeant } from "../naming/reserved.js";
import { durationMilliseconds } from "../naming/duration.js";
import type { ValueScope } from "../kinds/kind-keywords.js";
import { kindNamed, type KindName } from "../kinds/kinds.js";
import { kindNameOf, longForm, type PropertyObjectYaml } from "../kinds/property-yaml.js";
import type { PathStep } from "../load/source-document.js";
import { mistake, type Mistake } from "../diagnostics/diagnostic.js";
import { shown } from "../diagnostics/quoted.js";
import type { Findings } from "./findings.js";
import { isMapping, mapping } from "./plain.js";
import { embeddable, referenceIdentifier } from "./neighbours.js";
import { isInItems, type PropertyPlace } from "./property-place.js";
import type { Scope } from "./scope.js";

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

/** What a condition can name: a property, or a date that every entity has. */
interface Named {
  readonly kind: KindName;
  readonly yaml: PropertyObjectYaml;
  readonly sortable: boolean;
}

/** The same where a value is held against it. */
interface Subject extends Named {
  readonly scope: ValueScope;
}

const SIZES = ["atLeast", "atMost", "moreThan", "lessThan"];
const WINDOWS = ["within", "withinNext"];
const COMPARISONS = ["not", ...SIZES, ...WINDOWS];
const TIMESTAMP: Named = { kind: "timestamp", yaml: { type: "timestamp" }, sortable: true };

/** Tells every mistake of the conditions of an alias or a representation. */
export function checkWhere(
  where: Conditions,
  properties: readonly PropertyPlace[],
  findings: Findings,
  scope: Scope,
): void {
  const named = namesOf(properties, scope);
  for (const [path, condition] of Object.entries(mapping(where.value))) {
    const property = named.get(path);
    const found =
      property === undefined
        ? [unknownName({ path: [path], part: "key" }, path, named, where)]
        : conditionMistakes(condition, { ...property, scope }, [path]);
    tell(found, where, findings);
  }
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
      tell([unknownName(at, name, named, sort)], sort, findings);
    } else if (!property.sortable) {
      const suggestion = "Add `sortable: true` to it.";
      tell([{ ...at, mistake: mistake("SCH-84", { name }), suggestion }], sort, findings);
    } else if (names.indexOf(name) < index) {
      const suggestion = ADVICE.keepOne;
      tell([{ ...at, mistake: mistake("SCH-85", { name }), suggestion }], sort, findings);
    }
  }
}

function tell(found: readonly WhereMistake[], { path }: Conditions, findings: Findings): void {
  for (const { path: inner, part, mistake: one, suggestion } of found) {
    findings.tell(one, { path: [...path, ...inner], part }, { suggestion });
  }
}

function namesOf(properties: readonly PropertyPlace[], scope: Scope): Map<string, Named> {
  return new Map<string, Named>([
    ["createdDate", TIMESTAMP],
    ["lastModifiedDate", TIMESTAMP],
    ...properties.flatMap((property) => [...namesIn(property, scope)]),
  ]);
}

function namesIn(property: PropertyPlace, scope: Scope): (readonly [string, Named])[] {
  const { kind, yaml, holders, name, isItem } = property;
  if (isItem || isInItems(property) || kind === null || kind === "object") return [];
  const path = [...holders.map((holder) => holder.name), name].join(".");
  if (kind === "reference") return referenceNames(path, yaml, scope);
  const items = kind === "array" ? itemsOf(yaml) : null;
  // QRY-3: an array of references is compared by their identifiers.
  if (items?.reference !== undefined) {
    const identifiers: Named = {
      kind,
      yaml: { type: "array", items: "uuid" },
      sortable: false,
    };
    return [[`${path}.${identifierOf(items, scope)}`, identifiers]];
  }
  return [[path, { kind, yaml, sortable: yaml.sortable === true }]];
}

/** The identifier of the other, and what is embedded of it (QRY-2). */
function referenceNames(
  path: string,
  yaml: PropertyObjectYaml,
  scope: Scope,
): (readonly [string, Named])[] {
  const sortable = yaml.sortable === true;
  const identifier: Named = { kind: "uuid", yaml: { type: "uuid" }, sortable };
  const embedded = (yaml.embed ?? []).flatMap((name) => {
    const other = embeddable(yaml, name, scope.neighbours);
    if (other === undefined || other.kind === null) return [];
    const named = {
      ...other,
      kind: other.kind,
      sortable: sortable && other.yaml.sortable === true,
    };
    return [[`${path}.${name}`, named] as const];
  });
  return [[`${path}.${identifierOf(yaml, scope)}`, identifier], ...embedded];
}

function identifierOf(yaml: PropertyObjectYaml, { neighbours, plurals }: Scope): string {
  return referenceIdentifier(yaml, neighbours, plurals);
}

function itemsOf({ items = {} }: PropertyObjectYaml): PropertyObjectYaml {
  return longForm(items);
}

function unknownName(
  at: Pick<WhereMistake, "path" | "part">,
  name: string,
  known: ReadonlyMap<string, Named>,
  { otherName }: Conditions,
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
  const found = kindNamed(kind).valueMistake(value, { yaml, role: "value", scope: property.scope });
  return found === null ? [] : [refused(path, found)];
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
  if (!kindNamed(property.kind).isOrdered) {
    return [{ ...refused(path, mistake("SCH-89", { comparison })), part: "key" }];
  }
  if (value === null) {
    return [refused(path, mistake("SCH-90", { comparison }), "Write { not: null } for any value.")];
  }
  return valueMistakes(value, property, path);
}

function windowMistakes(
  value: unknown,
  property: Subject,
  path: readonly PathStep[],
): WhereMistake[] {
  if (property.kind !== "timestamp") {
    const comparison = String(path.at(-1));
    return [{ ...refused(path, mistake("SCH-91", { comparison })), part: "key" }];
  }
  if (durationMilliseconds(value) !== null) return [];
  const found = mistake("SCH-92", { value: shown(value) });
  return [refused(path, found, "Write 30m, 24h or 7d, for example.")];
}

function refused(
  path: readonly PathStep[],
  found: Mistake,
  suggestion: string | null = null,
): WhereMistake {
  return { path, part: "value", mistake: found, suggestion };
}
