import type { Bounds } from "../numbers/bounds.js";

/** A whole number within 53 bits. */
export interface IntegerType extends Bounds<number> {
  readonly kind: "integer";
}
