import type { EnumType } from "../kinds/enum/enum-type.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { comparedLeaves, innerType, membersOf } from "../model/leaves.js";
import type { Holder } from "../model/references.js";

/** Something that stands somewhere in a resource, with the path that leads to it. */
export interface Nested<T> {
  readonly path: string;
  readonly description: string;
  readonly type: T;
}

/** Every enum of a resource, at any depth, in schema order. */
export function enumsOf(properties: readonly PropertyModel[]): Nested<EnumType>[] {
  return properties.flatMap(({ path, description, type }) => {
    const inner = innerType(type);
    if (inner.kind === "enum") return [{ path, description, type: inner }];
    return enumsOf(membersOf(inner));
  });
}

/** Every nested object of a resource, inner ones first, so that each is declared before it is used. */
export function objectsOf(
  properties: readonly PropertyModel[],
  isWanted: (property: PropertyModel) => boolean = () => true,
): Nested<ObjectType>[] {
  return properties.filter(isWanted).flatMap(({ path, description, type }) => {
    const inner = innerType(type);
    if (inner.kind !== "object") return [];
    return [...objectsOf(inner.properties, isWanted), { path, description, type: inner }];
  });
}

/** Those that a body can hold: what is read only is the service's own, with all that is in it. */
export function sentObjectsOf(properties: readonly PropertyModel[]): Nested<ObjectType>[] {
  return objectsOf(properties, ({ readOnly }) => !readOnly);
}

/** An object as it is answered: one that the schema declares, or a reference and what is embedded in it. */
export type ShownObject = Pick<ObjectType, "typeName" | "localName" | "properties"> & {
  /** What the identifier of a reference is called; null, or left out: it is none. */
  readonly identifier?: string | null;
};

/** Every object that is answered, references among them, inner ones first. */
export function shownObjectsOf(properties: readonly PropertyModel[]): Nested<ShownObject>[] {
  return properties.flatMap(({ path, description, type }) => {
    const inner = innerType(type);
    if (inner.kind !== "object" && inner.kind !== "reference") return [];
    const { typeName, localName } = inner;
    const members = membersOf(inner);
    const identifier = inner.kind === "reference" ? inner.identifier.name : null;
    const shown = { typeName, localName, properties: members, identifier };
    return [...shownObjectsOf(members), { path, description, type: shown }];
  });
}

/** Says whether a body shows values of other entities, which change without the one that embeds them (OPS-10). */
export function embedsOthers({ properties }: Holder): boolean {
  return properties.some(({ type }) => {
    const inner = innerType(type);
    if (inner.kind === "reference") return inner.target !== null && inner.embedded.length > 0;
    return inner.kind === "object" && embedsOthers(inner);
  });
}

/** The leaves that a statement filters or sorts by: those that a query can name, and those of conditions (ALI-1, REP-7). */
export function queriedLeaves({ properties, queried }: EntityModel): PropertyModel[] {
  const named = new Set(queried);
  return comparedLeaves(properties).filter(({ path }) => named.has(path));
}
