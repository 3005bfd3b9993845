import type { Samples } from "../kind-samples.js";
import { exactMultiple } from "./exact-multiple.js";
import { isInBounds, type Bounds } from "./bounds.js";

/** Samples at the bounds and just outside them. `step` is the smallest difference. */
export function boundSamples(type: Bounds<number>, step: number): Samples {
  const low = lowest(type, step);
  const high = highest(type, step);
  const near = low ?? (high === null ? multiple(0, type) : Math.min(0, high));
  // Steps are lost beside a bound that is huge, and the tests count up from 0.
  const middle = near + step === near && isInBounds(0, type) ? [0] : [];
  const valid = [near, ...(low === null || high === null ? [] : [high]), ...middle];
  const outside = [
    ...(type.minimum === null ? [] : [type.minimum - step]),
    ...(type.maximum === null ? [] : [type.maximum + step]),
    ...[type.exclusiveMinimum, type.exclusiveMaximum].filter((bound) => bound !== null),
  ];
  // There, a value outside is one inside.
  const wrong = outside.filter((value) => !isInBounds(value, type));
  return {
    valid: type.multipleOf === null ? valid : [multiple(near, type)],
    invalid: ["one", true, ...wrong],
  };
}

function lowest(type: Bounds<number>, step: number): number | null {
  return type.minimum ?? (type.exclusiveMinimum === null ? null : type.exclusiveMinimum + step);
}

function highest(type: Bounds<number>, step: number): number | null {
  return type.maximum ?? (type.exclusiveMaximum === null ? null : type.exclusiveMaximum - step);
}

/** The first multiple at or above `from`. */
function multiple(from: number, { multipleOf }: Bounds<number>): number {
  return multipleOf === null ? from : exactMultiple(Math.ceil(from / multipleOf), multipleOf);
}
