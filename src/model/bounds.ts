import type { Bounds } from "./service-model.js";

/** Whether a number is within its bounds; multiples are not looked at. */
export function isInBounds(value: number, bounds: Bounds<number>): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  return (
    (minimum === null || value >= minimum) &&
    (maximum === null || value <= maximum) &&
    (exclusiveMinimum === null || value > exclusiveMinimum) &&
    (exclusiveMaximum === null || value < exclusiveMaximum)
  );
}
