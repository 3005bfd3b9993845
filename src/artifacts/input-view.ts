import { ts, word } from "../naming/code.js";
import { genericDoc, printed, unionDoc, type Doc } from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { EnumType } from "../kinds/enum/enum-type.js";
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import { canBeLeftOut } from "../kinds/left-out.js";
import { isKept } from "../kinds/property-schema.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { queriedCommonLeaves } from "../model/common-leaves.js";
import type { EntityModel } from "../model/entity-model.js";
import { innerType, membersOf } from "../model/leaves.js";
import { isOlderSide } from "../model/own-pairs.js";
import { emittedEvents } from "./events-code.js";
import { queriedLeaves } from "./nested.js";
import type { ReadBy } from "./reader-code.js";
import { entityType, ofEntity, propertiesType } from "./modules.js";

/** The types of `services.orders`: what it takes, and what it does. */
export interface InputView {
  /** `export type OrderInput = InputOf<OrderProperties>;` */
  readonly input: TsCode;
  /** The type of where they are stored. */
  readonly store: TsCode;
  /** The type of what own code can do with them. */
  readonly service: TsCode;
  readonly where: readonly { readonly name: TsCode; readonly type: TsCode }[];
}

/** What own code gives of an entity, and what it can ask lists for. */
export function inputView(entity: EntityModel): InputView {
  const { name, properties } = entity;
  const { typeName } = name;
  const leaves = [...queriedLeaves(entity), ...queriedCommonLeaves(entity)];
  return {
    input: inputCode(`${typeName}Input`, propertiesType(name), properties),
    store: aliasCode(
      `${typeName}Store`,
      genericDoc(ts`@EntityStore`, [entityType(name), propertiesType(name)]),
    ),
    service: serviceType(entity),
    where: leaves.map(({ path, type }) => ({
      name: key(path),
      type: [...entity.searched, ...entity.searchedOthers].includes(path)
        ? ts`@FilterCondition<${leafType(type, entity)}> | @SearchCondition`
        : ts`@FilterCondition<${leafType(type, entity)}>`,
    })),
  };
}

/** `GivenOrderQuoteAnswer`: an enum of the entity may end in any word, and begins with the name of the entity. */
export function givenName(typeName: string): string {
  return `Given${typeName}`;
}

/** `export type OrderInput = InputOf<OrderProperties, "lines">;` with the paths of what may be left out. */
export function inputCode(
  typeName: string,
  shown: TsCode,
  properties: readonly PropertyModel[],
): TsCode {
  return aliasCode(typeName, inputDoc(shown, optionalPaths(properties, "everybody")));
}

/** `InputOf<OrderProperties, "lines" | "lines.packers">` */
export function inputDoc(shown: Doc, optional: readonly string[]): Doc {
  const paths = optional.length === 0 ? [] : [unionDoc(optional.map(literal))];
  return genericDoc(ts`@InputOf`, [shown, ...paths]);
}

/** `export type Name = Other<One>;` */
export function aliasCode(typeName: string, type: Doc): TsCode {
  const before = `export type ${typeName} = `;
  return ts`export type ${word(typeName)} = ${printed(type, { before, after: ";" })};`;
}

/** Who gives the values: own code, a client with a new entity, or a client with a replacement. */
export type GivenBy = ReadBy | "replacement";

/** The paths that may be left out, without those that can be null. Clients also leave out what only own code writes, and a parent that is named in the path. */
export function optionalPaths(
  properties: readonly PropertyModel[],
  givenBy: GivenBy,
): readonly string[] {
  return properties.flatMap((property) => {
    const { path, type, nullable } = property;
    const inner = innerType(type);
    // An item of a list is whole, also in a replacement.
    const itemsBy = type.kind === "array" && givenBy === "replacement" ? "clients" : givenBy;
    const below = inner.kind === "reference" ? [] : optionalPaths(membersOf(inner), itemsBy);
    return [...(isOptional(property, givenBy) && !nullable ? [path] : []), ...below];
  });
}

function isOptional(property: PropertyModel, givenBy: GivenBy): boolean {
  const { type, readOnly } = property;
  switch (givenBy) {
    case "everybody":
      if (isOlderSide(property)) return true;
      return canBeLeftOut(property) && !(type.kind === "reference" && type.isParent);
    case "clients":
      return canBeLeftOut(property) || readOnly;
    case "replacement":
      return isKept(property) || canBeLeftOut({ ...property, default: null });
  }
}

/** `export type OrderService = EntityService<Order, OrderProperties, OrderInput, OrderWhere>;` */
function serviceType(entity: EntityModel): TsCode {
  const { typeName } = entity.name;
  const type = word(typeName);
  const { name } = entity;
  const events = emittedEvents(entity).map(literal);
  const given = [
    ...[entityType(name), propertiesType(name), ts`${type}Input`, ts`${type}Where`],
    ...(events.length === 0 ? [] : [unionDoc(events)]),
  ];
  return aliasCode(`${typeName}Service`, genericDoc(ts`@EntityService`, given));
}

/** The type that a filter compares with; for a list, the type of its items. */
function leafType(type: PropertyType, entity: EntityModel): TsCode {
  const inner = innerType(type);
  if (inner.kind === "enum" && isNamedHere(inner, entity.name.typeName)) {
    return ofEntity(entity, "entity", `type ${inner.typeName}`, `${inner.typeName}Value`);
  }
  return kindOf(inner).tsType(inner);
}

/** Whether the enum of a property `input`, `where` or `service` is called like a type of this file. */
function isNamedHere({ typeName }: EnumType, entity: string): boolean {
  return ["Input", "Where", "Service"].some((name) => typeName === entity + name);
}
