import type { ResourceName } from "../naming/resource-name.js";
import type { EntityModel } from "./entity-model.js";
import type { Shown } from "./older-version.js";
import type { ResourceModel } from "./resource-model.js";

/** An entity that has not been told what others ask of it. */
export type DeclaredEntity = Pick<
  EntityModel,
  | "source"
  | "name"
  | "description"
  | "properties"
  | "history"
  | "states"
  | "tenant"
  | "parent"
  | "indexes"
  | "uniqueTogether"
>;

/** A resource before its entity is whole. */
export interface DeclaredResource extends Omit<
  ResourceModel,
  "entity" | "guardedChildren" | "isInPaths" | "versionHeaders"
> {
  readonly entity: ResourceName;
}

/** What one schema file says: what is stored, and how its own version shows it. */
export interface Declared {
  readonly entity: DeclaredEntity;
  readonly resource: DeclaredResource;
  /** AUT-2: the property with the identifier of the owner. */
  readonly owner: string | undefined;
  /** VER-2: how a resource follows from what is stored that shows some of its properties; null: as they are. */
  readonly projected: ((names: Names) => Shown) | null;
}

/** What a representation calls properties of the original, in its order, and what its own type is called. */
export interface Names {
  readonly typeName: string;
  readonly names: readonly { readonly property: string; readonly original: string }[];
}
