import type { EntityModel } from "../model/entity-model.js";
import type { ResourceModel } from "../model/resource-model.js";

/** A file of an entity, without its ending. */
export type EntityPart =
  "actions" | "entity" | "hooks" | "input" | "reader" | "references" | "scope" | "states" | "store";

/** A file of a resource, likewise. */
export type ResourcePart =
  | "access"
  | "actions"
  | "aliases"
  | "controller"
  | "conversions"
  | "dto"
  | "pairs"
  | "projection"
  | "serializer"
  | "validator";

type Named = Pick<EntityModel, "name">;

/** Where a file of an entity stands: no version has a part in its path. */
export function entityPath({ name: { plural } }: Named, part: EntityPart): string {
  return `src/generated/entities/${plural}/${plural}.${part}.ts`;
}

/** Where a file of a resource stands. */
export function resourcePath(
  { name: { plural }, version }: Pick<ResourceModel, "name" | "version">,
  part: ResourcePart,
): string {
  return `src/generated/${version}/${plural}/${plural}.${part}.ts`;
}

/** A file of an entity, as the files of a resource import it. */
export function entityModule({ name: { plural } }: Named, part: EntityPart): string {
  return `../../entities/${plural}/${plural}.${part}.js`;
}

/** A file of the same folder, as the others there import it. */
export function besideModule({ name: { plural } }: Named, part: EntityPart | ResourcePart): string {
  return `./${plural}.${part}.js`;
}

/** A file of another resource of the same version. */
export function neighbourModule(plural: string, part: ResourcePart): string {
  return `../${plural}/${plural}.${part}.js`;
}
