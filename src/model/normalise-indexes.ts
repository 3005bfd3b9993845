import type { PropertyModel } from "../kinds/property-model.js";
import type { ResourceYaml } from "../validate/resource-document.js";
import type { ConditionModel, PathCondition } from "./alias-model.js";
import { CREATOR } from "./common-leaves.js";
import type { DeclaredEntity, DeclaredResource } from "./declared.js";
import type { IndexKey, IndexModel } from "./entity-model.js";
import { leavesOf } from "./leaves.js";

/** What a list of `indexes` names, and where it is kept. */
const SUBJECTS: Readonly<Record<string, string>> = {
  createdSubject: CREATOR,
  lastModifiedSubject: "lastModifiedSubject.subjectId",
};

const DATES = ["createdDate", "lastModifiedDate"];

/** The indexes that a schema declares; a reference is its identifier. */
export function declaredIndexes(
  { indexes = [] }: Pick<ResourceYaml, "indexes">,
  properties: readonly PropertyModel[],
): IndexModel[] {
  return indexes.map((names) =>
    names.map((name) => {
      const plain = name.replace(/^-/, "");
      const { type } = properties.find((property) => property.name === plain) ?? {};
      const path = type?.kind === "reference" ? type.identifier.path : (SUBJECTS[plain] ?? plain);
      return { path, descending: name.startsWith("-") };
    }),
  );
}

/** The indexes of an entity: those that are declared, of aliases, and of the conditions of representations (ALI-1, REP-7). */
export function indexesOf(
  { properties, indexes }: Pick<DeclaredEntity, "properties" | "indexes">,
  resources: readonly DeclaredResource[],
): IndexModel[] {
  const kept = keptPaths(properties);
  const searches = resources.flatMap(({ conditions, aliases }) =>
    [{ conditions: [], sort: [] }, ...aliases].map((search) =>
      searchKeys([...conditions, ...search.conditions], search.sort).filter(({ path }) =>
        kept.has(path),
      ),
    ),
  );
  const all = [...indexes, ...searches].filter((keys) => keys.length > 0);
  return [...new Map(all.map((keys) => [JSON.stringify(keys), keys])).values()];
}

/**
 * Equal values first, so that the sort is the order of what is left. A window goes before the sort, since it is
 * narrow; what may hold for most entities goes behind it, where rows are told apart without being read.
 */
function searchKeys(
  conditions: readonly ConditionModel[],
  sort: DeclaredResource["aliases"][number]["sort"],
): IndexKey[] {
  const own = conditions.flatMap((condition) => (condition.kind === "any" ? [] : [condition]));
  const order = sort.map(({ storedPath, descending }) => ({ path: storedPath, descending }));
  const ascending = (chosen: readonly PathCondition[]): IndexKey[] =>
    chosen.map(({ path }) => ({ path, descending: false }));
  const sorted = order[0]?.path;
  const windows = own.filter((one) => isWindow(one, own) && one.path !== sorted);
  return distinct([
    ...ascending(own.filter(isOneValue)),
    ...ascending(windows),
    ...order,
    ...ascending(own.filter((condition) => !isOneValue(condition))),
  ]);
}

/** A window of days is two comparisons with the same property. */
function isWindow(condition: PathCondition, own: readonly PathCondition[]): boolean {
  if (condition.kind !== "comparison") return condition.kind === "window";
  const both = own.filter(({ path }) => path === condition.path);
  return condition.relative !== null && both.length > 1;
}

/** Whether all that a condition finds has the same value. */
function isOneValue(condition: PathCondition): boolean {
  if (condition.kind !== "comparison") return condition.kind === "mine";
  const { comparison, values, orNull, relative } = condition;
  const all = [...values, ...(relative?.days ?? []), ...(orNull ? [null] : [])];
  return comparison === "anyOf" && all.length === 1;
}

function distinct(keys: readonly IndexKey[]): IndexKey[] {
  return keys.filter(({ path }, index) => keys.findIndex((key) => key.path === path) === index);
}

/** The paths of single values in the entity's own table: what is embedded stands in another's. */
function keptPaths(properties: readonly PropertyModel[]): ReadonlySet<string> {
  const own = properties.flatMap((property) => {
    const { kind } = property.type;
    if (kind === "array") return [];
    const leaves = leavesOf([property]);
    // The first leaf of a reference is its identifier.
    return kind === "reference" ? leaves.slice(0, 1) : leaves;
  });
  const paths = own.filter(({ type }) => type.kind !== "array").map(({ path }) => path);
  return new Set([...paths, ...DATES, ...Object.values(SUBJECTS)]);
}
