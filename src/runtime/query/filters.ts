import type { Problem } from "../input/problem.js";

/** What a property is compared with; a decimal is its canonical text. */
export type FilterValue = string | number | boolean;

/** How the parameter of one filterable property is read (QRY-1); types are checked, bounds are not. */
export interface ParameterFilter {
  /** True for an array: it must contain the value (QRY-3). */
  readonly contains: boolean;
  /** True where `<property>.atLeast` and the like are parameters as well (QRY-3). */
  readonly isRange?: true;
  /** True where `<property>.contains` and `<property>.startsWith` are parameters as well (QRY-7). */
  readonly isSearch?: true;
  /** Turns a decoded text, which is never empty, into a value. */
  readonly read: (text: string) => FilterValue | Problem;
}
