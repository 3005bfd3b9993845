import type { ResourceName } from "../naming/resource-name.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { innerType, membersOf } from "../model/leaves.js";
import { referencesOf, type Holder, type ReferenceProperty } from "../model/references.js";
import { neededCount } from "./test-values.js";

/** A reference that has to lead somewhere before a body is accepted, and where to (REP-4). */
export interface Needed extends ReferenceProperty {
  readonly name: ResourceName;
}

/** Those of a body. */
export function neededReferences({ properties }: Holder): Needed[] {
  return referencesOf({ properties }).flatMap((reference) => {
    const { property, type } = reference;
    const isSent = !holdersOf(property.path, properties).some(({ readOnly }) => readOnly);
    if (neededCount(property) === 0 || type.target === null || !isSent) return [];
    return [{ ...reference, name: type.target.name }];
  });
}

/** The property at a path, and those that hold it. */
function holdersOf(path: string, properties: readonly PropertyModel[]): PropertyModel[] {
  return properties.flatMap((property) => {
    if (property.path !== path && !path.startsWith(`${property.path}.`)) return [];
    return [property, ...holdersOf(path, membersOf(innerType(property.type)))];
  });
}
