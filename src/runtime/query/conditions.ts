import { formatTimestamp } from "../base/time.js";
import type { Filter, ValueFilter } from "./query.js";
import { subjectFilter } from "./subject-filter.js";

/** What a schema asks of the entities of an alias or a representation. */
export type Condition = ValueFilter | WindowCondition | MineCondition | AnyCondition;

/** A time in the last (`within`) or the next (`withinNext`) so many milliseconds. */
export interface WindowCondition {
  readonly path: string;
  readonly window: "within" | "withinNext";
  readonly milliseconds: number;
}

/** A subject that is the caller. */
export interface MineCondition {
  readonly path: string;
  readonly isMine: true;
}

/** Alternatives: all conditions of at least one of them hold. */
export interface AnyCondition {
  readonly any: readonly (readonly Condition[])[];
}

/** Who asks, and when: `clock` is in milliseconds since 1970. */
export interface Asking {
  readonly clock: () => number;
  readonly caller: {
    readonly subject: { readonly subjectId: string };
    readonly isAnonymous: boolean;
  };
}

/** The filters that conditions come to for one request. */
export function filtersOf(conditions: readonly Condition[], asking: Asking): readonly Filter[] {
  return conditions.flatMap((condition) => {
    if ("window" in condition) return windowFilters(condition, asking.clock());
    if ("isMine" in condition) return [mineFilter(condition, asking)];
    if (!("any" in condition)) return [condition];
    return [{ any: condition.any.map((alternative) => filtersOf(alternative, asking)) }];
  });
}

function windowFilters({ path, window, milliseconds }: WindowCondition, now: number): Filter[] {
  const [from, to] = window === "within" ? [now - milliseconds, now] : [now, now + milliseconds];
  return [bound(path, "atLeast", from), bound(path, "atMost", to)];
}

function bound(path: string, comparison: "atLeast" | "atMost", time: number): Filter {
  return { path, contains: false, values: [formatTimestamp(time)], orNull: false, comparison };
}

/** Nobody made what nobody said to have made: no subject is an empty text. */
function mineFilter({ path }: MineCondition, { caller }: Asking): Filter {
  return subjectFilter(path, caller.isAnonymous ? "" : caller.subject.subjectId);
}
