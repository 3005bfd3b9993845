import { suggestion } from "../base/nearest.js";
import { choiceForm } from "../input/enum-reader.js";
import { Problem } from "../input/problem.js";
import type { ParameterFilter } from "./filters.js";
import { filter } from "./scalar-filter.js";

/** Filters an enum by one of its values. */
export function enumFilter(values: readonly string[]): ParameterFilter {
  const known = new Set(values);
  return filter((text) =>
    known.has(text) ? text : new Problem(`must be ${choiceForm(values, suggestion(text, values))}`),
  );
}
