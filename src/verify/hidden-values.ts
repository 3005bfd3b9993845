import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { fitsText } from "../kinds/string/text-values.js";
import { innerType } from "../model/leaves.js";
import type { Json } from "../samples/json.js";
import type { VersionsOfResource } from "./versions-of.js";

/** A value of the newer version that the older one cannot show as it is (VER-2). */
export interface HiddenValue {
  readonly property: PropertyModel;
  /** From the root of a body, through the items of lists. */
  readonly path: string;
  readonly value: Json;
}

/** Values that are shown as others, and those where conversions of own code end: at bounds, and where nothing is. */
export function hiddenValues(
  properties: readonly PropertyModel[],
  { shown, unseen }: Pick<VersionsOfResource, "shown" | "unseen">,
): HiddenValue[] {
  const settable = properties.filter(({ readOnly }) => !readOnly);
  return settable.flatMap((property) => {
    const { name, path, type, nullable } = property;
    const inner = innerType(type);
    const fact = shown.find(({ newer }) => newer === name);
    // What is embedded of others is theirs.
    if (inner.kind === "reference" || unseen.includes(name)) return [];
    if (fact !== undefined && inner.kind === "object") {
      return hiddenValues(inner.properties, { shown: fact.members, unseen: fact.unseen });
    }
    const instead = fact?.instead.map(({ stored }) => (type.kind === "array" ? [stored] : stored));
    const values = instead ?? [...extremes(property), ...(nullable ? [null] : [])];
    return values.map((value) => ({ property, path, value }));
  });
}

function extremes({ type }: PropertyModel): readonly Json[] {
  const { valid } = kindOf(type).samples(type);
  if (type.kind !== "string") return valid;
  const longest = "x".repeat(type.maxLength);
  return fitsText(longest, type) ? [...valid, longest] : valid;
}
