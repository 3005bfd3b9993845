import type { ParameterFilter } from "./filters.js";

/** Filters by bounds as well: `priority.atLeast=3` (QRY-3). */
export function range(filter: ParameterFilter): ParameterFilter {
  return { ...filter, isRange: true };
}
