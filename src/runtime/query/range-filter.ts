import type { ParameterFilter } from "./filters.js";

/** Filters by bounds as well: `priority.atLeast=3` (QRY-3). */
export function range(filter: ParameterFilter): ParameterFilter {
  return { ...filter, isRange: true };
}

/** Filters by parts of a text as well: `name.contains=ann` (QRY-7). */
export function search(filter: ParameterFilter): ParameterFilter {
  return { ...filter, isSearch: true };
}
