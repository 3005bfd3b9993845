import { truncate } from "../base/texts.js";
import { Problem } from "../input/reader.js";
import type { Report } from "../input/report.js";
import type { FilterValue, ParameterFilter } from "./filters.js";
import type { Parameters, CollectionQuery, SearchComparison, ValueFilter } from "./query.js";
import { unsearchable } from "./search-text.js";

/** Endings of parameters with a bound, such as `price.atLeast` (QRY-3). */
const BOUNDS = ["atLeast", "moreThan", "atMost", "lessThan"] as const;

/** Endings of parameters with a part of a string, such as `name.contains` (QRY-7). */
const SEARCHES = ["contains", "startsWith"] as const;

type Bound = (typeof BOUNDS)[number];

/** Endings that other services use for them. */
const FOREIGN_ENDINGS: Readonly<Record<string, Bound | SearchComparison>> = {
  like: "contains",
  ilike: "contains",
  icontains: "contains",
  search: "contains",
  match: "contains",
  prefix: "startsWith",
  startswith: "startsWith",
  istartswith: "startsWith",
  beginsWith: "startsWith",
  gte: "atLeast",
  ge: "atLeast",
  min: "atLeast",
  minimum: "atLeast",
  from: "atLeast",
  since: "atLeast",
  gt: "moreThan",
  after: "moreThan",
  lte: "atMost",
  le: "atMost",
  max: "atMost",
  maximum: "atMost",
  to: "atMost",
  until: "atMost",
  lt: "lessThan",
  before: "lessThan",
};

/** Names that other services use for the parameters of every list, in lower case without separators. */
const FOREIGN_NAMES: ReadonlyMap<string, string> = new Map([
  ["page", "pageNumber"],
  ["limit", "pageSize"],
  ["size", "pageSize"],
  ["perpage", "pageSize"],
  ["order", "sort"],
  ["orderby", "sort"],
  ["sortby", "sort"],
]);
const MOST_VALUES = 100;
const MOST_SEARCHES = 10;

/** Reads all parameters except `others`, which the caller reads; refuses unknown ones (QRY-6). */
export function readFilters(
  parameters: Parameters,
  { filters: offered }: CollectionQuery,
  others: readonly string[],
  report: Report,
): ValueFilter[] {
  const filters: ValueFilter[] = [];
  for (const [name, texts] of parameters) {
    // Only names of the object itself: `constructor` is a parameter like any other unknown one.
    const filter = Object.hasOwn(offered, name) ? offered[name] : undefined;
    if (filter !== undefined) filters.push(readFilter(name, texts, filter, report));
    else if (!others.includes(name)) {
      const compared =
        readBound(name, texts, offered, report) ?? readSearch(name, texts, offered, report);
      if (compared === null) refuseParameter(name, offered, others, report);
      else filters.push(compared);
    }
  }
  return filters;
}

function readFilter(
  path: string,
  texts: readonly string[],
  filter: ParameterFilter,
  report: Report,
): ValueFilter {
  const values: FilterValue[] = [];
  let orNull = false;
  if (texts.length > MOST_VALUES) report.add(path, `must be given at most ${MOST_VALUES} times`);
  for (const text of texts.slice(0, MOST_VALUES)) {
    const value = text === "" ? null : filter.read(text);
    if (value === null) orNull = true;
    else if (value instanceof Problem) {
      report.add(path, value.message);
      // A parameter has one issue at most.
      break;
    } else values.push(value);
  }
  return { path, contains: filter.contains, values, orNull };
}

/** Returns null if the parameter is not a bound of a property. */
function readBound(
  name: string,
  texts: readonly string[],
  offered: CollectionQuery["filters"],
  report: Report,
): ValueFilter | null {
  const { path, ending, filter } = partsOf(name, offered);
  const comparison = BOUNDS.find((bound) => bound === ending);
  if (comparison === undefined || filter?.isRange !== true) return null;
  const [text = "", second] = texts;
  // Null has no order, and one of two bounds would have no effect.
  const value = text === "" ? new Problem("must not be empty") : filter.read(text);
  if (second !== undefined) report.add(name, "must be given once");
  else if (value instanceof Problem) report.add(name, value.message);
  const values = value instanceof Problem ? [] : [value];
  return { path, contains: false, values, orNull: false, comparison };
}

/** Returns null if the parameter is not a search in a property. */
function readSearch(
  name: string,
  texts: readonly string[],
  offered: CollectionQuery["filters"],
  report: Report,
): ValueFilter | null {
  const { path, ending, filter } = partsOf(name, offered);
  const comparison = SEARCHES.find((one) => one === ending);
  if (comparison === undefined || filter?.isSearch !== true) return null;
  const issues = texts.flatMap((text) => unsearchable(text, comparison) ?? []);
  const most = texts.length > MOST_SEARCHES ? `must be given at most ${MOST_SEARCHES} times` : null;
  const issue = most ?? issues[0];
  if (issue !== undefined) report.add(name, issue);
  return { path, contains: false, values: texts, orNull: false, comparison };
}

/** Splits `price.atLeast` into `price` and `atLeast`, and adds the filter of `price`. */
function partsOf(name: string, offered: CollectionQuery["filters"]) {
  const end = name.lastIndexOf(".");
  const path = name.slice(0, Math.max(0, end));
  const filter = Object.hasOwn(offered, path) ? offered[path] : undefined;
  return { path, ending: name.slice(end + 1), filter };
}

/** Suggests the nearest parameter, or lists the filterable properties (QRY-6). */
function refuseParameter(
  name: string,
  offered: CollectionQuery["filters"],
  others: readonly string[],
  report: Report,
): void {
  const meant = translated(name);
  const [, path = ""] = /^(.+)\.[a-zA-Z]+$/.exec(meant) ?? [];
  const known = Object.hasOwn(offered, path) ? offered[path] : undefined;
  const advice =
    known !== undefined && known.isRange !== true && known.isSearch !== true
      ? `; "${path}" can only be filtered by its values`
      : near(meant, [...namesOf(offered), ...others], report) || listOfFilters(offered);
  report.add(truncate(name), `is not known${advice}`);
}

function listOfFilters(offered: CollectionQuery["filters"]): string {
  const names = Object.keys(offered);
  if (names.length === 0) return "; this list has no filters";
  const searched = names.filter((name) => offered[name]?.isSearch === true);
  const searches = searched.map((name) => `${name}.contains`);
  const others = searches.length === 0 ? "" : `; searched are ${searches.join(", ")}`;
  return `; filtered are ${names.join(", ")}${others}`;
}

function namesOf(offered: CollectionQuery["filters"]): readonly string[] {
  return Object.entries(offered).flatMap(([path, { isRange, isSearch }]) => {
    const endings = isRange === true ? BOUNDS : isSearch === true ? SEARCHES : [];
    return [path, ...endings.map((ending) => `${path}.${ending}`)];
  });
}

/** `priority_gte` and `priority[min]` are `priority.atLeast` here, `limit` is `pageSize`. */
function translated(name: string): string {
  const [, path = "", ending = ""] = /^(.*?)[._[]+([a-z]+)\]?$/i.exec(name) ?? [];
  const known = Object.hasOwn(FOREIGN_ENDINGS, ending) ? FOREIGN_ENDINGS[ending] : undefined;
  if (known !== undefined) return `${path}.${known}`;
  return FOREIGN_NAMES.get(name.toLowerCase().replaceAll(/[^a-z]/g, "")) ?? name;
}

function near(name: string, names: readonly string[], report: Report): string {
  return report.suggestion(name, names) || report.suggestion(withinEntity(name), names);
}

/** `orders.status` becomes `status`, the name within the entity. */
export function withinEntity(path: string): string {
  return path.slice(path.indexOf(".") + 1);
}
