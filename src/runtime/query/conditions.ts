import { addDays, dateIn, startOfDay, formatTimestamp } from "../base/time.js";
import type { Filter, ValueFilter, ListQuery, SortKey } from "./query.js";

/** A condition that a schema sets for an alias or a representation. */
export type Condition = ValueFilter | DayCondition | WindowCondition | MineCondition | AnyCondition;

/** A comparison with days, counted from the date of the request in a time zone: 0 is today, -1 is yesterday. */
export interface DayCondition extends ValueFilter {
  readonly days: readonly number[];
  readonly timeZone: string;
  /** False for a timestamp, which is compared by size with one day, from its first instant to its last. */
  readonly isDate: boolean;
}

/** A time within the last or the next `milliseconds`. */
interface WindowCondition {
  readonly path: string;
  readonly window: "within" | "withinNext";
  readonly milliseconds: number;
}

interface MineCondition {
  readonly path: string;
  readonly isMine: true;
}

/** All conditions of at least one alternative must hold. */
interface AnyCondition {
  readonly any: readonly (readonly Condition[])[];
}

/** Who sends the request, and when. */
export interface Asking {
  readonly clock: () => number;
  readonly caller: {
    readonly subject: { readonly subjectId: string };
    readonly isAnonymous: boolean;
  };
}

/** Turns conditions into the filters of one request. */
export function filtersOf(conditions: readonly Condition[], asking: Asking): readonly Filter[] {
  return conditions.flatMap((condition) => {
    if ("window" in condition) return windowFilters(condition, asking.clock());
    if ("days" in condition) return [dayFilter(condition, asking.clock())];
    if ("isMine" in condition) return [mineFilter(condition, asking)];
    if (!("any" in condition)) return [condition];
    return [{ any: condition.any.map((alternative) => filtersOf(alternative, asking)) }];
  });
}

function windowFilters({ path, window, milliseconds }: WindowCondition, now: number): Filter[] {
  const [from, to] = window === "within" ? [now - milliseconds, now] : [now, now + milliseconds];
  return [bound(path, "atLeast", from), bound(path, "atMost", to)];
}

function dayFilter(condition: DayCondition, now: number): Filter {
  const { days, timeZone, isDate, ...filter } = condition;
  const today = dateIn(timeZone, now);
  const dates = days.map((count) => addDays(today, count));
  if (isDate) return { ...filter, values: [...filter.values, ...dates] };
  const { path, comparison } = filter;
  // A day ends where the next one begins.
  const isPast = comparison === "moreThan" || comparison === "atMost";
  const isUp = comparison === "moreThan" || comparison === "atLeast";
  const start = startOfDay(timeZone, addDays(dates[0] ?? today, isPast ? 1 : 0));
  return bound(path, isUp ? "atLeast" : "lessThan", start);
}

function bound(path: string, comparison: "atLeast" | "atMost" | "lessThan", time: number): Filter {
  return { path, contains: false, values: [formatTimestamp(time)], orNull: false, comparison };
}

/** An anonymous caller has created nothing: no stored subject is an empty string. */
function mineFilter({ path }: MineCondition, { caller }: Asking): Filter {
  return subjectFilter(path, caller.isAnonymous ? "" : caller.subject.subjectId);
}

/** The stored path of the creator's identifier. */
export const CREATOR = "createdSubject.subjectId";

export function subjectFilter(path: string, subjectId: string): ValueFilter {
  return { path, contains: false, values: [subjectId], orNull: false };
}

/** The conditions and the sort of an alias (ALI-1). */
export interface CollectionAlias {
  readonly conditions: readonly Condition[];
  readonly sort: readonly SortKey[];
}

/** ALI-1: the filters of the alias and of the caller both hold; the caller's sort replaces the one of the alias. */
export function aliasQuery(
  query: ListQuery,
  alias: CollectionAlias | undefined,
  asking: Asking,
): ListQuery {
  if (alias === undefined) return query;
  return {
    ...query,
    filters: [...filtersOf(alias.conditions, asking), ...query.filters],
    sort: query.sort.length > 0 ? query.sort : alias.sort,
  };
}
