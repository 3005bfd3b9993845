import type { BoundsYaml } from "../numbers/bound-keywords.js";
import type { Bounds } from "../numbers/bounds.js";

/** Exact; `scale` fraction digits, 18 digits in all; bounds are decimal strings. */
export interface DecimalType extends Bounds<string> {
  readonly kind: "decimal";
  readonly scale: number;
}

/** The keywords of a decimal. */
export interface DecimalYaml extends BoundsYaml {
  readonly scale?: number;
}
