import { stepOf, type Seed } from "../../samples/seed.js";
import { exactMultiple } from "./exact-multiple.js";
import { isInBounds, type Bounds } from "./bounds.js";

/** The range to choose from if a number has no bounds. */
const ROOM = 900n;

/** A whole number within its bounds; null if there is none. */
export function wholeWithin(bounds: Bounds<bigint>, seed: Seed): bigint | null {
  const least = larger(bounds.minimum, plus(bounds.exclusiveMinimum, 1n));
  const most = smaller(bounds.maximum, plus(bounds.exclusiveMaximum, -1n));
  const step = bounds.multipleOf ?? 1n;
  const from = least ?? (most !== null && most < ROOM * step ? most - ROOM * step : step);
  const first = ceilTo(from, step);
  const room = most === null ? ROOM : (most - first) / step + 1n;
  if (room <= 0n || (most !== null && first > most)) return null;
  const count = room > ROOM ? ROOM : room;
  return first + BigInt(stepOf(seed, Number(count))) * step;
}

/** A number within its bounds, with a fraction where that is allowed; null where none was found. */
export function numberWithin(bounds: Bounds<number>, seed: Seed): number | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = bounds;
  const from = minimum ?? exclusiveMinimum ?? (maximum ?? exclusiveMaximum ?? 1000) - 900;
  const to = maximum ?? exclusiveMaximum ?? from + 900;
  // Quarters and powers of two are exact in binary.
  const room = to - from;
  const step = multipleOf ?? (room >= 4 || room <= 0 ? 0.25 : room / 16);
  const first = Math.ceil(from / step);
  const count = Math.min(1000, Math.max(1, Math.floor(to / step) - first));
  for (let turn = 0; turn <= count; turn += 1) {
    const steps = first + ((stepOf(seed, count) + turn) % (count + 1));
    // Beyond that, steps are lost, and multiples are whatever a float can hold.
    const value = Number.isSafeInteger(steps) ? exactMultiple(steps, step) : steps * step;
    if (isInBounds(value, bounds)) return value;
  }
  return null;
}

function plus(bound: bigint | null, step: bigint): bigint | null {
  return bound === null ? null : bound + step;
}

function larger(left: bigint | null, right: bigint | null): bigint | null {
  if (left === null || right === null) return left ?? right;
  return left > right ? left : right;
}

function smaller(left: bigint | null, right: bigint | null): bigint | null {
  if (left === null || right === null) return left ?? right;
  return left < right ? left : right;
}

function ceilTo(value: bigint, step: bigint): bigint {
  const rest = ((value % step) + step) % step;
  return rest === 0n ? value : value + step - rest;
}
