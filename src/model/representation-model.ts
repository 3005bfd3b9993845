import type { PropertyModel } from "../kinds/property-model.js";
import type { ConditionModel } from "./alias-model.js";

/** What a representation leaves of the resource that it represents (REP-7). */
export interface RepresentationModel {
  /** Which objects it shows; all of them must hold, and none means every object. */
  readonly conditions: readonly ConditionModel[];
  /** What the original has, in its order, under its own names. */
  readonly original: readonly PropertyModel[];
}
