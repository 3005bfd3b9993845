import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ObjectStep } from "../validate/object-step.js";
import type { MemberModel, ObjectConversion, ValueModel } from "./conversion-model.js";
import { trace } from "./trace.js";

const SAME: ValueModel = { kind: "same" };

/** How an older version shows values of another type of the same kind (VER-2). */
export function valueBetween(
  shown: PropertyType,
  stored: PropertyType,
  { instead, inner }: Pick<ReturnType<typeof trace>, "instead" | "inner">,
): ValueModel {
  if (shown.kind === "array" && stored.kind === "array") {
    const item = valueBetween(shown.items, stored.items, { instead, inner });
    return item.kind === "same" ? SAME : { kind: "items", item, isUnique: shown.uniqueItems };
  }
  if (shown.kind === "object" && stored.kind === "object") {
    const object = objectBetween(shown.properties, stored.properties, inner);
    return isUnchanged(object) ? SAME : { kind: "object", object };
  }
  if (instead.size === 0) return SAME;
  const pairs = [...instead].map(([value, other]) => ({ stored: value, shown: other }));
  return { kind: "values", instead: pairs };
}

function objectBetween(
  shown: readonly PropertyModel[],
  stored: readonly PropertyModel[],
  steps: readonly ObjectStep[],
): ObjectConversion {
  const members = shown.flatMap((property): MemberModel[] => {
    const found = trace(property.name, steps);
    const origin = stored.find(({ name }) => name === found.name);
    if (origin === undefined) return [];
    return [
      { property, origin, pair: null, value: valueBetween(property.type, origin.type, found) },
    ];
  });
  return { members, hidden: stored.filter((one) => !members.some(({ origin }) => origin === one)) };
}

function isUnchanged({ members, hidden }: ObjectConversion): boolean {
  return (
    hidden.length === 0 &&
    members.every(
      ({ property, origin, value }) => property.name === origin.name && value.kind === "same",
    )
  );
}
