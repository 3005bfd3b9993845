import type { Subject } from "../base/common-fields.js";
import type { FieldIssue } from "../base/errors.js";
import { OwnCodeFault } from "../base/custom-code.js";
import { Problem } from "../input/reader.js";
import type { Among, Comparisons } from "../query/where.js";
import { type FilterValue, type ParameterFilter, uuidFilter } from "../query/filters.js";
import type { Page } from "../query/page.js";
import type {
  Comparison,
  Filter,
  ListQuery,
  SearchComparison,
  SortKey,
  ValueFilter,
} from "../query/query.js";
import { unsearchable } from "../query/search-text.js";
import type { ListedTable } from "../store/entity-table.js";

/** A search for words or a prefix, if the schema has `filterable: search` (QRY-7). Of several values, any may match. */
export interface SearchCondition {
  /** Words in any order. If none has three characters, `list` throws `OwnCodeFault`. */
  readonly contains?: string | readonly string[];
  readonly startsWith?: string | readonly string[];
}

/** The values or comparisons for a property. */
export type FilterCondition<Value> = Among<Value> | Comparisons<Value>;

/** The filters, order and page of a list. */
export interface ServiceQuery<Where extends object> {
  /** All conditions must hold, and one of those under `any`. An `undefined` value is an error: it would list everything. */
  readonly where?: WithAlternatives<Where>;
  /** `-` means descending. The identifier breaks ties (QRY-4). */
  readonly sort?: readonly SortOf<Where>[];
  /** Page number, counted from 1. Defaults to 1. */
  readonly pageNumber?: number;
  /** Defaults to 20. */
  readonly pageSize?: number;
  /** False skips `complete`, so that a rule does not wait for another service. Defaults to true. */
  readonly complete?: boolean;
}

/** A property may be called `any`: its values are not objects. */
type WithAlternatives<Where> = "any" extends keyof Where
  ? Where
  : Where & { readonly any?: readonly Where[] };

/** One page for custom code, with the number of all matches. */
export interface ServicePage<Entity> extends Pick<Page<Entity>, "results" | "pageSize"> {
  readonly itemCount: number;
  readonly pageNumber: number;
}

/** The properties to sort by: subjects can only be filtered. */
type SortOf<Where> =
  `${"" | "-"}${Exclude<keyof Where & string, SubjectPath> | "createdDate" | "lastModifiedDate"}`;

type SubjectPath = `${"created" | "lastModified"}Subject.${keyof Subject}`;

const DEFAULT_SIZE = 20;
const SEARCHES: readonly SearchComparison[] = ["contains", "startsWith"];
const SIZES: readonly (keyof Comparisons<never> & Comparison)[] = [
  "atLeast",
  "moreThan",
  "atMost",
  "lessThan",
];

const UNDEFINED =
  "is compared with undefined, or in no way that is known: leave it out, or write null";

type Asked = Pick<ListedTable, "name" | "idProperty" | "columns" | "commonFilters" | "searches">;

/** Creates the query of a list. Throws `OwnCodeFault` for unknown properties, impossible values and an impossible page. */
export function listQueryOf<Where extends object>(
  query: ServiceQuery<Where>,
  table: Asked,
): ListQuery {
  const { where = {}, sort = [], pageNumber = 1, pageSize = DEFAULT_SIZE } = query;
  const issues = [...wholeIssue("pageNumber", pageNumber), ...wholeIssue("pageSize", pageSize)];
  const filters = conditionsOf(where, table, issues);
  if (issues.length > 0) {
    throw new OwnCodeFault(`services.${table.name}.list`, issues);
  }
  const page = { pageNumber, pageSize, defaultSize: DEFAULT_SIZE, isOfCustomCode: true };
  return { filters, sort: sort.map(sortKeyOf), ...page, counted: true };
}

function conditionsOf(where: object, table: Asked, issues: FieldIssue[]): Filter[] {
  const { idProperty, columns, commonFilters = {}, searches = [] } = table;
  // Types do not restrict custom code at run time.
  return Object.entries<Wanted | undefined>(where as never).flatMap(([path, wanted]): Filter[] => {
    if (path === "any" && isAlternatives(wanted, columns)) {
      return [{ any: wanted.map((one) => conditionsOf(one, table, issues)) }];
    }
    const isKnown =
      path === idProperty || Object.hasOwn(columns, path) || Object.hasOwn(commonFilters, path);
    if (!isKnown) {
      issues.push({ field: path, message: "cannot be compared" });
      return [];
    }
    const contains = columns[path]?.contains === true;
    const filters = wanted === undefined ? [] : filtersOf(path, wanted, contains);
    // Without a known comparison, everything would match.
    if (filters.length === 0) issues.push({ field: path, message: UNDEFINED });
    const reads =
      path === idProperty ? uuidFilter() : (columns[path]?.filter ?? commonFilters[path]);
    const isSearched = searches.some((one) => one.path === path);
    return filters.map((filter) => readFilter(filter, { reads, isSearched }, issues));
  });
}

function isAlternatives(wanted: unknown, columns: Asked["columns"]): wanted is readonly object[] {
  const isObject = (one: unknown): boolean => typeof one === "object" && one !== null;
  return Array.isArray(wanted) && (wanted.some(isObject) || !Object.hasOwn(columns, "any"));
}

/** Checks a page number or size. For less than 1, a database returns all rows or throws its own error. */
function wholeIssue(field: string, value: number): FieldIssue[] {
  if (Number.isSafeInteger(value) && value >= 1) return [];
  return [{ field, message: `must be a whole number of at least 1, and is ${value}` }];
}

/** Reads values like parameters, so that a mistake is an error and not an empty list. */
function readFilter(
  filter: ValueFilter,
  {
    reads,
    isSearched,
  }: { readonly reads: ParameterFilter | undefined; readonly isSearched: boolean },
  issues: FieldIssue[],
): ValueFilter {
  const { comparison } = filter;
  if (comparison === "contains" || comparison === "startsWith") {
    const messages = filter.values.map((value) =>
      typeof value === "string" ? unsearchable(value, comparison) : "must be a string",
    );
    if (!isSearched) messages.push("is not searched: its schema does not say so");
    const told = messages.filter((message) => message !== null);
    issues.push(...told.map((message) => ({ field: filter.path, message })));
    return filter;
  }
  const values = filter.values.flatMap((value: FilterValue | undefined): FilterValue[] => {
    if (value === undefined) {
      issues.push({ field: filter.path, message: UNDEFINED });
      return [];
    }
    const known = reads === undefined ? value : reads.read(String(value));
    if (!(known instanceof Problem)) return [known];
    issues.push({ field: filter.path, message: known.message });
    return [];
  });
  return { ...filter, values };
}

function sortKeyOf(key: string): SortKey {
  const descending = key.startsWith("-");
  return { path: descending ? key.slice(1) : key, descending };
}

function filtersOf(path: string, wanted: Wanted, contains: boolean): ValueFilter[] {
  if (!isCompared(wanted)) return [anyOf(path, wanted, contains)];
  const searches = SEARCHES.flatMap((comparison): ValueFilter[] => {
    const searched = wanted[comparison];
    if (searched === undefined) return [];
    const values = isList(searched) ? searched : [searched];
    return [{ path, contains: false, comparison, values, orNull: false }];
  });
  const sizes = SIZES.flatMap((comparison): ValueFilter[] => {
    const value = wanted[comparison];
    return value === undefined
      ? []
      : [{ path, contains, comparison, values: [value], orNull: false }];
  });
  const { not } = wanted;
  if (not === undefined) return [...searches, ...sizes];
  return [...searches, ...sizes, { ...anyOf(path, not, contains), comparison: "noneOf" }];
}

function anyOf(path: string, wanted: Among<FilterValue>, contains: boolean): ValueFilter {
  const all: readonly (FilterValue | null)[] = isList(wanted) ? wanted : [wanted];
  const values = all.filter((value) => value !== null);
  return { path, contains, values, orNull: values.length < all.length };
}

function isList<Value>(value: Value | readonly Value[]): value is readonly Value[] {
  return Array.isArray(value);
}

/** All comparisons of a property. */
type Compared = Comparisons<FilterValue> & SearchCondition;
type Wanted = Among<FilterValue> | Compared;

function isCompared(wanted: Wanted): wanted is Compared {
  return typeof wanted === "object" && wanted !== null && !Array.isArray(wanted);
}
