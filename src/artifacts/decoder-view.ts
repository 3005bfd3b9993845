import { ts, word } from "../naming/code.js";
import { literal, type TsCode } from "../naming/encoders.js";
import type { Expression } from "../kinds/expression.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import {
  decodedInside,
  encodedInside,
  holdsReferences,
  showsLinked,
} from "../kinds/reference/inner-references.js";
import { decoderName } from "../kinds/reference/reference-code.js";
import type { EntityModel } from "../model/entity-model.js";
import { referencesOf, type ReferenceProperty } from "../model/references.js";
import { objectCode, signatureCode } from "./layout.js";
import { holdsObjects } from "./json-shape-code.js";
import { enumsOf, objectsOf } from "./nested.js";

/** What `partials/decoders.hbs` sees: how references, and what holds them, stand in rows and in JSON. */
export interface DecodersView {
  readonly decoders: readonly DecoderView[];
  readonly codecs: readonly CodecView[];
}

/** The function that makes a reference of a row, or of its identifier. */
interface DecoderView {
  readonly signature: TsCode;
  /** The row of the other entity is looked up; "" where it is not. */
  readonly row: TsCode;
  /** `name: textOf(row.name)` */
  readonly members: readonly { readonly member: TsCode }[];
}

/** The functions between an object that holds references and what its column holds. */
interface CodecView {
  readonly encodeSignature: TsCode;
  readonly encoded: TsCode;
  readonly decodeSignature: TsCode;
  readonly decoded: TsCode;
}

/** Those of an entity. */
export function decodersView(entity: EntityModel): DecodersView {
  return {
    decoders: decodedReferences(entity).map(decoderView),
    codecs: codedObjects(entity).map(codecView),
  };
}

/** The runtime functions that the decoders use. */
export function decoderUses(entity: EntityModel): string[] {
  const held = codedObjects(entity).flatMap(({ properties }) => properties);
  const isNeeded = held.some(({ type, nullable }) => type.kind === "reference" && !nullable);
  return [
    ...decodedReferences(entity).flatMap((reference) =>
      members(reference).flatMap(({ value }) => value.uses),
    ),
    ...(isNeeded ? ["unlessLacking"] : []),
  ];
}

/** The types that they name: of references, of the enums that are embedded, and of objects. */
export function decoderTypes(entity: EntityModel): string[] {
  return [
    ...decodedReferences(entity).flatMap(({ type }) => [
      type.typeName,
      ...(type.target === null ? [] : enumsOf(type.embedded).map((found) => found.type.typeName)),
    ]),
    ...codedObjects(entity).map(({ typeName }) => typeName),
  ];
}

/** Says whether some of them read a row. */
export function decodesRows(entity: EntityModel): boolean {
  return decodedReferences(entity).some(({ isLinked }) => !isLinked);
}

/** Says whether an entity shows properties of others that are read in statements of their own. */
export function readsLinked({ properties }: EntityModel): boolean {
  return properties.some((property) => isLinkedInside(property));
}

/** What the function takes that decodes a row: only what it uses. */
export function decodeParameters(entity: EntityModel): TsCode {
  const linked = readsLinked(entity);
  if (entity.properties.some(holdsObjects)) {
    return linked ? ts`row, linked, json` : ts`row, _linked, json`;
  }
  return linked ? ts`row, linked` : ts`row`;
}

function isLinkedInside({ type }: PropertyModel): boolean {
  return type.kind !== "reference" && showsLinked(type);
}

/** An item of a list that shows its identifier alone needs no function. */
function decodedReferences(entity: EntityModel): ReferenceProperty[] {
  return referencesOf(entity).filter(
    ({ property, type }) => property.type.kind !== "array" || type.embedded.length > 0,
  );
}

function codedObjects({ properties }: EntityModel): ObjectType[] {
  return objectsOf(properties)
    .map(({ type }) => type)
    .filter(holdsReferences);
}

function decoderView(reference: ReferenceProperty): DecoderView {
  const { property, type, isLinked } = reference;
  const id = word(type.identifier.name);
  const isRead = isLinked && showsLinked(type);
  const given = isLinked ? ts`${id}: string` : ts`row: Row`;
  const parameters = isRead ? [given, ts`linked: LinkedRows`] : [given];
  return {
    signature: signatureCode(ts`function ${decoderName(type)}`, parameters, word(type.typeName)),
    row: isRead ? ts`linked.row(${literal(property.path)}, ${id})` : ts``,
    members: members(reference).map(({ name, value }) => ({
      member: name === value.code ? name : ts`${name}: ${value.code}`,
    })),
  };
}

function members({ property, type, isLinked }: ReferenceProperty): {
  readonly name: TsCode;
  readonly value: Expression;
}[] {
  const { identifier, embedded, target } = type;
  const name = word(identifier.name);
  const id = isLinked
    ? { code: name, uses: [] }
    : kindOf(identifier.type).decode(ts`row.${word(property.name)}`, identifier.type, false);
  return [
    { name, value: id },
    ...embedded.map((shown) => ({
      name: word(shown.name),
      value: target === null ? { code: ts`null`, uses: [] } : embeddedValue(shown, isLinked),
    })),
  ];
}

/** A joined column has the path of what it shows. */
function embeddedValue(shown: PropertyModel, isLinked: boolean): Expression {
  const { name, path, type, nullable } = shown;
  const cell = isLinked ? ts`row.${word(name)}` : ts`row[${literal(path)}]`;
  return kindOf(type).decode(cell, type, nullable);
}

function codecView(type: ObjectType): CodecView {
  const local = word(type.localName);
  const typeName = word(type.typeName);
  const held = type.properties.filter((property) => holdsReferences(property.type));
  const over = (code: (value: TsCode, property: PropertyModel) => TsCode): TsCode =>
    objectCode(
      [
        ts`...value`,
        ...held.map((property) => {
          const name = word(property.name);
          return ts`${name}: ${code(ts`value.${name}`, property)}`;
        }),
      ],
      { indent: 2, before: "return ", after: ";" },
    );
  const stored = ts`value: ReturnType<typeof encode${local}>`;
  const parameters = showsLinked(type) ? [stored, ts`linked: LinkedRows`] : [stored];
  return {
    encodeSignature: ts`function encode${local}(value: ${typeName}) {`,
    encoded: over(encodedInside),
    decodeSignature: signatureCode(ts`function decode${local}`, parameters, typeName),
    decoded: over(decodedInside),
  };
}
