import type { ResourceName } from "../naming/resource-name.js";
import { derivedName } from "../naming/derived-names.js";
import type { TsCode } from "../naming/encoders.js";
import { imported } from "../naming/imported.js";

/** A file of an entity, without its ending. */
export type EntityPart =
  | "actions"
  | "entity"
  | "events"
  | "hooks"
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

/** Where the custom code of an entity stands. */
export function customPath({ plural }: Pick<ResourceName, "plural">): string {
  return `src/custom/${plural}.ts`;
}

/** What a file of an entity exports, as code of another: `type TicketInput`, or `ticketReader`. */
export function ofEntity(entity: Named, part: EntityPart, exported: string, name?: string): TsCode {
  return imported(entityPath(entity, part), exported, name);
}

/** What a file of a resource exports: `type TicketDto`, or `ticketAccess`. */
export function ofResource(
  resource: Named & { readonly version: string },
  part: ResourcePart,
  exported: string,
  name?: string,
): TsCode {
  return imported(resourcePath(resource, part), exported, name);
}

interface Served {
  readonly name: Called;
  readonly version: string;
}

type Called = Pick<ResourceName, "plural" | "singular" | "typeName">;

/** The type of an entity: `Ticket`. */
export function entityType(name: Called): TsCode {
  return ofEntity({ name }, "entity", `type ${name.typeName}`);
}

/** `TicketProperties`, without its identifier and the common fields. */
export function propertiesType(name: Called): TsCode {
  return ofEntity({ name }, "entity", `type ${derivedName(name.typeName, "Properties")}`);
}

/** The type of what custom code does for the actions of an entity: `TicketActions`. */
export function actionsType(name: Called): TsCode {
  return ofEntity({ name }, "actions", `type ${derivedName(name.typeName, "Actions")}`);
}

/** What selects the entities that a caller may see: `ticketScope` (AUT-2). */
export function scopeOfEntity(name: Called): TsCode {
  return ofEntity({ name }, "scope", derivedName(name.singular, "Scope"));
}

/** What writes an entity as a resource shows it: `writeTicket`. */
export function writerOf(resource: Served): TsCode {
  return ofResource(resource, "serializer", `write${resource.name.typeName}`);
}

/** Where an entity is stored: `ticketTable`. */
export function tableOf(name: Called): TsCode {
  return ofEntity({ name }, "store", derivedName(name.singular, "Table"));
}

/** The custom code of an entity: `ticketHooks`. */
export function hooksOf({ collection, plural, singular }: ResourceName): TsCode {
  return imported(customPath({ plural }), collection, `${singular}Hooks`);
}

/** Who may do what with a resource: `ticketAccess` (AUT-2). */
export function accessOf({ singular, plural }: Omit<Called, "typeName">, version: string): TsCode {
  return ofResource({ name: { plural }, version }, "access", derivedName(singular, "Access"));
}
