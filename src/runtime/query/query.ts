/**
 * The queries of lists: `CollectionQuery` is the offer of a collection, `ListQuery` the query of one request, read by
 * `parseListQuery`. Filters are in filters.ts and read-filters.ts, pages and their tokens in page.ts. The SQL is in
 * store/list-sql.ts, which this folder does not use.
 */
import { nearest, truncate } from "../base/texts.js";
import { Report } from "../input/report.js";
import { type FilterValue, type ParameterFilter, range, search } from "./filters.js";
import type { PageKeys } from "./page.js";
import { readFilters, withinEntity } from "./read-filters.js";
import { unsearchable } from "./search-text.js";

/** The parameters that a collection offers. */
export interface CollectionQuery {
  /** The filterable properties by dotted path (QRY-1). */
  readonly filters: Readonly<Record<string, ParameterFilter>>;
  /** The sortable properties, without `createdDate` and `lastModifiedDate`, which always are (QRY-4). */
  readonly sorts: readonly string[];
  /** Stored paths, where they differ (REP-7). */
  readonly stored?: Readonly<Record<string, string>>;
  /** By path: the values that this version shows for stored ones (VER-2). */
  readonly instead?: Readonly<Record<string, Substitutes>>;
  readonly paging: {
    readonly defaultSize: number;
    readonly maximumSize: number;
    /** True if the envelope has the token of the next page (QRY-9). */
    readonly next?: boolean;
  };
  /** False if the envelope has no count (COL-2). */
  readonly counted: boolean;
  /** The stored paths that `search` looks in, the most important first; missing if there is no such parameter (QRY-8). */
  readonly search?: readonly string[];
}

/** QRY-1, QRY-3, QRY-4 */
interface QueriedProperty {
  /** True for equality alone; `range` adds bounds, `search` parts of texts. A filter if this version shows another type than the table has. */
  readonly filterable?: true | "range" | "search" | ParameterFilter;
  readonly sortable?: true;
  /** Its stored path, where that differs (REP-7). */
  readonly stored?: string;
  /** Values that this version shows for stored ones (VER-2). */
  readonly instead?: Substitutes;
}

interface FilteredTable {
  readonly columns: Readonly<Record<string, { readonly filter?: ParameterFilter }>>;
  readonly commonFilters?: Readonly<Record<string, ParameterFilter>>;
}

/** Takes the filters of properties from their table; throws if the table does not have one. */
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
  const byPath = <T>(valueOf: (property: QueriedProperty, path: string) => T | undefined) =>
    Object.fromEntries(
      entries.flatMap(([path, property]) => {
        const value = valueOf(property, path);
        return value === undefined ? [] : [[path, value]];
      }),
    );
  const stored = byPath((property) => property.stored);
  const instead = byPath((property) => property.instead);
  return {
    ...rest,
    filters: byPath((one, path) =>
      one.filterable === undefined ? undefined : filterOf(path, one),
    ),
    sorts: entries.filter(([, { sortable }]) => sortable).map(([path]) => path),
    ...(Object.keys(stored).length > 0 && { stored }),
    ...(Object.keys(instead).length > 0 && { instead }),
  };
}

/** Stored values of an enum, each with the value that this version shows. */
export type Substitutes = Readonly<Record<string, string>>;

export type Filter = ValueFilter | AnyFilter | ParentFilter | SearchFilter;

/** Each word of the text must be in one of the properties (QRY-8). */
export interface SearchFilter {
  readonly paths: readonly string[];
  readonly text: string;
}

/** All filters of at least one alternative must hold. */
export interface AnyFilter {
  readonly any: readonly (readonly Filter[])[];
}

/** Filters of the parent (AUT-2). */
interface ParentFilter {
  readonly parent: readonly Filter[];
}

/** Matches any of the values; `orNull` adds null, or `[]` for an array (QRY-3). */
export interface ValueFilter {
  readonly path: string;
  /** True for an array. */
  readonly contains: boolean;
  readonly values: readonly FilterValue[];
  readonly orNull: boolean;
  /** Default `anyOf`. A comparison by size has one value; a search has the texts that the caller sent. */
  readonly comparison?: Comparison;
}

export type Comparison =
  "anyOf" | "noneOf" | "atLeast" | "atMost" | "moreThan" | "lessThan" | SearchComparison;

/** QRY-7 */
export type SearchComparison = "contains" | "startsWith";

export interface SortKey {
  readonly path: string;
  readonly descending: boolean;
  /** Values that this version shows, by which stored ones are sorted (VER-2). */
  readonly instead?: Substitutes;
}

/** A query with the paths and values of the store. */
export interface ListQuery {
  /** All of them must hold (QRY-3). */
  readonly filters: readonly Filter[];
  readonly sort: readonly SortKey[];
  /** At least 1 (QRY-5). */
  readonly pageNumber: number;
  /** The page begins after these keys, whatever its number (QRY-9). */
  readonly after?: PageKeys;
  readonly pageSize: number;
  /** A page of up to this size is never refused for its bytes (LIM-1). */
  readonly defaultSize: number;
  readonly counted: boolean;
  /** Custom code cannot continue after a page that is smaller than the size it asked for. */
  readonly isOfCustomCode?: boolean;
}

interface ReadQuery extends ListQuery {
  /** Null if the request has a page number (QRY-9). */
  readonly token: string | null;
  readonly filters: readonly (ValueFilter | SearchFilter)[];
}

const ALWAYS_SORTABLE = ["createdDate", "lastModifiedDate"];
const PAGING = ["sort", "pageSize", "pageNumber", "after"];
// The number of skipped rows stays a safe integer for every page size.
const LAST_PAGE = 2_147_483_647;
const WHOLE_NUMBER = /^-?(?:0|[1-9]\d*)$/;

/** Reads a query string without its `?`. Throws `validationFailed` that names each wrong parameter (QRY-6). */
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
      ...readSearch(parameters, searched, report),
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

/** Replaces paths and values of this version by the stored ones (REP-7, VER-2). */
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
            values: withStored(filter.values, instead[filter.path]),
          },
    ),
    sort: query.sort.map((key) => {
      const others = instead[key.path];
      return { ...key, path: pathOf(key.path), ...(others !== undefined && { instead: others }) };
    }),
  };
}

/** Adds the stored values that this version shows as one of these. */
function withStored(
  values: readonly FilterValue[],
  instead: Substitutes | undefined,
): readonly FilterValue[] {
  if (instead === undefined) return values;
  const stored = Object.keys(instead).filter((one) => values.includes(instead[one] ?? one));
  return [...values, ...stored];
}

function readSearch(
  parameters: Parameters,
  paths: CollectionQuery["search"],
  report: Report,
): SearchFilter[] {
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

/** QRY-9: a list with a filter called `after` has no tokens. */
export function hasTokens({ filters }: CollectionQuery): boolean {
  return !Object.hasOwn(filters, "after");
}

function readToken(parameters: Parameters, report: Report): string | null {
  const token = readOnce("after", parameters, report);
  if (token !== null && parameters.has("pageNumber"))
    report.add("after", "cannot be given together with pageNumber");
  return token;
}

/** Reads a whole number from 1 to `maximum`; returns null if it is missing or wrong. */
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

/** QRY-6: these parameters appear at most once, and are never empty. */
function readOnce(name: string, parameters: Parameters, report: Report): string | null {
  const [text, second] = parameters.get(name) ?? [];
  if (text === undefined) return null;
  if (second !== undefined) report.add(name, "must be given once");
  else if (text === "") report.add(name, "must not be empty");
  else return text;
  return null;
}

/** Decoded parameters: every name with its values, in the order of the query string. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

// All that RFC 3986 allows in a query without encoding.
const NOT_PLAIN = /[^\x21-\x7e]/;
const NOT_ENCODED = "must be percent-encoded UTF-8";

/** A part that is not percent-encoded UTF-8 is an issue of its parameter (QRY-6). */
function parseParameters(search: string, report: Report): Parameters {
  const parameters = new Map<string, string[]>();
  let start = 0;
  while (start < search.length) {
    const next = search.indexOf("&", start);
    const end = next === -1 ? search.length : next;
    if (end > start) addParameter(search.slice(start, end), parameters, report);
    start = end + 1;
  }
  return parameters;
}

function addParameter(part: string, parameters: Map<string, string[]>, report: Report): void {
  const equals = part.indexOf("=");
  const rawName = equals === -1 ? part : part.slice(0, equals);
  const name = rawName === "" ? null : decode(rawName);
  if (name === null) {
    report.add(truncate(part), rawName === "" ? "has no name" : NOT_ENCODED);
    return;
  }
  const value = equals === -1 ? "" : decode(part.slice(equals + 1));
  if (value === null) {
    report.add(truncate(name), NOT_ENCODED);
    return;
  }
  const values = parameters.get(name);
  if (values === undefined) parameters.set(name, [value]);
  else values.push(value);
}

/** Returns null if the text is not percent-encoded UTF-8. */
function decode(raw: string): string | null {
  if (NOT_PLAIN.test(raw)) return null;
  const spaced = raw.includes("+") ? raw.replaceAll("+", " ") : raw;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}
