import { ts, word } from "../naming/code.js";
import { literal, type TsCode } from "../naming/encoders.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { referencesOf } from "../model/references.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { arrayCode, callCode, importCode } from "./layout.js";
import { besideModule } from "./modules.js";
import { objectsOf } from "./nested.js";
import { inputView, readerUses, type InputView } from "./reader-view.js";
import { namesView, type NamesView } from "./resource-names.js";
import {
  isConstant,
  objectView,
  readerImports,
  readersView,
  readSignature,
  referencesParameter,
  type ObjectView,
} from "./validator-view.js";
import { runtime } from "./runtime-modules.js";

/** What `entity/reader.ts.hbs` sees. */
export interface EntityReaderView extends HeaderView, NamesView {
  readonly imports: TsCode;
  readonly hasReaders: boolean;
  readonly readers: TsCode;
  readonly known: TsCode;
  readonly objects: readonly ObjectView[];
  readonly serviceWritten: TsCode;
  /** The name of the reference to the parent, or `null`. */
  readonly parent: TsCode;
  readonly readSignature: TsCode;
  readonly properties: readonly InputView[];
}

/** How an entity is read that the service's own code has written (REP-9). */
export function entityReaderView(entity: EntityModel): EntityReaderView {
  const { name, parent } = entity;
  const names = namesView(name);
  const properties = writtenByService(entity.properties);
  const known = [name.idProperty, ...properties.map((property) => property.name)];
  const readers = ts`${names.constant}_READERS`;
  const own = entity.properties.filter(({ readOnly }) => readOnly);
  return {
    ...entityHeader(entity),
    ...names,
    imports: imports(entity, properties),
    ...readersView(properties),
    known: callCode(ts`entityNames`, known.map(literal), {
      before: `const ${names.constant}_NAMES = `,
      after: ";",
    }),
    objects: objectsOf(properties).map((object) =>
      objectView(object, { projection: [], references: [], resolved: resolvedType(entity) }),
    ),
    serviceWritten: arrayCode(
      own.map((property) => literal(property.name)),
      { indent: 2, before: "serviceWritten: ", after: "," },
    ),
    parent: parent === null ? ts`null` : literal(parent.property),
    readSignature: signature(entity),
    properties: properties.map((property) =>
      inputView(property, { readers, isNew: true, projection: [] }),
    ),
  };
}

/** The same properties as the service's own code sees them: it writes those, too, that clients only read. */
function writtenByService(properties: readonly PropertyModel[]): PropertyModel[] {
  return properties.map((property) => {
    const { type } = property;
    const written = { ...property, readOnly: false, addedLater: false };
    if (type.kind === "object") return { ...written, type: wholeObject(type) };
    if (type.kind === "array" && type.items.kind === "object") {
      return { ...written, type: { ...type, items: wholeObject(type.items) } };
    }
    return written;
  });
}

function wholeObject(type: ObjectType): ObjectType {
  return { ...type, properties: writtenByService(type.properties) };
}

function signature(entity: EntityModel): TsCode {
  const { typeName } = entity.name;
  const type = ts`${word(typeName)}Properties`;
  const references = isReferring(entity) ? [referencesParameter(resolvedType(entity))] : [];
  return readSignature(typeName, [ts`stored: ${type} | null`, ...references], type);
}

function imports(entity: EntityModel, properties: readonly PropertyModel[]): TsCode {
  const { typeName } = entity.name;
  const objects = objectsOf(properties);
  const reading = [properties, ...objects.map(({ type }) => type.properties)].flatMap(readerUses);
  const types = [`${typeName}Properties`, ...objects.map(({ type }) => type.typeName)];
  const usesObject = reading.includes("object");
  return importCode([
    { from: runtime("entity/entity-parts"), names: ["type EntityReader"] },
    {
      from: runtime("input/body-input"),
      names: ["type BodyInput", "entityNames", ...(usesObject ? ["object"] : [])],
    },
    ...readerImports(reading),
    {
      from: besideModule(entity, "entity"),
      names: [...reading.filter(isConstant), ...types.map((type) => `type ${type}`)],
    },
    {
      from: besideModule(entity, "references"),
      names: isReferring(entity) ? [`type ${resolvedType(entity)}`] : [],
    },
  ]);
}

function resolvedType({ name }: EntityModel): string {
  return `Resolved${name.typeName}References`;
}

function isReferring(entity: EntityModel): boolean {
  return referencesOf(entity).length > 0;
}
