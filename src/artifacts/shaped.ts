import { ts, word } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { innerType, membersOf } from "../model/leaves.js";
import { upperFirst } from "../naming/resource-name.js";
import type { MemberModel, PairModel, ValueModel } from "../model/conversion-model.js";
import type { Projection } from "../model/projection.js";
import { referencesOf } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import { dtoName } from "./dtos.js";
import { ofEntity, ofResource, resourcePath } from "./modules.js";
import type { EntityModel } from "../model/entity-model.js";
/** A resource with the conversion that it has (VER-2). */
export type Converted = ResourceModel & {
  readonly conversion: NonNullable<ResourceModel["conversion"]>;
};

/** Says whether a resource has types of its own, and converts what is stored to them and back (VER-2). */
export function isShaped(resource: ResourceModel): resource is Converted {
  return resource.conversion !== null;
}

/** Several files of a resource ask, and all properties are compared for the answer. */
const declaring = new WeakMap<ResourceModel, boolean>();

/** Says whether the types of what it shows are not those of what is stored, apart from what is left out. */
export function declaresTypes(resource: ResourceModel): boolean {
  const known = declaring.get(resource);
  if (known !== undefined) return known;
  const stored = resource.entity.properties.map(shapeOf);
  const isOther = resource.properties.some((one) => !stored.includes(shapeOf(one)));
  declaring.set(resource, isShaped(resource) || isOther);
  return isShaped(resource) || isOther;
}

/** A text that is the same for properties of the same name and type, whatever the type is called. */
export function shapeOf({ name, type, nullable }: PropertyModel): string {
  const inner = innerType(type);
  const held = inner.kind === "enum" ? inner.values : membersOf(inner).map(shapeOf);
  const shown = held.length > 0 ? held : kindOf(inner).tsType(inner);
  return JSON.stringify([name, nullable, type.kind === "array", inner.kind, shown]);
}

/** Its type, or that of what is stored: `stored`. */
export function writtenType(resource: ResourceModel, stored: TsCode): TsCode {
  return declaresTypes(resource)
    ? stored
    : ofResource(resource, "dto", `type ${dtoName(resource.name.typeName)}`);
}

/** A type of what is stored, in a file that has a type of the same name for what is shown: `StoredOrder`. */
export function storedType(entity: EntityModel, typeName: string): TsCode {
  return ofEntity(entity, "entity", `type ${typeName}`, `Stored${typeName}`);
}

/**
 * What values are called in the objects that are read and written: as they are stored, or as they are shown where a
 * conversion comes between; what is embedded is never converted.
 */
export function valueNames(resource: ResourceModel): Projection {
  if (!isShaped(resource)) return resource.projection;
  const references = referencesOf(resource).map(({ property }) => `${property.path}.`);
  return resource.projection.filter(({ property }) =>
    references.some((path) => property.startsWith(path)),
  );
}

/** `CustomerV1ToV2`: its type, in the file of the older version's types. */
export function pairType({ entity }: ResourceModel, { name }: PairModel): string {
  return entity.name.typeName + upperFirst(name);
}

/** `src/custom/conversions/customers-v1-to-v2.ts`; of an object inside: `customers.shipping-address-v1-to-v2.ts` */
export function pairFile({ entity }: ResourceModel, pair: PairModel): string {
  const { path, older, newer, rules } = pair;
  if (rules !== null) return resourcePath({ name: older, version: older.version }, "pairs");
  const place = [entity.name.plural, ...path.split(".").filter(Boolean).map(kebab)].join(".");
  return `src/custom/conversions/${place}-${older.version}-to-${newer.version}.ts`;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The constant with what is converted from the version of a resource to the next: `customerFromV1` (VER-2). */
export function pairsName({ entity, version }: ResourceModel): TsCode {
  return word(`${entity.name.singular}From${upperFirst(version)}`);
}

/** `lines.colour` -> `linesColourConversion` */
export function conversionName({ property }: Pick<MemberModel, "property">): TsCode {
  const [first = "", ...rest] = property.path.split(".");
  return word(`${first}${rest.map(upperFirst).join("")}Conversion`);
}

/** The constant that converts the state; null: there is none, or it is shown as it is stored. */
export function stateConversion({ conversion, entity }: ResourceModel): TsCode | null {
  const stored = entity.states?.property;
  const member = conversion?.members.find(({ origin }) => origin.name === stored);
  return member === undefined || isSame(member.value) ? null : conversionName(member);
}

/** Says whether a value is a list or an object that is converted. */
export function isCompound({ kind }: ValueModel): boolean {
  return kind === "items" || kind === "object";
}

/** Says whether a value is the same in both. */
export function isSame({ kind }: ValueModel): boolean {
  return kind === "same";
}

/** Names in a row: `firstName, lastName`. */
export function nameList(names: readonly string[]): TsCode {
  return names.map(word).join(", ") as TsCode;
}

/** `Pick<CustomerProperties, "name">` */
export function pick(type: TsCode, names: readonly TsCode[]): TsCode {
  return ts`Pick<${type}, ${names.join(" | ") as TsCode}>`;
}
