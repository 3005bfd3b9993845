import { nearest } from "../base/nearest.js";
import { truncate } from "../base/truncate.js";
import { Report } from "../input/report.js";
import type { FilterValue, ParameterFilter } from "./filters.js";
import type { PageKeys } from "./page.js";
import { parseParameters, type Parameters } from "./parameters.js";
import { range, search } from "./range-filter.js";
import { readFilters, withinEntity } from "./read-filters.js";
import { unsearchable } from "./search-text.js";

/** What a collection can be asked for. */
export interface CollectionQuery {
  /** By dotted path: every filterable property (QRY-1). */
  readonly filters: Readonly<Record<string, ParameterFilter>>;
  /** Every sortable property; `createdDate` and `lastModifiedDate` need not be named (QRY-4). */
  readonly sorts: readonly string[];
  /** Paths that are other ones in the store (REP-7); left out: all of them are the same there. */
  readonly stored?: Readonly<Record<string, string>>;
  /** What is shown instead of stored values, by path; left out: all are shown as they are stored (VER-2). */
  readonly instead?: Readonly<Record<string, Substitutes>>;
  readonly paging: {
    readonly defaultSize: number;
    readonly maximumSize: number;
    /** True: the envelope says what follows (QRY-9). */
    readonly next?: boolean;
  };
  /** COL-2: false leaves the exact count out. */
  readonly counted: boolean;
  /** The paths in the store of what `search` looks in, the foremost first; left out: there is no such parameter (QRY-8). */
  readonly search?: readonly string[];
}

/** What a list offers for one property (QRY-1, QRY-3, QRY-4). */
export interface QueriedProperty {
  /** True for equality; `range` for bounds, and `search` for parts of texts, as well; a filter where the table has none that fits what is shown. */
  readonly filterable?: true | "range" | "search" | ParameterFilter;
  readonly sortable?: true;
  /** Its path in the store, where that is another one (REP-7). */
  readonly stored?: string;
  /** What is shown instead of stored values (VER-2). */
  readonly instead?: Substitutes;
}

/** The part of a table that says how values are compared with what it holds. */
interface FilteredTable {
  readonly columns: Readonly<Record<string, { readonly filter?: ParameterFilter }>>;
  readonly commonFilters?: Readonly<Record<string, ParameterFilter>>;
}

/** What a collection of the entities of `table` can be asked for; throws where the table has no filter for a property. */
export function collectionQuery(
  { columns, commonFilters = {} }: FilteredTable,
  offered: Pick<CollectionQuery, "paging" | "counted" | "search"> & {
    readonly properties: Readonly<Record<string, QueriedProperty>>;
  },
): CollectionQuery {
  const { properties, ...rest } = offered;
  const entries = Object.entries(properties);
  const filterOf = (path: string, { filterable, stored = path }: QueriedProperty) => {
    if (typeof filterable === "object") return filterable;
    const filter = columns[stored]?.filter ?? commonFilters[stored];
    if (filter === undefined) throw new Error(`the table has no filter for ${stored}`);
    if (filterable === "search") return search(filter);
    return filterable === "range" ? range(filter) : filter;
  };
  const those = <T>(valueOf: (property: QueriedProperty, path: string) => T | undefined) =>
    Object.fromEntries(
      entries.flatMap(([path, property]) => {
        const value = valueOf(property, path);
        return value === undefined ? [] : [[path, value]];
      }),
    );
  const stored = those((property) => property.stored);
  const instead = those((property) => property.instead);
  return {
    ...rest,
    filters: those((one, path) => (one.filterable === undefined ? undefined : filterOf(path, one))),
    sorts: entries.filter(([, { sortable }]) => sortable).map(([path]) => path),
    ...(Object.keys(stored).length > 0 && { stored }),
    ...(Object.keys(instead).length > 0 && { instead }),
  };
}

/** Stored values of an enum, each with the one that is shown instead. */
export type Substitutes = Readonly<Record<string, string>>;

/** What must hold of an entity. */
export type Filter = ValueFilter | AnyFilter | ParentFilter | SpreadFilter;

/** A search in several properties: each word of the text is in one of them (QRY-8). */
export interface SpreadFilter {
  readonly paths: readonly string[];
  readonly text: string;
}

/** Alternatives: all filters of at least one of them hold. */
export interface AnyFilter {
  readonly any: readonly (readonly Filter[])[];
}

/** What must hold of the parent of an entity (AUT-2). */
export interface ParentFilter {
  readonly parent: readonly Filter[];
}

/** Any of the values, or null (for an array `[]`) where an empty value was given (QRY-3). */
export interface ValueFilter {
  readonly path: string;
  /** True for an array, which must contain one of the values. */
  readonly contains: boolean;
  readonly values: readonly FilterValue[];
  readonly orNull: boolean;
  /** Left out: `anyOf`. Those of size have one value; those of a search are texts as they were given. */
  readonly comparison?: Comparison;
}

/** How a property is compared with the values of a filter. */
export type Comparison =
  "anyOf" | "noneOf" | "atLeast" | "atMost" | "moreThan" | "lessThan" | SearchComparison;

/** How a text is searched (QRY-7). */
export type SearchComparison = "contains" | "startsWith";

/** One property that a list is sorted by. */
export interface SortKey {
  readonly path: string;
  readonly descending: boolean;
  /** Values that stand where the one stands that is shown instead (VER-2); left out: none do. */
  readonly instead?: Substitutes;
}

/** What was asked of a collection; all filters must hold (QRY-3). */
export interface ListQuery {
  readonly filters: readonly Filter[];
  readonly sort: readonly SortKey[];
  /** From 1 on (QRY-5). */
  readonly pageNumber: number;
  /** The page begins after these keys, whatever its number (QRY-9); left out: it has a number. */
  readonly after?: PageKeys;
  readonly pageSize: number;
  /** Up to this size a page is never refused for its bytes (LIM-1). */
  readonly defaultSize: number;
  readonly counted: boolean;
  /** Of own code, which cannot go on from a smaller page than it has asked for. */
  readonly isOwnCodes?: boolean;
}

/** What a request asked of it: each parameter compares one property, but for `search`. */
export interface ReadQuery extends ListQuery {
  /** Null: a page is asked for by its number (QRY-9). */
  readonly token: string | null;
  readonly filters: readonly (ValueFilter | SpreadFilter)[];
}

const ALWAYS_SORTABLE = ["createdDate", "lastModifiedDate"];
const PAGING = ["sort", "pageSize", "pageNumber", "after"];
// The number of skipped rows stays a safe integer for every page size.
const LAST_PAGE = 2_147_483_647;
const WHOLE_NUMBER = /^-?(?:0|[1-9]\d*)$/;

/**
 * Reads a query string (without the `?`) against what the collection offers. Throws `validationFailed`
 * that names each offending parameter (QRY-6).
 */
export function parseListQuery(search: string, collection: CollectionQuery): ReadQuery {
  const { paging, counted, search: searched, stored = NOTHING, instead = NOTHING } = collection;
  const { defaultSize } = paging;
  if (search === "") {
    const paging = { pageNumber: 1, pageSize: defaultSize, defaultSize, token: null };
    return { filters: [], sort: [], counted, ...paging };
  }
  const report = new Report();
  const parameters = parseParameters(search, report);
  const query: ReadQuery = {
    filters: [
      ...readFilters(parameters, collection, [...PAGING, ...(searched ? ["search"] : [])], report),
      ...readSpread(parameters, searched, report),
    ],
    sort: readSort(parameters, collection, report),
    pageNumber: readCount("pageNumber", parameters, LAST_PAGE, report) ?? 1,
    pageSize: readCount("pageSize", parameters, paging.maximumSize, report) ?? defaultSize,
    defaultSize,
    counted,
    token: hasTokens(collection) ? readToken(parameters, report) : null,
  };
  report.throwIfAny();
  return stored === NOTHING && instead === NOTHING ? query : asStored(query, stored, instead);
}

const NOTHING = {};

/** The same query by the paths and the values of the store, where those differ (REP-7, VER-2). */
function asStored(
  query: ReadQuery,
  stored: Readonly<Record<string, string>>,
  instead: Readonly<Record<string, Substitutes>>,
): ReadQuery {
  const pathOf = (path: string): string => stored[path] ?? path;
  return {
    ...query,
    filters: query.filters.map((filter) =>
      "paths" in filter
        ? filter
        : {
            ...filter,
            path: pathOf(filter.path),
            values: withMeant(filter.values, instead[filter.path]),
          },
    ),
    sort: query.sort.map((key) => {
      const others = instead[key.path];
      return { ...key, path: pathOf(key.path), ...(others !== undefined && { instead: others }) };
    }),
  };
}

/** The values, and all that are shown as one of them. */
function withMeant(
  values: readonly FilterValue[],
  instead: Substitutes | undefined,
): readonly FilterValue[] {
  if (instead === undefined) return values;
  const meant = Object.keys(instead).filter((stored) => values.includes(instead[stored] ?? stored));
  return [...values, ...meant];
}

function readSpread(
  parameters: Parameters,
  paths: CollectionQuery["search"],
  report: Report,
): SpreadFilter[] {
  const text = paths === undefined ? null : readOnce("search", parameters, report);
  if (paths === undefined || text === null) return [];
  const issue = unsearchable(text, "contains");
  if (issue !== null) report.add("search", issue);
  return [{ paths, text }];
}

function readSort(parameters: Parameters, { sorts }: CollectionQuery, report: Report): SortKey[] {
  const text = readOnce("sort", parameters, report);
  if (text === null) return [];
  const keys: SortKey[] = [];
  for (const item of text.split(",", sorts.length + ALWAYS_SORTABLE.length + 1)) {
    const descending = item.startsWith("-");
    const path = descending ? item.slice(1) : item;
    const issue = sortIssue(path, keys, sorts);
    if (issue !== null) {
      report.add("sort", issue);
      return [];
    }
    keys.push({ path, descending });
  }
  return keys;
}

function sortIssue(
  path: string,
  earlier: readonly SortKey[],
  sorts: readonly string[],
): string | null {
  if (path === "") return "must be names separated by commas, each with at most one - before it";
  if (!sorts.includes(path) && !ALWAYS_SORTABLE.includes(path)) {
    const names = [...sorts, ...ALWAYS_SORTABLE];
    const near = nearest(path, names) ?? nearest(withinEntity(path), names);
    const help = near === null ? `sortable are ${names.join(", ")}` : `did you mean "${near}"?`;
    return `cannot sort by "${truncate(path)}"; ${help}`;
  }
  return earlier.some((key) => key.path === path) ? `must not name "${path}" twice` : null;
}

/** Whether the pages of a list have tokens: a property that it is filtered by may be called `after` (QRY-9). */
export function hasTokens({ filters }: CollectionQuery): boolean {
  return !Object.hasOwn(filters, "after");
}

function readToken(parameters: Parameters, report: Report): string | null {
  const token = readOnce("after", parameters, report);
  if (token !== null && parameters.has("pageNumber"))
    report.add("after", "cannot be given together with pageNumber");
  return token;
}

/** A whole number from 1 to `maximum`; null where it was not given, or not rightly. */
function readCount(
  name: string,
  parameters: Parameters,
  maximum: number,
  report: Report,
): number | null {
  const text = readOnce(name, parameters, report);
  if (text === null) return null;
  const value = Number(text);
  if (WHOLE_NUMBER.test(text) && value >= 1 && value <= maximum) return value;
  report.add(name, `must be a whole number from 1 to ${maximum}`);
  return null;
}

/** The value of a parameter that is given at most once and is never empty (QRY-6). */
function readOnce(name: string, parameters: Parameters, report: Report): string | null {
  const [text, second] = parameters.get(name) ?? [];
  if (text === undefined) return null;
  if (second !== undefined) report.add(name, "must be given once");
  else if (text === "") report.add(name, "must not be empty");
  else return text;
  return null;
}
