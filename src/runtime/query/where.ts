import { Problem } from "../input/reader.js";
import { CREATOR, subjectFilter } from "./conditions.js";
import type { FilterValue, ParameterFilter } from "./filters.js";
import type { Comparison, Filter, ValueFilter } from "./query.js";

export type Among<Value> = Value | null | readonly (Value | null)[];

/** Comparisons in the words of a schema's `where`; all of them must hold. */
export interface Comparisons<Value> {
  readonly not?: Among<Value>;
  readonly atLeast?: Value;
  readonly atMost?: Value;
  readonly moreThan?: Value;
  readonly lessThan?: Value;
}

/** An array is compared with the items that it contains. */
type Compared<Value> = [Value] extends [readonly (infer Item)[]]
  ? Among<Item> | { readonly not: Among<Item> }
  : Among<Value> | Comparisons<Value>;

/**
 * Conditions by path, in the words of a schema's `where`; all of them must hold, and under `any` one of several. Paths
 * are the stored ones.
 */
export type Where<Paths> = { readonly [Path in keyof Paths]?: Compared<Paths[Path]> } & {
  /** Entities that the caller has created. */
  readonly createdSubject?: "mine";
  readonly any?: readonly Where<Paths>[];
};

/** The filter of each path. Its `read` turns text into a value. */
export type PathFilters<Paths> = { readonly [Path in keyof Paths]: ParameterFilter };

type ReportFault = (fault: string) => void;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  not: "noneOf",
  atLeast: "atLeast",
  atMost: "atMost",
  moreThan: "moreThan",
  lessThan: "lessThan",
};

/**
 * Turns conditions of custom code into filters. A value that the property cannot hold is reported, and matches nothing. An
 * undefined value or an unknown path throws: without that condition, every entity would match.
 */
export function whereFilters<Paths>(
  where: Where<Paths>,
  paths: PathFilters<Paths>,
  subjectId: string,
  report: ReportFault,
): readonly Filter[] {
  if (!isPlain(where)) throw new Error("Conditions must be an object of properties and values.");
  return Object.entries(where).flatMap(([path, compared]): readonly Filter[] => {
    if (compared === undefined) throw new Error(`"${path}" is compared with undefined.`);
    if (path === "any") {
      // By the type of `Where`.
      const alternatives = compared as readonly Where<Paths>[];
      return [{ any: alternatives.map((one) => whereFilters(one, paths, subjectId, report)) }];
    }
    if (path === "createdSubject") return [subjectFilter(CREATOR, subjectId)];
    const filter: unknown = Object.hasOwn(paths, path) ? Reflect.get(paths, path) : undefined;
    if (filter === undefined) throw new Error(`Nothing can be compared with "${path}".`);
    return pathFilters(path, compared, { filter: filter as ParameterFilter, report });
  });
}

/** Types do not hold custom code at run time: a promise or an array would have no conditions that are seen. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

interface Reading {
  readonly filter: ParameterFilter;
  readonly report: ReportFault;
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

function read(
  path: string,
  { comparison, compared }: { readonly comparison: Comparison; readonly compared: unknown },
  { filter: { read: readText, contains }, report }: Reading,
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
    report(`"${path}" ${known.message}.`);
    return [];
  });
  // A comparison with no value left would match everything.
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
