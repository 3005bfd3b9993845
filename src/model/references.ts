import { innerType } from "./leaves.js";
import type { Operation, PathModel, ResourceModel } from "./resource-model.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { takeReferences } from "../kinds/reference/inner-references.js";
import type { ReferenceType } from "../kinds/reference/reference-type.js";

/** A reference, wherever it stands (REP-4): a property of its own, inside an object, in the items of an array, or the item. */
export interface ReferenceProperty {
  /** The property that refers, or that lists what it refers to. */
  readonly property: PropertyModel;
  readonly type: ReferenceType;
  /** An entity has any number of them: it stands in an array. */
  readonly isList: boolean;
  /** It has no column of its own, so that a table of links keeps what it leads to. */
  readonly isLinked: boolean;
}

/** What has properties: an entity, a resource, or an object in one. */
export interface Holder {
  readonly properties: readonly PropertyModel[];
}

/** Its references at every depth, in schema order. */
export function referencesOf({ properties }: Holder): ReferenceProperty[] {
  return referencesAmong(properties, false);
}

function referencesAmong(
  properties: readonly PropertyModel[],
  isInItems: boolean,
): ReferenceProperty[] {
  return properties.flatMap((property) => {
    const isList = isInItems || property.type.kind === "array";
    const type = innerType(property.type);
    if (type.kind === "object") return referencesAmong(type.properties, isList);
    const isLinked = isList || isNested(property.path);
    return type.kind === "reference" ? [{ property, type, isList, isLinked }] : [];
  });
}

/** Says whether a path leads into an object, or the items of an array. */
export function isNested(path: string): boolean {
  return path.includes(".");
}

/** CHD-1: the resources under whose entities one is listed and created, its parent first. */
export function pathsOf({
  parent,
  listedUnder,
}: Pick<ResourceModel, "parent" | "listedUnder">): readonly PathModel[] {
  return [...(parent === null ? [] : [parent]), ...listedUnder];
}

/** Says whether requests to a resource need to know where its references lead: for a body, or the parent in the path. */
export function looksUpReferences({
  properties,
  operations,
  ...rest
}: Pick<ResourceModel, "properties" | "operations" | "parent" | "listedUnder">): boolean {
  const hasBodies = operations.some((operation) => WITH_BODY.includes(operation));
  const isNeeded = hasBodies || (pathsOf(rest).length > 0 && operations.includes("list"));
  return isNeeded && takeReferences(properties);
}

const WITH_BODY: readonly Operation[] = ["create", "replace", "update"];
