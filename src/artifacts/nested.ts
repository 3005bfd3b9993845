import type {
  ArrayType,
  EnumType,
  ObjectType,
  PropertyModel,
  PropertyType,
  ResourceModel,
} from "../model/service-model.js";

/** An enum or an object that stands somewhere in a resource, with the path that leads to it. */
export interface Nested<T extends EnumType | ObjectType> {
  readonly path: string;
  readonly description: string;
  readonly type: T;
}

/** Every enum of a resource, at any depth, in schema order. */
export function enumsOf(properties: readonly PropertyModel[]): Nested<EnumType>[] {
  return properties.flatMap(({ path, description, type }) => {
    const inner = innerType(type);
    if (inner.kind === "enum") return [{ path, description, type: inner }];
    return inner.kind === "object" ? enumsOf(inner.properties) : [];
  });
}

/** Every nested object of a resource, inner ones first, so that each is declared before it is used. */
export function objectsOf(properties: readonly PropertyModel[]): Nested<ObjectType>[] {
  return properties.flatMap(({ path, description, type }) => {
    const inner = innerType(type);
    if (inner.kind !== "object") return [];
    return [...objectsOf(inner.properties), { path, description, type: inner }];
  });
}

/** What an array is an array of; any other type itself. */
export function innerType(type: PropertyType): Exclude<PropertyType, ArrayType> {
  return type.kind === "array" ? type.items : type;
}

/** The properties that have a value of their own, nested ones included: what filters and sorts name. */
export function leavesOf(properties: readonly PropertyModel[]): PropertyModel[] {
  return properties.flatMap((property) =>
    property.type.kind === "object" ? leavesOf(property.type.properties) : [property],
  );
}

/** The leaves that a statement filters or sorts by: those that a query can name, and those of the aliases (ALI-1). */
export function queriedLeaves({ properties, aliases }: ResourceModel): PropertyModel[] {
  const named = new Set(aliases.flatMap(({ conditions }) => conditions.map(({ path }) => path)));
  return leavesOf(properties).filter(
    ({ filterable, sortable, path }) => filterable || sortable || named.has(path),
  );
}
