import { nearest } from "../naming/nearest.js";
import { durationMilliseconds } from "../naming/duration.js";
import type { PathStep } from "../load/source-document.js";
import { isMapping, mapping } from "./plain.js";
import { embeddable, referenceIdentifier } from "./neighbours.js";
import { isInItems, kindOf, type PropertyKindName, type PropertyPlace } from "./property-place.js";
import type { PropertyObjectYaml } from "./resource-document.js";
import type { Scope } from "./scope.js";
import { valueProblem } from "./value-problem.js";

/** Something wrong in a `where` or a `sort`. */
export interface WhereProblem {
  /** From the `where` or the `sort`. */
  readonly path: readonly PathStep[];
  readonly part: "key" | "value";
  readonly problem: string;
  readonly suggestion: string | null;
}

/** What a condition can name: a property, or a date that every entity has. */
interface Named {
  readonly kind: PropertyKindName;
  readonly yaml: PropertyObjectYaml;
  readonly sortable: boolean;
}

const SIZES = ["atLeast", "atMost", "moreThan", "lessThan"];
const WINDOWS = ["within", "withinNext"];
const COMPARISONS = ["not", ...SIZES, ...WINDOWS];
const ORDERED = new Set<PropertyKindName>(["integer", "number", "decimal", "timestamp"]);
const TIMESTAMP: Named = { kind: "timestamp", yaml: { type: "timestamp" }, sortable: true };

/** Finds every mistake of the conditions of an alias or a representation. */
export function whereProblems(
  where: unknown,
  properties: readonly PropertyPlace[],
  scope: Scope,
): WhereProblem[] {
  const named = namesOf(properties, scope);
  return Object.entries(mapping(where)).flatMap(([path, condition]) => {
    const property = named.get(path);
    if (property === undefined) return [unknownName(path, [path], "key", [...named.keys()])];
    return conditionProblems(condition, property, [path]);
  });
}

/** Finds every mistake of a sort: unknown and unsortable names, and names that stand twice. */
export function sortProblems(
  sort: unknown,
  properties: readonly PropertyPlace[],
  scope: Scope,
): WhereProblem[] {
  if (!Array.isArray(sort)) return [];
  const named = namesOf(properties, scope);
  const names = sort.map((item: unknown) => String(item).replace(/^-/, ""));
  return names.flatMap((name, index) => {
    const property = named.get(name);
    const at = { path: [index], part: "value", suggestion: null } as const;
    if (property === undefined) return [unknownName(name, [index], "value", [...named.keys()])];
    if (!property.sortable) {
      const suggestion = "Add `sortable: true` to it.";
      return [{ ...at, problem: `"${name}" is not sortable`, suggestion }];
    }
    return names.indexOf(name) < index ? [{ ...at, problem: `"${name}" is named twice` }] : [];
  });
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
  return typeof items === "string" ? { type: items } : items;
}

function unknownName(
  name: string,
  path: readonly PathStep[],
  part: "key" | "value",
  known: readonly string[],
): WhereProblem {
  const near = nearest(name, known);
  const suggestion = near === null ? null : `Did you mean "${near}"?`;
  return {
    path,
    part,
    problem: `there is no property "${name}" with a value of its own`,
    suggestion,
  };
}

function conditionProblems(
  condition: unknown,
  property: Named,
  path: readonly PathStep[],
): WhereProblem[] {
  if (!isMapping(condition)) return valuesProblems(condition, property, path);
  const entries = Object.entries(condition);
  if (entries.length === 0) return [refused(path, "the comparison is empty")];
  return entries.flatMap(([comparison, value]) => {
    const at = [...path, comparison];
    if (comparison === "not") return valuesProblems(value, property, at);
    if (SIZES.includes(comparison)) return sizeProblems(value, property, at);
    if (WINDOWS.includes(comparison)) return windowProblems(value, property, at);
    const near = nearest(comparison, COMPARISONS);
    const suggestion =
      near === null ? `Comparisons are ${COMPARISONS.join(", ")}.` : `Did you mean "${near}"?`;
    const problem = `there is no comparison "${comparison}"`;
    return [{ path: at, part: "key", problem, suggestion } as const];
  });
}

/** A value, null, or a list of them. */
function valuesProblems(
  value: unknown,
  property: Named,
  path: readonly PathStep[],
): WhereProblem[] {
  if (!Array.isArray(value)) return valueProblems(value, property, path);
  if (value.length === 0) return [refused(path, "the list is empty, so that nothing can match")];
  return value.flatMap((item: unknown, index) => valueProblems(item, property, [...path, index]));
}

function valueProblems(value: unknown, property: Named, path: readonly PathStep[]): WhereProblem[] {
  if (value === null) return [];
  const { kind, yaml } = itemOf(property);
  const problem = valueProblem(value, kind, yaml);
  return problem === null ? [] : [refused(path, problem)];
}

/** An array is compared with what it contains. */
function itemOf({ kind, yaml }: Named): Pick<Named, "kind" | "yaml"> {
  if (kind !== "array") return { kind, yaml };
  const items = itemsOf(yaml);
  return { kind: kindOf(items) ?? "string", yaml: items };
}

function sizeProblems(value: unknown, property: Named, path: readonly PathStep[]): WhereProblem[] {
  if (!ORDERED.has(property.kind)) {
    return [refused(path, "only numbers and times are larger or smaller than others", "key")];
  }
  if (value === null) return [refused(path, "null is neither larger nor smaller than anything")];
  return valueProblems(value, property, path);
}

function windowProblems(
  value: unknown,
  property: Named,
  path: readonly PathStep[],
): WhereProblem[] {
  if (property.kind !== "timestamp") {
    return [refused(path, "only a timestamp is within a time from now", "key")];
  }
  if (durationMilliseconds(value) !== null) return [];
  const problem = "this is no duration of at most ten years";
  return [{ ...refused(path, problem), suggestion: "Write 30m, 24h or 7d, for example." }];
}

function refused(
  path: readonly PathStep[],
  problem: string,
  part: "key" | "value" = "value",
): WhereProblem {
  return { path, part, problem, suggestion: null };
}
