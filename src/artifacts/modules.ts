/** A file of an entity, without its ending. */
export type EntityPart =
  | "actions"
  | "entity"
  | "events"
  | "hooks"
  | "input"
  | "reader"
  | "references"
  | "scope"
  | "states"
  | "store";

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

/** Something that files are called after. */
interface Named {
  readonly name: { readonly plural: string };
}

/** Where a file of an entity stands: no version has a part in its path. */
export function entityPath({ name: { plural } }: Named, part: EntityPart): string {
  return `src/generated/entities/${plural}/${plural}.${part}.ts`;
}

/** Where a file of a resource stands. */
export function resourcePath(
  { name: { plural }, version }: Named & { readonly version: string },
  part: ResourcePart,
): string {
  return `src/generated/${version}/${plural}/${plural}.${part}.ts`;
}
