import type { PropertyModel } from "./property-model.js";

/** Whether a new entity's body may leave the property out: what can be null, empty or preset (REP-2), or the path says. */
export function canBeLeftOut({ type, nullable, default: preset }: PropertyModel): boolean {
  if (type.kind === "array") return type.minItems === 0;
  // CHD-2: the path names the parent already.
  if (type.kind === "reference" && type.isParent) return true;
  return nullable || preset !== null;
}
