import { ts, word } from "../naming/code.js";
import type { TsCode } from "../naming/encoders.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { innerType, membersOf } from "../model/leaves.js";
import { upperFirst } from "../naming/resource-name.js";
import {
  pairsIn,
  type MemberModel,
  type PairModel,
  type ValueModel,
} from "../model/conversion-model.js";
import { ownPairs, pairExport } from "../model/own-pairs.js";
import type { Projection } from "../model/projection.js";
import { referencesOf } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import { dtoName } from "./dtos.js";
import { when, type Import } from "./layout.js";
import { besideModule, entityModule } from "./modules.js";

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

/** The DTO that is written as JSON, where it is what is stored, or a part of that. */
export function writtenImport(resource: ResourceModel): Import {
  const names = when(!declaresTypes(resource), `type ${dtoName(resource.name.typeName)}`);
  return { from: besideModule(resource, "dto"), names };
}

/** Its type, or that of what is stored: `stored`. */
export function writtenType(resource: ResourceModel, stored: TsCode): TsCode {
  return declaresTypes(resource) ? stored : word(dtoName(resource.name.typeName));
}

/** The module of the types that a resource reads and writes: its own, or those of what is stored. */
export function typesModule(resource: ResourceModel): string {
  return isShaped(resource)
    ? besideModule(resource, "dto")
    : entityModule(resource.entity, "entity");
}

/** The type of what it shows: `Order`. */
export function shownType({ conversion, name, entity }: ResourceModel): string {
  return conversion === null ? entity.name.typeName : name.typeName;
}

/** What the type of what is stored is called in the file of a resource: `StoredOrder` beside an `Order` of its own. */
export function storedType({ conversion, entity }: ResourceModel, suffix = ""): TsCode {
  const { typeName } = entity.name;
  return word(conversion === null ? typeName + suffix : `Stored${typeName}${suffix}`);
}

/** Imports types of what is stored, under the names that they have in the file of a resource. */
export function storedImport(resource: ResourceModel, names: readonly string[]): Import {
  const own = (name: string): string => (isShaped(resource) ? `${name} as Stored${name}` : name);
  return {
    from: entityModule(resource.entity, "entity"),
    names: names.map((name) => `type ${own(name)}`),
  };
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
export function pairFile({ entity }: ResourceModel, { path, older, newer }: PairModel): string {
  const place = [entity.name.plural, ...path.split(".").filter(Boolean).map(kebab)].join(".");
  return `src/custom/conversions/${place}-${older.version}-to-${newer.version}.ts`;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Imports what the user's file of a pair exports; `toSource` leads from the file that imports to `src`. */
export function pairImport(
  resource: ResourceModel,
  pair: PairModel,
  toSource = "../../../",
): Import {
  const file = pairFile(resource, pair)
    .replace(/^src\//, toSource)
    .replace(/\.ts$/, ".js");
  return { from: file, names: [pairExport(resource, pair)] };
}

/** Says whether the service's own code converts from the version of a resource to the next (VER-2). */
export function hasOwnPair(resource: ResourceModel): boolean {
  return ownPairs(resource).length > 0;
}

/** The constant that says how an older version shows the entity: `customerInV1`; null: custom code converts nothing of it. */
export function olderShapeName(resource: ResourceModel): TsCode | null {
  const { conversion, entity, version, isRepresentation } = resource;
  if (isRepresentation || pairsIn(conversion).length === 0) return null;
  return word(`${entity.name.singular}In${upperFirst(version)}`);
}

/** The module of a pair, as the files of a resource import it: it stands with the resource of its older version. */
export function pairsModule(
  { version, isRepresentation }: ResourceModel,
  { older }: PairModel,
): string {
  if (version === older.version && !isRepresentation) return `./${older.plural}.pairs.js`;
  return `../../${older.version}/${older.plural}/${older.plural}.pairs.js`;
}

/** `lines.colour` -> `linesColourConversion` */
export function conversionName({ property }: Pick<MemberModel, "property">): TsCode {
  const [first = "", ...rest] = property.path.split(".");
  return word(`${first}${rest.map(upperFirst).join("")}Conversion`);
}

/** The constant that converts the state; null: there is none, or it is shown as it is stored. */
export function stateConversion({ conversion, entity }: ResourceModel): TsCode | null {
  const stored = entity.states?.property;
  const member = conversion?.members.find(
    ({ origin, pair }) => pair === null && origin.name === stored,
  );
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
