import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ReferenceTarget, ReferenceType } from "../kinds/reference/reference-type.js";
import { innerType, membersOf } from "../model/leaves.js";
import type { Holder } from "../model/references.js";
import { isNeeded, type Anchors } from "./anchors.js";
import { reachOf, type Caller } from "./caller.js";

/**
 * What a caller can be sure to send of a body: a reference to what there is not, or to what it may not read, is left out
 * (AUT-2). Null where the body needs one.
 */
export function sendable(
  properties: readonly PropertyModel[],
  caller: Caller,
  anchors: Anchors,
): readonly PropertyModel[] | null {
  return sendableOf(properties, ({ target }) => {
    if (target === null) return true;
    return readsAll(target, caller) && anchors.of(target.name.plural).length > 0;
  });
}

/** Whether an entity has to refer, at any depth, to what this caller may not read. */
export function needsOthers({ properties }: Holder, caller: Caller): boolean {
  const isOpen = ({ target, isParent }: ReferenceType): boolean =>
    isParent || target === null || readsAll(target, caller);
  return sendableOf(properties, isOpen) === null;
}

/** Whether a body can hold what stands at a path: what is read only is the service's own, with all that is in it. */
export function isSendable(properties: readonly PropertyModel[], path: string): boolean {
  const [name, ...rest] = path.split(".");
  const property = properties.find((one) => one.name === name);
  if (property === undefined || property.readOnly) return false;
  return rest.length === 0 || isSendable(membersOf(innerType(property.type)), rest.join("."));
}

function readsAll(target: ReferenceTarget, caller: Caller): boolean {
  return reachOf(target, "read", caller) === "all";
}

/** What anybody can send of a body without a reference to anything of this service; null where the body needs one. */
export function withoutOthers(
  properties: readonly PropertyModel[],
): readonly PropertyModel[] | null {
  return sendableOf(properties, ({ target }) => target === null);
}

type IsOpen = (reference: ReferenceType) => boolean;

function sendableOf(
  properties: readonly PropertyModel[],
  isOpen: IsOpen,
): readonly PropertyModel[] | null {
  const sent: PropertyModel[] = [];
  for (const property of properties) {
    const type = sendableType(property.type, isOpen);
    if (type !== null) sent.push({ ...property, type });
    else if (isNeeded(property)) return null;
  }
  return sent;
}

function sendableType(type: PropertyType, isOpen: IsOpen): PropertyType | null {
  switch (type.kind) {
    case "reference":
      return isOpen(type) ? type : null;
    case "object": {
      const properties = sendableOf(type.properties, isOpen);
      return properties && { ...type, properties };
    }
    case "array": {
      const items = sendableType(type.items, isOpen);
      // An array holds no other arrays.
      return items === null || items.kind === "array" ? null : { ...type, items };
    }
    default:
      return type;
  }
}
