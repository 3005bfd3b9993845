import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { isNeeded } from "./anchors.js";
import { reachOf, type Caller } from "./caller.js";

/**
 * What a caller can be sure to send of a body: a reference to what it may not read is left out (AUT-2). Null where the body
 * needs one.
 */
export function sendable(
  properties: readonly PropertyModel[],
  caller: Caller,
): readonly PropertyModel[] | null {
  const sent: PropertyModel[] = [];
  for (const property of properties) {
    const type = sendableType(property.type, caller);
    if (type !== null) sent.push({ ...property, type });
    else if (isNeeded(property)) return null;
  }
  return sent;
}

function sendableType(type: PropertyType, caller: Caller): PropertyType | null {
  switch (type.kind) {
    case "reference": {
      const isOpen = type.target === null || reachOf(type.target, "read", caller) === "all";
      return isOpen ? type : null;
    }
    case "object": {
      const properties = sendable(type.properties, caller);
      return properties && { ...type, properties };
    }
    case "array": {
      const items = sendableType(type.items, caller);
      // An array holds no other arrays.
      return items === null || items.kind === "array" ? null : { ...type, items };
    }
    default:
      return type;
  }
}
