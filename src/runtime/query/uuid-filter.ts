import { parseIdentifier } from "../base/identifiers.js";
import { Problem } from "../input/problem.js";
import { UUID_FORM } from "../input/uuid-form.js";
import type { ParameterFilter } from "./filters.js";
import { filter } from "./scalar-filter.js";

/** Filters a UUID, in upper or lower case. */
export function uuidFilter(): ParameterFilter {
  return filter((text) => parseIdentifier(text) ?? new Problem(`must be ${UUID_FORM}`));
}
