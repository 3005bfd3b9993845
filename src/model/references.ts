import { innerType } from "./leaves.js";
import type { Operation, ResourceModel } from "./resource-model.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ReferenceType } from "../kinds/reference/reference-type.js";

/** A reference: a property of its own, or the items of a list (REP-4). */
export interface ReferenceProperty {
  readonly property: PropertyModel;
  readonly type: ReferenceType;
  readonly isList: boolean;
}

/** What has properties: an entity, or a resource. */
export interface Holder {
  readonly properties: readonly PropertyModel[];
}

/** Its references, in schema order. */
export function referencesOf({ properties }: Holder): ReferenceProperty[] {
  return properties.flatMap((property) => {
    const type = innerType(property.type);
    const isList = property.type.kind === "array";
    return type.kind === "reference" ? [{ property, type, isList }] : [];
  });
}

/** Says whether requests to a resource need to know where its references lead: for a body, or the parent in the path. */
export function looksUpReferences({
  properties,
  operations,
  parent,
}: Pick<ResourceModel, "properties" | "operations" | "parent">): boolean {
  const hasBodies = operations.some((operation) => WITH_BODY.includes(operation));
  const isNeeded = hasBodies || (parent !== null && operations.includes("list"));
  return isNeeded && referencesOf({ properties }).length > 0;
}

const WITH_BODY: readonly Operation[] = ["create", "replace", "update"];
