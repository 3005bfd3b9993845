import { losesFraction } from "../input/json-scan.js";
import { finiteIssue } from "../input/number-reader.js";
import { Problem } from "../input/problem.js";
import type { ParameterFilter } from "./filters.js";
import { filter } from "./scalar-filter.js";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Filters a number, written as in JSON. */
export function numberFilter(): ParameterFilter {
  return filter((text) => {
    if (!NUMBER.test(text)) return new Problem("must be a number");
    const value = Number(text);
    // One that cannot be kept equals nothing that is stored.
    const issue = finiteIssue(losesFraction(text.replace(/^-/, "")) ? Infinity : value);
    if (issue !== null) return new Problem(issue);
    return value === 0 ? 0 : value;
  });
}
