import { Problem } from "../input/problem.js";
import type { Among, Comparisons } from "./comparisons.js";
import type { FilterValue, ParameterFilter } from "./filters.js";
import type { Comparison, Filter, ValueFilter } from "./query.js";
import { CREATOR, subjectFilter } from "./subject-filter.js";

/** What a property is compared with; an array with what it contains. */
export type Compared<Value> = [Value] extends [readonly (infer Item)[]]
  ? Among<Item> | { readonly not: Among<Item> }
  : Among<Value> | Comparisons<Value>;

/**
 * Conditions by path, in the words of a schema's `where`; all of them must hold, and under `any` one of several. Paths
 * are those of what is stored.
 */
export type Where<Paths> = { readonly [Path in keyof Paths]?: Compared<Paths[Path]> } & {
  /** What the caller has created. */
  readonly createdSubject?: "mine";
  readonly any?: readonly Where<Paths>[];
};

/** How the values of each path are read. */
export type PathFilters<Paths> = { readonly [Path in keyof Paths]: ParameterFilter };

/** Is told what is wrong with a value. */
type Tell = (fault: string) => void;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  not: "noneOf",
  atLeast: "atLeast",
  atMost: "atMost",
  moreThan: "moreThan",
  lessThan: "lessThan",
};

/**
 * The filters that conditions come to for a subject. A value that a property cannot hold is told, and matches nothing. Throws
 * where what is compared, or compared with, is not there: what is left out would leave everything.
 */
export function whereFilters<Paths>(
  where: Where<Paths>,
  paths: PathFilters<Paths>,
  subjectId: string,
  tell: Tell,
): readonly Filter[] {
  if (!isPlain(where)) throw new Error("Conditions must be an object of properties and values.");
  return Object.entries(where).flatMap(([path, compared]): readonly Filter[] => {
    if (compared === undefined) throw new Error(`"${path}" is compared with undefined.`);
    if (path === "any") {
      // The type says so of this name.
      const alternatives = compared as readonly Where<Paths>[];
      return [{ any: alternatives.map((one) => whereFilters(one, paths, subjectId, tell)) }];
    }
    if (path === "createdSubject") return [subjectFilter(CREATOR, subjectId)];
    const filter: unknown = Object.hasOwn(paths, path) ? Reflect.get(paths, path) : undefined;
    if (filter === undefined) throw new Error(`Nothing can be compared with "${path}".`);
    return pathFilters(path, compared, { filter: filter as ParameterFilter, tell });
  });
}

/** Own code is not held to its types when it runs: a promise or a list has no conditions in it that would be seen. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** How the values of a path are read, and who is told of one that it cannot hold. */
interface Reading {
  readonly filter: ParameterFilter;
  readonly tell: Tell;
}

function pathFilters(path: string, compared: unknown, reading: Reading): ValueFilter[] {
  const isList = Array.isArray(compared);
  if (isList || typeof compared !== "object" || compared === null) {
    return [read(path, { comparison: "anyOf", compared }, reading)];
  }
  if (!isPlain(compared)) throw new Error(`"${path}" is compared with an object.`);
  return Object.entries(compared).flatMap(([name, bound]: [string, unknown]) => {
    if (bound === undefined) throw new Error(`"${path}" is compared with undefined.`);
    const comparison = Object.hasOwn(COMPARISONS, name) ? COMPARISONS[name] : undefined;
    if (comparison === undefined) throw new Error(`"${name}" does not compare "${path}".`);
    return [read(path, { comparison, compared: bound }, reading)];
  });
}

/** Values are read as the parameters of a list are: only what a property can hold is looked for. */
function read(
  path: string,
  { comparison, compared }: { readonly comparison: Comparison; readonly compared: unknown },
  { filter: { read: readText, contains }, tell }: Reading,
): ValueFilter {
  const all: readonly unknown[] = Array.isArray(compared) ? compared : [compared];
  const isSize = comparison !== "anyOf" && comparison !== "noneOf";
  if (isSize && (contains || Array.isArray(compared) || compared === null)) {
    throw new Error(`"${path}" cannot be compared by size with ${JSON.stringify(compared)}.`);
  }
  const given = all.filter((value) => value !== null && value !== "");
  const values = given.flatMap((value): FilterValue[] => {
    const known = readText(String(value));
    if (!(known instanceof Problem)) return [known];
    tell(`"${path}" ${known.message}.`);
    return [];
  });
  // What nothing is compared with would leave everything.
  if (comparison !== "anyOf" && values.length < given.length) return valueFilter(path, [], "anyOf");
  const orNull = given.length < all.length;
  return { ...valueFilter(path, values, comparison), contains, orNull };
}

function valueFilter(
  path: string,
  values: readonly FilterValue[],
  comparison: Comparison,
): ValueFilter {
  return { path, contains: false, values, orNull: false, comparison };
}
