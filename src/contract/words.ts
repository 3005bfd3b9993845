import type {
  ConditionContract,
  PathConditionContract,
  PropertyContract,
} from "./resource-contract.js";

/** A value of a contract, as a sentence names it. */
export function words(value: unknown): string {
  if (value === undefined || value === null) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(words).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Conditions, as a sentence names them: `those whose status is closed`. */
export function conditionWords(conditions: readonly ConditionContract[]): string {
  if (conditions.length === 0) return "all of them";
  return `those with ${conditions.map(oneCondition).join(" and ")}`;
}

function oneCondition(condition: ConditionContract): string {
  if (!isAlternatives(condition)) return pathWords(condition);
  return condition.any.map((all) => all.map(pathWords).join(" and ")).join(", or with ");
}

/** Whether conditions let the same entities pass: the order of conditions, alternatives and values says nothing. */
export function isSameCondition(
  one: readonly ConditionContract[],
  other: readonly ConditionContract[],
): boolean {
  return inOrder(one) === inOrder(other);
}

function inOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOrder).sort().join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `${name}:${inOrder(one)}`);
  return `{${members.sort().join()}}`;
}

/** Whether one of several groups of conditions suffices. */
export function isAlternatives(
  condition: ConditionContract,
): condition is Extract<ConditionContract, { readonly any: unknown }> {
  return "any" in condition;
}

function pathWords(condition: PathConditionContract): string {
  const { property, orNull, mine, timeZone, ...comparisons } = condition;
  if (mine === true) return `${words(property)} the caller's own`;
  const compared = Object.entries(comparisons).map(
    ([comparison, value]) =>
      `${words(property)} ${COMPARISONS[comparison] ?? comparison} ${words(value)}`,
  );
  const all = compared.join(" and ") + (orNull === true ? " or null" : "");
  return timeZone === undefined ? all : `${all} in ${words(timeZone)}`;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  anyOf: "of",
  noneOf: "other than",
  atLeast: "at least",
  atMost: "at most",
  moreThan: "more than",
  lessThan: "less than",
  within: "within milliseconds:",
  withinNext: "within the next milliseconds:",
};

/** `a list of strings` is `array of string`. */
export function typeWords({ type, items, format }: PropertyContract): string {
  if (items !== undefined) return `${type} of ${items}`;
  return format === undefined ? type : `${type} (${format})`;
}
