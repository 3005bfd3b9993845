import { ts, word } from "../naming/code.js";
import { callDoc, objectDoc, printed } from "../naming/doc.js";
import { constantName } from "../naming/constant-name.js";
import { literal, type TsCode } from "../naming/encoders.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { referencesOf } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import { collectionCode } from "./collection-code.js";
import { bodyDto, bodyOperations, type BodyOperation } from "./dtos.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { arrayCode, callCode, objectCode, signatureCode } from "./layout.js";
import { objectsOf, sentObjectsOf, type Nested } from "./nested.js";
import { canBeNew, operationsOf, type OperationsView } from "./operations.js";
import { isReferring } from "./references-code.js";
import { isNamingReferences } from "./projection-code.js";
import {
  inputView,
  isReadWithReferences,
  keptView,
  readerDocs,
  writable,
  type InputSource,
  type InputView,
  type ReadBy,
} from "./reader-view.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import { isShaped, shapeOf, valueNames } from "./shaped.js";
import { ofSchema } from "../naming/imported.js";
import { entityType, ofEntity, ofResource, propertiesType } from "./modules.js";

/** What `resource/validator.ts.hbs` sees. */
export interface ValidatorView extends HeaderView, ResourceNamesView, OperationsView {
  readonly hasReaders: boolean;
  readonly readers: TsCode;
  /** A PUT must hold something. */
  readonly demands: boolean;
  /** It reads with functions of its own: the entity's, which read what own code writes as well, are others. */
  readonly readsItself: boolean;
  readonly objects: readonly ObjectView[];
  readonly known: TsCode;
  /** What a body may hold, and what of that only own code may write. */
  readonly refused: TsCode;
  readonly replaced: TsCode;
  readonly replacedType: TsCode;
  readonly writes: boolean;
  /** `entityBodies({ read: readTicket, replaced: TICKET_REPLACED })` */
  readonly bodies: TsCode;
  readonly readSignature: TsCode;
  readonly properties: readonly InputView[];
  /** What its list can be asked for: `collectionQuery(orderTable, { ... })`. */
  readonly listQuery: TsCode;
}

/** An object of a body: what it may hold, and what reads it. */
export interface ObjectView {
  readonly constant: TsCode;
  /** It holds something else than objects, which have functions of their own. */
  readonly hasReaders: boolean;
  readonly readers: TsCode;
  readonly known: TsCode;
  readonly refused: TsCode;
  readonly readSignature: TsCode;
  readonly properties: readonly InputView[];
}

/** The bodies and queries that a resource accepts. */
export function validatorView(resource: ResourceModel): ValidatorView {
  const { name, properties } = resource;
  const { writes, ...offered } = operationsOf(resource);
  const names = resourceNames(resource);
  const readsItself = writes && !sharesReader(resource);
  const objects = readsItself ? ownObjects(resource) : [];
  const known = [name.idProperty, ...properties.map((property) => property.name)];
  const replaced = writable(properties).filter(
    ({ immutable, addedLater }) => !immutable && !addedLater,
  );
  const { constant } = names;
  const replacedType = ts`readonly (keyof ${bodyType(resource, "replace")})[]`;
  const demands = offered.replaces && replaced.length > 0;
  return {
    ...resourceHeader(resource),
    ...names,
    ...offered,
    listQuery: offered.lists ? collectionCode(resource) : ts``,
    writes,
    bodies: bodiesCode(resource, demands),
    readSignature: ownSignature(resource, isReferring(resource)),
    ...readersView(readsItself ? properties : [], "clients"),
    readsItself,
    demands,
    objects: objects.map((object) => objectView(object, objectSource(resource))),
    known: callCode(ts`@entityNames`, known.map(literal), {
      before: `const ${constant}_NAMES = `,
      after: ";",
    }),
    refused: ts`${constant}_NAMES`,
    replaced: arrayCode(
      replaced.map((property) => literal(property.name)),
      {
        before: `const ${constant}_REPLACED: ${replacedType} = `,
        after: ";",
      },
    ),
    replacedType,
    properties: inputs(resource, ts`${constant}_READERS`),
  };
}

/** What is stored, in its order; what a representation does not show stays as it is (REP-7). */
function inputs(resource: ResourceModel, readers: TsCode): InputView[] {
  const { projection, entity, properties } = resource;
  const isNew = canBeNew(resource);
  if (isShaped(resource)) {
    const names = { projection: valueNames(resource), references: projection };
    const source = { readers, isNew, ...names, readBy: "clients" } as const;
    return properties.map((property) => inputView(property, source));
  }
  return entity.properties.map((stored) => {
    const known = projection.find(({ storedPath }) => storedPath === stored.path);
    const shown = properties.find(({ name }) => name === known?.property);
    return shown === undefined
      ? keptView(stored, { isNew, projection: [] })
      : inputView(shown, { readers, isNew, projection, readBy: "clients" });
  });
}

/** What reads the bodies, with what is stored of those of a version that has a shape of its own (VER-2). */
function bodiesCode(resource: ResourceModel, demands: boolean): TsCode {
  const { name } = resource;
  const conversion = (head: string): TsCode =>
    ofResource(resource, "conversions", head + name.typeName);
  const shaped = isShaped(resource);
  const entries = [
    ts`read: ${ofSchema(`read${name.typeName}`)}`,
    ...(demands ? [ts`replaced: ${word(constantName(name.typeName))}_REPLACED`] : []),
    ...(shaped ? [ts`shown: ${conversion("shown")}`, ts`stored: ${conversion("stored")}`] : []),
  ];
  const bodies = callDoc(shaped ? ts`@convertedBodies` : ts`@entityBodies`, [objectDoc(entries)]);
  return printed(bodies, { before: `export const ${name.singular}Bodies = `, after: ";" });
}

function ownSignature(resource: ResourceModel, refers: boolean): TsCode {
  const { name, conversion, entity } = resource;
  const isOwn = conversion !== null;
  const shown = isOwn
    ? ofResource(resource, "dto", `type ${name.typeName}`)
    : entityType(entity.name);
  return readSignature(
    ts`function read${word(resource.name.typeName)}`,
    ts`@BodyInput<keyof ${bodyType(resource, firstBody(resource))}>`,
    [
      ts`stored: ${shown}${canBeNew(resource) ? ts` | null` : ts``}`,
      ...(refers ? [referencesParameter(resolvedType(resource))] : []),
    ],
    isOwn
      ? ofResource(resource, "dto", `type ${name.typeName}Properties`)
      : propertiesType(entity.name),
  );
}

/** `references: ResolvedTicketReferences` */
export function referencesParameter(resolved: TsCode): TsCode {
  return ts`references: ${resolved}`;
}

/** The readers of all properties but objects. */
function readersView(
  properties: readonly PropertyModel[],
  readBy: ReadBy,
): Pick<ObjectView, "hasReaders" | "readers"> {
  const readers = readerDocs(properties, readBy);
  return { hasReaders: readers.length > 0, readers: objectCode(readers, { expanded: true }) };
}

/** `function readTicket(input: BodyInput<keyof TicketCreateDto>, stored: Ticket | null): TicketProperties {` */
function readSignature(
  head: TsCode,
  body: TsCode,
  given: readonly TsCode[],
  returns: TsCode,
): TsCode {
  return signatureCode(head, [ts`input: ${body}`, ...given], returns);
}

/** What is read of every body: the one that holds most. */
function firstBody(resource: ResourceModel): BodyOperation {
  return bodyOperations(resource)[0] ?? "update";
}

function bodyType(resource: ResourceModel, operation: BodyOperation): TsCode {
  return ofResource(resource, "dto", `type ${bodyDto(resource, operation).name}`);
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
    const told = (one: Nested<ObjectType>, source: ObjectSource): string =>
      JSON.stringify([objectView(one, source), one.type.properties.map(shapeOf)]);
    return told(object, objectSource(resource)) === told(same, entitySource(entity));
  };
  return sentObjectsOf(properties).filter((object) => {
    if (!isShared(object)) return true;
    shared.push(object.type);
    return false;
  });
}

/** What the readers of the objects in a body are given. */
export interface ObjectSource extends Required<
  Pick<InputSource, "projection" | "references" | "readBy">
> {
  /** The type of the resolved references. */
  readonly resolved: TsCode;
}

function objectSource(resource: ResourceModel): ObjectSource {
  return {
    projection: valueNames(resource),
    references: resource.projection,
    resolved: resolvedType(resource),
    readBy: "clients",
  };
}

function entitySource(entity: EntityModel): ObjectSource {
  const resolved = resolvedOf(entity);
  return { projection: [], references: [], resolved, readBy: "everybody" };
}

/** How a nested object is read. */
export function objectView(
  { type }: Nested<ObjectType>,
  { resolved, ...names }: ObjectSource,
  head = ts`function`,
): ObjectView {
  const references = isReadWithReferences(type, names.readBy)
    ? [referencesParameter(resolved)]
    : [];
  const constant = word(constantName(type.typeName));
  const typeName = ofSchema(`type ${type.typeName}`);
  const source = { readers: ts`${constant}_READERS`, isNew: true, ...names };
  const known = arrayCode(
    type.properties.map((property) => literal(property.name)),
    { before: `const ${constant}_NAMES = new Set(`, after: ");" },
  );
  return {
    constant,
    ...readersView(type.properties, names.readBy),
    known: ts`new Set(${known})`,
    refused: ts`${constant}_NAMES`,
    readSignature: readSignature(
      ts`${head} read${word(type.localName)}`,
      ts`@BodyInput`,
      [ts`stored: ${typeName} | null`, ...references],
      typeName,
    ),
    properties: type.properties.map((property) => inputView(property, source)),
  };
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
    (stored) => properties.find((one) => one.name === stored.name) ?? readOnlyOf(stored),
  );
  return JSON.stringify(readingView(entity, shown)) === JSON.stringify(entityReading(entity));
}

/** What an entity is read with, whoever has written it. */
export interface ReadingView extends ObjectView {
  readonly objects: readonly ObjectView[];
  /** What the newest version no longer shows, and own code still writes. */
  readonly gone: TsCode;
  readonly hasGone: boolean;
}

/** How an entity is read in its newest shape. */
export function entityReading(entity: EntityModel): ReadingView {
  return readingView(entity, entityProperties(entity));
}

/** The properties of an entity as its newest version has them: what that no longer shows, clients do not write. */
function entityProperties({ properties, history }: EntityModel): readonly PropertyModel[] {
  const gone = [...history.removed, ...history.converted.flatMap(({ from }) => from)];
  return properties.map((one) => (gone.includes(one.path) ? readOnlyOf(one) : one));
}

function readOnlyOf(property: PropertyModel): PropertyModel {
  return { ...property, readOnly: true };
}

function readingView(entity: EntityModel, properties: readonly PropertyModel[]): ReadingView {
  const { name } = entity;
  const constant = word(constantName(name.typeName));
  const gone = properties.filter(
    ({ readOnly }, index) => readOnly && !entity.properties[index]?.readOnly,
  );
  const known = properties.filter((one) => !gone.includes(one)).map((one) => one.name);
  const { resolved } = entitySource(entity);
  const references = referencesOf(entity).length > 0 ? [referencesParameter(resolved)] : [];
  const type = propertiesType(name);
  const source = { readers: ts`${constant}_READERS`, isNew: true, projection: [] };
  return {
    constant,
    ...readersView(properties, "everybody"),
    known: callCode(ts`@entityNames`, [name.idProperty, ...known].map(literal), {
      before: `const ${constant}_NAMES = `,
      after: ";",
    }),
    gone: arrayCode(
      gone.map((one) => literal(one.name)),
      { before: `const ${constant}_GONE = `, after: ";" },
    ),
    hasGone: gone.length > 0,
    refused: gone.length > 0 ? ts`${constant}_NAMES, ${constant}_GONE` : ts`${constant}_NAMES`,
    objects: objectsOf(properties).map((object) =>
      objectView(object, entitySource(entity), ts`export function`),
    ),
    readSignature: signatureCode(
      ts`export function read${word(name.typeName)}`,
      [ts`input: @BodyInput<keyof ${type}>`, ts`stored: ${type} | null`, ...references],
      type,
    ),
    properties: properties.map((property) =>
      inputView(property, { ...source, readBy: "everybody" }),
    ),
  };
}
