import type { Bounds } from "../numbers/bounds.js";

/** A 64-bit floating point number. */
export interface NumberType extends Bounds<number> {
  readonly kind: "number";
}
