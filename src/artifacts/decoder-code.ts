import { flat, type Doc } from "../naming/doc.js";
import { joined, ts, word } from "../naming/code.js";
import { literal, type TsCode } from "../naming/encoders.js";
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
import { objectsOf } from "./nested.js";
import { ofSchema } from "../naming/imported.js";

/** The functions between references, and what holds them, and what rows and JSON have of those. */
export function decoderFunctions(entity: EntityModel): TsCode[] {
  return [
    ...decodedReferences(entity).map(decoderCode),
    ...codedObjects(entity).flatMap(codecCodes),
  ];
}

/** Says whether an entity shows properties of others that are read in statements of their own. */
function readsLinked({ properties }: EntityModel): boolean {
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

/** The function that makes a reference of a row, or of its identifier. */
function decoderCode(reference: ReferenceProperty): TsCode {
  const { property, type, isLinked } = reference;
  const id = word(type.identifier.name);
  const isRead = isLinked && showsLinked(type);
  const given = isLinked ? ts`${id}: string` : ts`row: @SqlRow`;
  const parameters = isRead ? [given, ts`linked: @LinkedRows`] : [given];
  const made = ofSchema(`type ${type.typeName}`);
  const row = isRead ? ts`  const row = linked.row(${literal(property.path)}, ${id});\n` : ts``;
  const entries = members(reference).map(({ name, value }) =>
    name === value ? name : ts`${name}: ${flat(value)}`,
  );
  return ts`${signatureCode(ts`function ${decoderName(type)}`, parameters, made)}
${row}  return {
    ${joined(entries, ",\n    ")},
  };
}`;
}

function members({ property, type, isLinked }: ReferenceProperty): {
  readonly name: TsCode;
  readonly value: Doc;
}[] {
  const { identifier, embedded, target } = type;
  const name = word(identifier.name);
  const id = isLinked
    ? name
    : kindOf(identifier.type).decode(ts`row.${word(property.name)}`, identifier.type, false);
  return [
    { name, value: id },
    ...embedded.map((shown) => ({
      name: word(shown.name),
      value: target === null ? ts`null` : embeddedValue(shown, isLinked),
    })),
  ];
}

/** A joined column has the path of what it shows. */
function embeddedValue(shown: PropertyModel, isLinked: boolean): Doc {
  const { name, path, type, nullable } = shown;
  const cell = isLinked ? ts`row.${word(name)}` : ts`row[${literal(path)}]`;
  return kindOf(type).decode(cell, type, nullable);
}

/** The functions between an object that holds references and what its column holds. */
function codecCodes(type: ObjectType): TsCode[] {
  const local = word(type.localName);
  const typeName = ofSchema(`type ${type.typeName}`);
  const held = type.properties.filter((property) => holdsReferences(property.type));
  const over = (code: (value: TsCode, property: PropertyModel) => TsCode): TsCode => {
    const entries = held.map((property) => {
      const name = word(property.name);
      return ts`${name}: ${code(ts`value.${name}`, property)}`;
    });
    const around = { indent: 2, before: "return ", after: ";" };
    return ts`  return ${objectCode([ts`...value`, ...entries], around)};\n}`;
  };
  const stored = ts`value: ReturnType<typeof encode${local}>`;
  const parameters = showsLinked(type) ? [stored, ts`linked: @LinkedRows`] : [stored];
  const decode = signatureCode(ts`function decode${local}`, parameters, typeName);
  return [
    ts`function encode${local}(value: ${typeName}) {\n${over(encodedInside)}`,
    ts`${decode}\n${over(decodedInside)}`,
  ];
}
