import type { PropertyModel } from "../kinds/property-model.js";
import type { Instead } from "./conversion-model.js";

/** Where one property of a resource is stored, with all that it holds but for what has an entry of its own. */
export interface ProjectedProperty {
  /** What clients call it: a path, where it stands in another property. */
  readonly property: string;
  readonly storedPath: string;
  /** What is shown instead of some of the values that are stored (VER-2). */
  readonly instead: readonly Instead[];
}

/** What a resource shows of its entity, in the order of its properties (REP-7, VER-2). */
export type Projection = readonly ProjectedProperty[];

/** The projection that shows properties under the names that they are stored under. */
export function identity(properties: readonly PropertyModel[]): Projection {
  return properties.map(({ name }) => ({ property: name, storedPath: name, instead: [] }));
}

/** Where the value at a path is stored; a date that every entity has is not in the projection, and stands under its own name. */
export function storedPathOf(path: string, projection: Projection): string {
  const entry = entryOf(path, projection);
  return entry === undefined ? path : entry.storedPath + path.slice(entry.property.length);
}

/** What no two entities share together, in the names of a resource; a list of which not all is shown is left out. */
export function uniqueLists({
  entity,
  projection,
}: {
  readonly entity: { readonly uniqueTogether: readonly (readonly string[])[] };
  readonly projection: Projection;
}): readonly (readonly string[])[] {
  return entity.uniqueTogether
    .map((names) =>
      names.map((name) => projection.find(({ storedPath }) => storedPath === name)?.property),
    )
    .map((names) => names.filter((name) => name !== undefined))
    .filter((names, index) => names.length === entity.uniqueTogether[index]?.length);
}

/** What the value at a path is called in the object that holds it in what is stored. */
export function storedNameOf(path: string, projection: Projection): string {
  const stored = storedPathOf(path, projection);
  return stored.slice(stored.lastIndexOf(".") + 1);
}

/** What is shown instead of stored values at a path. */
export function insteadAt(path: string, projection: Projection): readonly Instead[] {
  const entry = entryOf(path, projection);
  return entry?.property === path ? entry.instead : [];
}

/** Likewise, of the property that is stored at a path. */
export function insteadOfStored(storedPath: string, projection: Projection): readonly Instead[] {
  return projection.find((one) => one.storedPath === storedPath)?.instead ?? [];
}

/** The stored values that are shown as one. */
export function meantBy(shown: string, instead: readonly Instead[]): readonly string[] {
  return [shown, ...instead.filter((one) => one.shown === shown).map(({ stored }) => stored)];
}

/** The entry of a path, or of the nearest object that holds it. */
function entryOf(path: string, projection: Projection): ProjectedProperty | undefined {
  let near: ProjectedProperty | undefined;
  for (const entry of projection) {
    const isHolder = path === entry.property || path.startsWith(`${entry.property}.`);
    if (isHolder && entry.property.length > (near?.property.length ?? -1)) near = entry;
  }
  return near;
}
