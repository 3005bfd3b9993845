import { boundedNumber } from "./bounded-number.js";
import type { Bounds } from "./bounds.js";
import type { Reader } from "./reader.js";

/** Reads a whole number within 53 bits; `1.0` is one, and `-0` is 0. */
export function integer(bounds: Bounds<number> = {}): Reader<number> {
  return boundedNumber("a whole number", wholeIssue, bounds);
}

/** What is wrong with a number that is not whole, or beyond 53 bits; null where nothing is. */
export function wholeIssue(value: number): string | null {
  if (Number.isSafeInteger(value)) return null;
  return Number.isInteger(value) || !Number.isFinite(value)
    ? `must be a whole number between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`
    : "must be a whole number";
}
