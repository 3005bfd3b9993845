import { addDays, dateIn } from "#runtime/base/time";
import type { ConditionModel, PathCondition } from "../model/alias-model.js";
import { listAround } from "../model/leaves.js";
import type { ResourceModel } from "../model/resource-model.js";
import { at, isList, withValue, type Json, type JsonObject } from "../samples/json.js";
import { compareValues, typeAt } from "./order.js";

type Comparison = Extract<PathCondition, { kind: "comparison" }>;

/** When a list is asked for, and by whom. */
export interface Asking {
  readonly now: number;
  /** Null: by nobody who is known, who has made nothing. */
  readonly subjectId: string | null;
}

/** Whether an alias matches an entity at a time; null if that could change within a minute. */
export function isWithin(
  resource: ResourceModel,
  conditions: readonly ConditionModel[],
  entity: JsonObject,
  asking: Asking,
): boolean | null {
  const lists = new Map<string, PathCondition[]>();
  const verdicts = conditions.map((condition): boolean | null => {
    if (condition.kind === "any") return holdsAny(resource, condition.alternatives, entity, asking);
    const list = listAround(condition.path, resource.properties);
    if (list === null) return holds(resource, condition, entity, asking);
    lists.set(list.path, [...(lists.get(list.path) ?? []), condition]);
    return true;
  });
  const ofItems = [...lists].map(([path, together]) => {
    const found = at(entity, path);
    const each = (isList(found) ? found : []).map((item) =>
      all(together.map((one) => holds(resource, one, withValue(entity, path, item), asking))),
    );
    return some(each);
  });
  return all([...verdicts, ...ofItems]);
}

function all(verdicts: readonly (boolean | null)[]): boolean | null {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(null) ? null : true;
}

function some(verdicts: readonly (boolean | null)[]): boolean | null {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(null) ? null : false;
}

/** One alternative suffices. */
function holdsAny(
  resource: ResourceModel,
  alternatives: readonly (readonly PathCondition[])[],
  entity: JsonObject,
  asking: Asking,
): boolean | null {
  return some(alternatives.map((alternative) => isWithin(resource, alternative, entity, asking)));
}

/** Values this close to the edge of a window are not judged. */
const EDGE_MILLISECONDS = 60_000;

function holds(
  resource: ResourceModel,
  condition: PathCondition,
  entity: JsonObject,
  { now, subjectId }: Asking,
): boolean | null {
  const value = at(entity, condition.path) ?? null;
  if (condition.kind === "mine") return value === subjectId;
  if (condition.kind === "window") return inWindow(condition, value, now);
  if (condition.relative === null) return compares(resource, condition, value);
  const { timeZone, isDate } = condition.relative;
  const compared = isDate || value === null ? value : dateIn(timeZone, Date.parse(String(value)));
  // The service may still have been, or be already, on the other side of midnight.
  const [before, after] = [now - EDGE_MILLISECONDS, now + EDGE_MILLISECONDS].map((time) =>
    compares(resource, datedAt(condition, time), compared),
  );
  return before === after ? (before ?? null) : null;
}

/** A comparison with the dates that its days are at a time. */
export function datedAt(condition: Comparison, time: number): Comparison {
  const { relative, values } = condition;
  if (relative === null) return condition;
  const today = dateIn(relative.timeZone, time);
  const dates = relative.days.map((count) => addDays(today, count));
  return { ...condition, values: [...values, ...dates], relative: null };
}

function compares(resource: ResourceModel, condition: Comparison, value: Json): boolean {
  const { comparison, values, orNull } = condition;
  const isAny = isAnyOf(value, values, orNull);
  if (comparison === "anyOf") return isAny;
  if (comparison === "noneOf") return !isAny;
  const [bound] = values;
  if (value === null || bound === undefined) return false;
  const order = compareValues(value, bound, typeAt(resource, condition.path));
  const tests = {
    atLeast: order >= 0,
    atMost: order <= 0,
    moreThan: order > 0,
    lessThan: order < 0,
  };
  return tests[comparison];
}

/** What an array contains is compared; no value, and no item, is null. */
function isAnyOf(
  value: Json,
  values: readonly (string | number | boolean)[],
  orNull: boolean,
): boolean {
  const items = isList(value) ? value : [value];
  const isNothing = value === null || items.length === 0;
  return (orNull && isNothing) || values.some((wanted) => items.includes(wanted));
}

function inWindow(
  { window, milliseconds }: Extract<PathCondition, { kind: "window" }>,
  value: Json,
  now: number,
): boolean | null {
  if (typeof value !== "string") return false;
  const time = Date.parse(value);
  const [from, to] = window === "within" ? [now - milliseconds, now] : [now, now + milliseconds];
  const isNear = (edge: number): boolean => Math.abs(time - edge) < EDGE_MILLISECONDS;
  // A value that was written just now is in the past when the request is made.
  if (window === "within" && isNear(to) && time <= to) return true;
  return isNear(from) || isNear(to) ? null : time > from && time < to;
}
