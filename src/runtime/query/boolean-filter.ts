import { Problem } from "../input/problem.js";
import type { ParameterFilter } from "./filters.js";
import { filter } from "./scalar-filter.js";

/** Filters by true or false. */
export function booleanFilter(): ParameterFilter {
  return filter((text) => {
    if (text === "true") return true;
    return text === "false" ? false : new Problem("must be true or false");
  });
}
