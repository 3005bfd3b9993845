import { isTimestamp } from "../base/timestamp-text.js";
import { Problem } from "../input/problem.js";
import { TIMESTAMP_FORM } from "../input/timestamp-form.js";
import type { ParameterFilter } from "./filters.js";
import { filter } from "./scalar-filter.js";

/** Filters a time, in the contract's one form (REP-1). */
export function timestampFilter(): ParameterFilter {
  return filter((text) => (isTimestamp(text) ? text : new Problem(`must be ${TIMESTAMP_FORM}`)));
}
