import type { PropertyType } from "../kinds.js";
import type { PropertyYaml } from "../property-yaml.js";

/** Any number of values of one type; never null (REP-3). */
export interface ArrayType {
  readonly kind: "array";
  /** Never null: REP-2. */
  readonly items: Exclude<PropertyType, ArrayType>;
  readonly minItems: number;
  readonly maxItems: number;
  readonly uniqueItems: boolean;
}

/** The keywords of an array. */
export interface ArrayYaml {
  readonly items?: PropertyYaml;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}
