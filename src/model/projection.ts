import type { PropertyModel } from "../kinds/property-model.js";

/** Where one property of a resource is stored, with all that it holds. */
export interface ProjectedProperty {
  /** What clients call it. */
  readonly property: string;
  readonly storedPath: string;
}

/** What a resource shows of its entity, in the order of its properties (REP-7). */
export type Projection = readonly ProjectedProperty[];

/** The projection that shows properties under the names that they are stored under. */
export function identity(properties: readonly PropertyModel[]): Projection {
  return properties.map(({ name }) => ({ property: name, storedPath: name }));
}

/** Where the value at a path is stored; a date that every entity has is not in the projection, and stands under its own name. */
export function storedPathOf(path: string, projection: Projection): string {
  const [name, ...rest] = path.split(".");
  const root = projection.find(({ property }) => property === name);
  return root === undefined ? path : [root.storedPath, ...rest].join(".");
}

/** What the value at a path is called in the object that holds it in what is stored. */
export function storedNameOf(path: string, projection: Projection): string {
  const stored = storedPathOf(path, projection);
  return stored.slice(stored.lastIndexOf(".") + 1);
}
