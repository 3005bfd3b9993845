import { parseDecimal } from "../input/decimal.js";
import type { ParameterFilter } from "./filters.js";
import { filter } from "./scalar-filter.js";

/** Filters a decimal, in any spelling of its value within the scale: `12.5` is `12.50`. */
export function decimalFilter(scale: number): ParameterFilter {
  return filter((text) => parseDecimal(text, scale));
}
