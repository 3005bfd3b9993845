import type { HeldValue, StoredValue } from "#runtime/store/storage-model";
import { kindOf, type PropertyType } from "./kinds.js";
import type { PropertyModel } from "./property-model.js";

/** The column of a property. */
export function storedColumn({
  name,
  type,
  nullable,
}: Pick<PropertyModel, "name" | "type" | "nullable">): StoredValue {
  const kind = kindOf(type);
  return {
    name,
    type: kind.columnType(type),
    nullable,
    encoding: kind.encoding(type),
    bounds: kind.bounds(type),
  };
}

/** What the items of an array are inside JSON. */
export function storedLeaf(type: PropertyType): Required<HeldValue> {
  const kind = kindOf(type);
  return { type: kind.leafType(type), encoding: kind.encoding(type), bounds: kind.bounds(type) };
}

/** The members of an object inside JSON, sorted by name: their order there means nothing. */
export function storedMembers(properties: readonly PropertyModel[]): readonly StoredValue[] {
  return properties
    .map(({ name, type: held, nullable }) => {
      const { type, encoding, bounds } = storedLeaf(held);
      return { name, type, nullable, encoding, bounds };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
