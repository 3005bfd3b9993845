import type { ResourceName } from "../naming/resource-name.js";
import type { EntityModel } from "./entity-model.js";
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
}
