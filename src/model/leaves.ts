import type { ArrayType } from "../kinds/array/array-type.js";
import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";

/** What an array is an array of; any other type itself. */
export function innerType(type: PropertyType): Exclude<PropertyType, ArrayType> {
  return type.kind === "array" ? type.items : type;
}

/** What a type shows under its own name. */
export function membersOf(type: PropertyType): readonly PropertyModel[] {
  if (type.kind === "reference") return [type.identifier, ...type.embedded];
  return type.kind === "object" ? type.properties : [];
}

/** The properties that have a value of their own, nested ones included: what filters and sorts name. */
export function leavesOf(properties: readonly PropertyModel[]): PropertyModel[] {
  return properties.flatMap((property) => {
    const { type, filterable } = property;
    if (type.kind === "array" && type.items.kind === "reference") {
      const { identifier } = type.items;
      // QRY-3: a list of references is compared by the identifiers that it contains.
      const items = innerType(identifier.type);
      return [{ ...identifier, filterable, type: { ...type, items } }];
    }
    const members = membersOf(type);
    return members.length > 0 ? leavesOf(members) : [property];
  });
}

/** A list of objects, and what has a value of its own in each of them (QRY-10). */
export interface ItemLeaves {
  readonly list: PropertyModel;
  readonly leaves: readonly PropertyModel[];
}

/** Everything with a value of its own that a filter can name, what is inside the items of lists included. */
export function comparedLeaves(properties: readonly PropertyModel[]): PropertyModel[] {
  return [...leavesOf(properties), ...itemLeavesOf(properties).flatMap(({ leaves }) => leaves)];
}

/** Every list of objects that is not inside another list. */
export function itemLeavesOf(properties: readonly PropertyModel[]): ItemLeaves[] {
  return properties.flatMap((property) => {
    const { type } = property;
    if (type.kind === "object") return itemLeavesOf(type.properties);
    if (type.kind !== "array" || type.items.kind !== "object") return [];
    const leaves = leavesOf(type.items.properties);
    return [{ list: property, leaves: leaves.filter((leaf) => leaf.type.kind !== "array") }];
  });
}

/** The list of objects whose items a path leads into; null where it leads into none. */
export function listAround(
  path: string,
  properties: readonly PropertyModel[],
): PropertyModel | null {
  const found = itemLeavesOf(properties).find(({ list }) => path.startsWith(`${list.path}.`));
  return found?.list ?? null;
}

/** What a list can be filtered by: properties, and the common fields that the resource opens (QRY-1). */
export function filterLeaves({
  properties,
  commonFilters,
}: {
  readonly properties: readonly PropertyModel[];
  readonly commonFilters: readonly PropertyModel[];
}): PropertyModel[] {
  return [
    ...comparedLeaves(properties).filter(({ filterable }) => filterable !== false),
    ...commonFilters,
  ];
}
