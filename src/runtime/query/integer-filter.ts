import { wholeIssue } from "../input/integer-reader.js";
import { Problem } from "../input/problem.js";
import type { ParameterFilter } from "./filters.js";
import { filter } from "./scalar-filter.js";

const INTEGER = /^-?(?:0|[1-9]\d*)$/;

/** Filters a whole number. */
export function integerFilter(): ParameterFilter {
  return filter((text) => {
    if (!INTEGER.test(text)) return new Problem("must be a whole number");
    const value = Number(text);
    const issue = wholeIssue(value);
    if (issue !== null) return new Problem(issue);
    return value === 0 ? 0 : value;
  });
}
