import { joined, ts, word } from "../naming/code.js";
import { arrayDoc, callDoc, objectDoc, prefixed, printed, type Doc } from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { referencesOf } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import { collectionCode } from "./collection-code.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { objectsOf, sentObjectsOf, type Nested } from "./nested.js";
import { canBeNew, operationsOf } from "./operations.js";
import { isReferring } from "./references-code.js";
import { isNamingReferences } from "./projection-code.js";
import {
  entityReaderCode,
  hiddenDoc,
  objectReaderCode,
  propertyDoc,
  writtenPaths,
  type InputSource,
} from "./reader-code.js";
import { namesView, resourceNames, type ResourceNamesView } from "./resource-names.js";
import { isShaped, shapeOf, valueNames } from "./shaped.js";
import { ofEntity, ofResource, propertiesType } from "./modules.js";

/** What `resource/validator.ts.hbs` sees. */
export interface ValidatorView extends HeaderView, ResourceNamesView {
  /** The tables that read objects in a body, and the body itself, where those of the entity read something else. */
  readonly objects: readonly { readonly code: TsCode }[];
  readonly readsItself: boolean;
  readonly reader: TsCode;
  readonly writes: boolean;
  /** `entityBodies(orderReader)` */
  readonly bodies: TsCode;
  readonly lists: boolean;
  /** What its list can be asked for: `collectionQuery(orderTable, { ... })`. */
  readonly listQuery: TsCode;
}

/** The bodies and queries that a resource accepts. */
export function validatorView(resource: ResourceModel): ValidatorView {
  const { writes, lists } = operationsOf(resource);
  const readsItself = writes && !sharesReader(resource);
  const source = objectSource(resource);
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    objects: readsItself
      ? ownObjects(resource).map(({ type }) => ({ code: objectReaderCode(type, source) }))
      : [],
    readsItself,
    reader: readsItself ? ownReader(resource) : ts``,
    writes,
    bodies: bodiesCode(resource, readsItself),
    lists,
    listQuery: lists ? collectionCode(resource) : ts``,
  };
}

/** A reader for bodies alone, where that of the entity differs. */
function ownReader(resource: ResourceModel): TsCode {
  const { conversion, entity, name } = resource;
  return entityReaderCode({
    before: ts`const ${word(name.singular)}Reader = `,
    idProperty: name.idProperty,
    type:
      conversion === null
        ? propertiesType(entity.name)
        : ofResource(resource, "dto", `type ${name.typeName}Properties`),
    resolved: isReferring(resource) ? resolvedType(resource) : null,
    properties: inputs(resource),
  });
}

/** What is stored, in its order; what a representation does not show stays as it is (REP-7). */
function inputs(resource: ResourceModel): Doc[] {
  const { projection, entity, properties, version } = resource;
  const isNew = canBeNew(resource);
  const source = { ...objectSource(resource), isNew };
  if (isShaped(resource)) return properties.map((property) => propertyDoc(property, source));
  return entity.properties.map((stored) => {
    const known = projection.find(({ storedPath }) => storedPath === stored.path);
    const shown = properties.find(({ name }) => name === known?.property);
    return shown === undefined
      ? hiddenDoc(stored, { isNew, version })
      : propertyDoc(shown, { ...source, projection });
  });
}

/** What reads the bodies, with what is stored of those of a version that has a shape of its own (VER-2). */
function bodiesCode(resource: ResourceModel, readsItself: boolean): TsCode {
  const { name, entity } = resource;
  const reader = readsItself
    ? ts`${word(name.singular)}Reader`
    : ofEntity(entity, "reader", `${entity.name.singular}Reader`);
  if (!isShaped(resource)) {
    const later = readsItself ? [] : resource.properties.filter(isOptionalInPut);
    const names = prefixed(ts`addedLater: `, arrayDoc(later.map((one) => literal(one.name))));
    const given = later.length === 0 ? [reader] : [reader, objectDoc([names])];
    const before = `export const ${name.singular}Bodies = `;
    return printed(callDoc(ts`@entityBodies`, given), { before, after: ";" });
  }
  const conversion = (head: string): TsCode =>
    ofResource(resource, "conversions", head + name.typeName);
  const entries = [
    ts`...${reader}`,
    ts`shown: ${conversion("shown")}`,
    ts`stored: ${conversion("stored")}`,
  ];
  const bodies = callDoc(ts`@convertedBodies`, [objectDoc(entries)]);
  return printed(bodies, { before: `export const ${name.singular}Bodies = `, after: ";" });
}

/** The objects in a body that are read otherwise than those of the entity, whose file has functions for the others. */
function ownObjects(resource: ResourceModel): Nested<ObjectType>[] {
  const { entity, properties } = resource;
  const stored = objectsOf(entityProperties(entity));
  const shared: ObjectType[] = [];
  const isShared = (object: Nested<ObjectType>): boolean => {
    const { type } = object;
    const same = stored.find((one) => one.type.localName === type.localName);
    if (same === undefined || !objectsOf(type.properties).every((one) => shared.includes(one.type)))
      return false;
    // What is printed names the values of enums alone.
    const told = (one: Nested<ObjectType>, source: InputSource): string =>
      JSON.stringify([objectReaderCode(one.type, source), one.type.properties.map(shapeOf)]);
    return told(object, objectSource(resource)) === told(same, entitySource(entity));
  };
  return sentObjectsOf(properties).filter((object) => {
    if (!isShared(object)) return true;
    shared.push(object.type);
    return false;
  });
}

function objectSource(resource: ResourceModel): InputSource {
  return {
    projection: valueNames(resource),
    references: resource.projection,
    resolved: resolvedType(resource),
    readBy: "clients",
  };
}

function entitySource(entity: EntityModel): InputSource {
  return { projection: [], resolved: resolvedOf(entity), readBy: "everybody" };
}

/** The type of what the references of a body lead to. */
function resolvedType(resource: ResourceModel): TsCode {
  const { entity, name } = resource;
  return isNamingReferences(resource)
    ? ofResource(resource, "projection", `type Resolved${name.typeName}BodyReferences`)
    : resolvedOf(entity);
}

function resolvedOf(entity: EntityModel): TsCode {
  return ofEntity(entity, "references", `type Resolved${entity.name.typeName}References`);
}

/**
 * Whether bodies are read as the entity is that the service's own code has written: then there is one function for both. Only
 * what a version shows in another shape, under other names, or with other bounds has functions of its own.
 */
function sharesReader(resource: ResourceModel): boolean {
  const { entity, properties, name } = resource;
  if (isShaped(resource) || resource.isRepresentation) return false;
  if (isNamingReferences(resource) || name.typeName !== entity.name.typeName) return false;
  if (isReferring(resource) !== referencesOf(entity).length > 0) return false;
  const shown = entity.properties.map(
    (stored) => sharedOf(properties.find((one) => one.name === stored.name)) ?? readOnlyOf(stored),
  );
  return entityReading(entity, shown) === entityReading(entity);
}

/** How an entity is read in its newest shape, from a body or from custom code (REP-9). */
export function entityReading(
  entity: EntityModel,
  properties: readonly PropertyModel[] = entityProperties(entity),
): TsCode {
  const { name, parent } = entity;
  const source = entitySource(entity);
  const isGone = ({ readOnly }: PropertyModel, index: number): boolean =>
    readOnly && entity.properties[index]?.readOnly === false;
  const reader = entityReaderCode({
    before: ts`export const ${word(name.singular)}Reader = `,
    idProperty: name.idProperty,
    type: propertiesType(name),
    resolved: referencesOf(entity).length > 0 ? source.resolved : null,
    properties: properties.map((property, index) =>
      propertyDoc(property, { ...source, isGone: isGone(property, index) }),
    ),
    serviceWritten: writtenPaths(entity.properties, []),
    parent: parent?.property ?? null,
  });
  const objects = objectsOf(properties).map(({ type }) =>
    objectReaderCode(type, source, ts`export const`),
  );
  const { article, words } = namesView(name);
  const told = ts`/** How ${article} ${words} is read, from a body or from custom code (REP-9). */`;
  return joined([...objects, ts`${told}\n${reader}`], "\n\n");
}

/** The properties of an entity as its newest version has them: what that no longer shows, clients do not write. */
function entityProperties({ properties, history }: EntityModel): readonly PropertyModel[] {
  return properties.map((one) => (history.removed.includes(one.path) ? readOnlyOf(one) : one));
}

/** OPS-4: a PUT keeps it where it leaves it out. */
function isOptionalInPut({ addedLater, readOnly, immutable }: PropertyModel): boolean {
  return addedLater && !readOnly && !immutable;
}

/** Only inside objects does it matter to a reader that a property was added later. */
function sharedOf(property: PropertyModel | undefined): PropertyModel | undefined {
  return property && { ...property, addedLater: false };
}

function readOnlyOf(property: PropertyModel): PropertyModel {
  return { ...property, readOnly: true };
}
