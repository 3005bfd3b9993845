import type { ParameterFilter } from "./filters.js";

/** Filters an array by a value that it must contain, read as a filter of its items. */
export function contains(item: ParameterFilter): ParameterFilter {
  return { contains: true, read: item.read };
}
