import { upperFirst } from "../naming/resource-name.js";
import { variableName } from "../naming/variable-name.js";
import { byNumber } from "../validate/lineage.js";
import { innerType } from "./leaves.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { PairModel } from "./conversion-model.js";
import type { ResourceModel } from "./resource-model.js";

/** Says whether custom code converts a pair, and not words of the schema. */
export function isCustomPair({ rules }: PairModel): boolean {
  return rules === null;
}

/** Says whether writes of a version make a stored property from the other side of its conversion (VER-2). */
export function isFilledIn({ filled }: PropertyModel, version: string): boolean {
  if (filled === null) return false;
  const { until, after } = filled;
  const isLater = until !== null && byNumber(version, until) > 0;
  return isLater || (after !== null && byNumber(version, after) <= 0);
}

/** Says whether the newest version does not show a stored property, and makes it from what that shows instead. */
export function isOlderSide({ filled }: PropertyModel): boolean {
  return filled !== null && filled.until !== null;
}

/** Says whether writes of a version make any of some stored properties, at any depth. */
export function isAnyFilledIn(properties: readonly PropertyModel[], version: string): boolean {
  return properties.some((property) => {
    const inner = innerType(property.type);
    const held = inner.kind === "object" ? inner.properties : [];
    return isFilledIn(property, version) || isAnyFilledIn(held, version);
  });
}

/** `customersV1ToV2`, `customersAddressV1ToV2`: what the file of a pair exports. */
export function pairExport({ entity }: ResourceModel, { name }: PairModel): string {
  return entity.name.collection + upperFirst(name);
}

/** What the pair was called in migrations from before the resource had its name. */
export function formerExports({ entity }: ResourceModel, { name }: PairModel): readonly string[] {
  const former = entity.history.formerPlurals.map((plural) => variableName(plural, "Resource"));
  return former.map((collection) => collection + upperFirst(name));
}
