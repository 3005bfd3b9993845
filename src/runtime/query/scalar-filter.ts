import type { Problem } from "../input/problem.js";
import type { FilterValue, ParameterFilter } from "./filters.js";

/** A filter of a property that is not an array. */
export function filter(read: (text: string) => FilterValue | Problem): ParameterFilter {
  return { contains: false, read };
}
