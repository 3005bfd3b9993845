import { markdownCode, markdownName } from "../naming/markdown.js";
import { dayWords } from "../naming/duration.js";
import type { ConditionModel } from "../model/alias-model.js";
import type { ResourceModel } from "../model/resource-model.js";

const COMPARISONS = {
  anyOf: "is",
  noneOf: "is not",
  atLeast: "is at least",
  atMost: "is at most",
  moreThan: "is more than",
  lessThan: "is less than",
} as const;

const UNITS = [
  ["days", 86_400_000],
  ["hours", 3_600_000],
  ["minutes", 60_000],
] as const;

/** What a representation represents, as a sentence of Markdown (REP-7); nothing of any other resource. */
export function representationSentence(resource: ResourceModel): string {
  if (!resource.isRepresentation) return "";
  const conditions = conditionsWords(resource.conditions);
  const which = conditions === "" ? "" : ` whose ${conditions}`;
  return `The ${resource.entity.name.plural}${which}, under another name.`;
}

/** What must hold, in the words of Markdown (ALI-1, REP-7); nothing where anything may. */
export function conditionsWords(conditions: readonly ConditionModel[]): string {
  return conditions.map(conditionWords).join(" and ");
}

/** `` `status` is `placed` or `packed` `` */
function conditionWords(condition: ConditionModel): string {
  if (condition.kind === "any") {
    const [only = [], ...others] = condition.alternatives;
    if (others.length === 0) return conditionsWords(only);
    return `either ${condition.alternatives.map(conditionsWords).join(", or ")}`;
  }
  if (condition.kind === "mine") return "`createdSubject` is the caller";
  const path = markdownName(condition.path);
  if (condition.kind === "window") {
    const { window, milliseconds } = condition;
    return `${path} is within the ${window === "within" ? "last" : "next"} ${duration(milliseconds)}`;
  }
  const { comparison, values, orNull, contains, relative } = condition;
  const empty = contains ? "[]" : "null";
  const fixed = [...values.map(String), ...(orNull ? [empty] : [])].map(markdownCode);
  const all = [...(relative?.days.map(dayWords) ?? []), ...fixed];
  const place = relative === null ? "" : ` in ${markdownCode(relative.timeZone)}`;
  const between = comparison === "noneOf" ? " nor " : " or ";
  return `${path} ${contains ? containing(comparison) : COMPARISONS[comparison]} ${all.join(between)}${place}`;
}

function containing(comparison: keyof typeof COMPARISONS): string {
  return comparison === "noneOf" ? "does not hold" : "holds";
}

function duration(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => milliseconds % each === 0) ?? ["milliseconds", 1];
  const count = milliseconds / size;
  return count === 1 ? unit.slice(0, -1) : `${count} ${unit}`;
}
