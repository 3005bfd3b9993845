import { isMultipleOf } from "#runtime/input/numbers";
import { notANumber, type Counting, type FormMistake } from "./bound-keywords.js";

/** Integers and numbers count as JavaScript does. */
export const plainCounting: Counting<number> = {
  formMistake: (bound, keyword) => quotedMistake(bound, keyword, "a number"),
  counted: (value) => (typeof value === "number" ? value : null),
  hasBetween: (low, high) => high > low,
  isMultiple: isMultipleOf,
};

/** A bound in quotes, as only a decimal has it. */
export function quotedMistake(
  bound: unknown,
  keyword: string,
  expected: string,
): FormMistake | null {
  if (typeof bound !== "string") return null;
  const isNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(bound);
  const suggestion = isNumber ? `Remove the quotes: ${bound}.` : null;
  return notANumber(bound, keyword, expected, suggestion);
}
