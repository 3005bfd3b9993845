import { boundedNumber } from "./bounded-number.js";
import type { Bounds } from "./bounds.js";
import type { Reader } from "./reader.js";

/** Reads a finite number; `-0` is 0. */
export function number(bounds: Bounds<number> = {}): Reader<number> {
  return boundedNumber("a number", finiteIssue, bounds);
}

/** What is wrong with a number too large for a double (`1e999`); null where nothing is. */
export function finiteIssue(value: number): string | null {
  return Number.isFinite(value) ? null : "must be a number that 64 bits can hold";
}
