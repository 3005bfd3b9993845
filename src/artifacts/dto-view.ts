import { joined, pathText, ts, word } from "../naming/code.js";
import { doc, type DocComment } from "../naming/doc-comment.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { genericDoc, unionDoc, type Doc } from "../naming/doc.js";
import type { EnumType } from "../kinds/enum/enum-type.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { hasInput, type ActionModel } from "../model/action-model.js";
import type { PairModel } from "../model/conversion-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { isNested } from "../model/references.js";
import { upperFirst } from "../naming/resource-name.js";
import type { ResourceModel } from "../model/resource-model.js";
import {
  declaredBy,
  type Declared,
  fieldView,
  typesView,
  type FieldView,
  type TypesView,
} from "./entity-view.js";
import { answeredDto, bodyDto, dtoName, pageDto, purposeOf, sentDto, type Dto } from "./dtos.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { aliasCode, inputDoc, optionalPaths, type GivenBy } from "./input-view.js";
import { enumsOf, objectsOf, type Nested, type ShownObject } from "./nested.js";
import { operationsOf } from "./operations.js";
import { ownTypes } from "./own-answers.js";
import { writable } from "./reader-code.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import { declaresTypes, isShaped, pairFile, pairType, pick, shapeOf } from "./shaped.js";
import { ofSchema } from "../naming/imported.js";
import { entityType, ofEntity, ofResource, propertiesType } from "./modules.js";

/** What `resource/dto.ts.hbs` sees. */
export interface DtoView extends HeaderView, ResourceNamesView, TypesView {
  /** What it shows differs from what is stored in more than what it leaves out. */
  readonly declares: boolean;
  readonly doc: DocComment;
  readonly fields: readonly FieldView[];
  readonly version: TsCode;
  readonly dtos: readonly DtoTypeView[];
  readonly pairs: readonly PairTypeView[];
}

interface DtoTypeView {
  readonly doc: DocComment;
  readonly declaration: TsCode;
}

interface PairTypeView {
  readonly file: TsCode;
  readonly older: TsCode;
  readonly newer: TsCode;
  readonly declaration: TsCode;
}

/** The types of what clients are answered and send, in one version (VER-2). */
export function dtoView(resource: ResourceModel): DtoView {
  const { name, properties } = resource;
  const declares = declaresTypes(resource);
  const types = typesView(declaredIn(resource), `${name.article} ${name.words}.`);
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    enums: types.enums,
    objects: [...types.objects, ...ownTypes(resource)],
    declares,
    doc: doc(purposeOf(resource)),
    fields: properties.map(fieldView),
    version: word(resource.version),
    dtos: [...entityDtos(resource), ...resource.actions.flatMap(actionDtos)],
    pairs: resource.pairs.map((pair) => pairTypeView(resource, pair)),
  };
}

/** What has a type in the file of a version: all that it converts, and what it shows otherwise than it is stored. */
function declaredIn(resource: ResourceModel): Declared {
  const { properties } = resource;
  if (isShaped(resource)) return { enums: enumsOf(properties), objects: objectsOf(properties) };
  if (!declaresTypes(resource)) return { enums: [], objects: [] };
  const stored = typeKeys(declaredBy(resource.entity.properties));
  const { enums, objects } = declaredBy(properties);
  return {
    enums: enums.filter((one) => !stored.includes(enumKey(one))),
    objects: objects.filter((one) => !stored.includes(objectKey(one))),
  };
}

function typeKeys({ enums, objects }: Declared): string[] {
  return [...enums.map(enumKey), ...objects.map(objectKey)];
}

function enumKey({ type: { typeName, values } }: Nested<EnumType>): string {
  return JSON.stringify([typeName, values]);
}

function objectKey({ type: { typeName, properties } }: Nested<ShownObject>): string {
  return JSON.stringify([typeName, properties.map(shapeOf)]);
}

/** The type of an entity as answers show it, and of the bodies that make and change one. */
function entityDtos(resource: ResourceModel): DtoTypeView[] {
  const { creates, replaces, updates, lists } = operationsOf(resource);
  const kept = writable(resource.properties).filter((one) => one.immutable || one.addedLater);
  const whole = inputType(resource);
  const create = bodyDto(resource, "create");
  const body: Doc = creates ? word(create.name) : whole;
  const replacement = genericDoc(ts`@ReplacementOf`, [
    sharesObjects(resource) ? body : inputType(resource, "replacement"),
    ...(kept.length === 0 ? [] : [unionDoc(namesOf(kept))]),
  ]);
  const part = genericDoc(ts`@PartOf`, [body]);
  return [
    {
      doc: doc(purposeOf(resource)),
      declaration: aliasCode(dtoName(resource.name.typeName), shownType(resource)),
    },
    ...(creates ? [dtoType(create, whole)] : []),
    ...(replaces ? [dtoType(bodyDto(resource, "replace"), replacement)] : []),
    ...(updates ? [dtoType(bodyDto(resource, "update"), part)] : []),
    ...(lists ? [dtoType(pageDto(resource), pageType(resource))] : []),
  ];
}

/** COL-2 */
function pageType({ name, counted }: ResourceModel): Doc {
  return ts`${counted ? ts`@CountedPageOf` : ts`@PageOf`}<${word(dtoName(name.typeName))}>`;
}

function dtoType({ name, purpose }: Dto, type: Doc): DtoTypeView {
  return { doc: doc(purpose), declaration: aliasCode(name, type) };
}

/** `Order`, or `Omit<Order, "note">` where some of it is not shown. */
function shownType(resource: ResourceModel): Doc {
  const { name, entity, properties } = resource;
  if (declaresTypes(resource)) return word(name.typeName);
  const common = [literal(name.idProperty), ts`keyof @CommonFields`];
  return partOf(entityType(entity.name), resource, {
    shown: [...common, ...namesOf(properties)],
    hidden: notShown(resource),
  });
}

/** The type of a body. It is `OrderInput` without what clients may not send, or is made of the properties. */
function inputType(resource: ResourceModel, givenBy: GivenBy = "clients"): Doc {
  const { entity } = resource;
  const sent = writable(resource.properties);
  const part = { shown: namesOf(sent), hidden: hiddenIn(resource) };
  if (givenBy === "clients" && sharesInput(resource))
    return partOf(ofEntity(entity, "hooks", `type ${entity.name.typeName}Input`), resource, part);
  const own = word(`${resource.name.typeName}Properties`);
  const type = declaresTypes(resource) ? own : propertiesType(entity.name);
  const properties = partOf(type, resource, part);
  return inputDoc(properties, optionalPaths(sent, givenBy));
}

/** A part of a type: of a version, `Omit` says how it differs; of a representation, `Pick` says what its file names. */
function partOf(
  type: TsCode,
  { isRepresentation }: ResourceModel,
  {
    shown,
    hidden,
  }: { readonly shown: readonly TsCode[]; readonly hidden: readonly PropertyModel[] },
): Doc {
  if (hidden.length === 0) return type;
  return isRepresentation
    ? genericDoc(ts`Pick`, [type, unionDoc(shown)])
    : genericDoc(ts`Omit`, [type, unionDoc(namesOf(hidden))]);
}

/** Whether the same properties are required of clients and of custom code. */
function sharesInput(resource: ResourceModel): boolean {
  const { entity, properties } = resource;
  const hidden = hiddenIn(resource).map(({ name }) => name);
  const given = entity.properties.filter(({ name }) => !hidden.includes(name));
  const own = [...optionalPaths(given, "everybody")].sort();
  const sent = [...optionalPaths(writable(properties), "clients")].sort();
  return !declaresTypes(resource) && String(sent) === String(own);
}

/** Whether a PUT may leave out of objects what a POST may (OPS-4). */
function sharesObjects({ properties }: ResourceModel): boolean {
  const inside = (givenBy: GivenBy): string =>
    String(optionalPaths(writable(properties), givenBy).filter(isNested));
  return inside("clients") === inside("replacement");
}

/** What no body holds. */
function hiddenIn(resource: ResourceModel): readonly PropertyModel[] {
  const readOnly = resource.properties.filter((one) => one.readOnly);
  return [...(declaresTypes(resource) ? [] : notShown(resource)), ...readOnly];
}

/** What an entity holds that this version does not show. */
function notShown({ entity, properties }: ResourceModel): EntityModel["properties"] {
  return entity.properties.filter(({ name }) => !properties.some((one) => one.name === name));
}

function namesOf(properties: readonly PropertyModel[]): TsCode[] {
  return properties.map(({ name }) => literal(name));
}

/** The types of what an action is sent and answers (OPS-11). */
function actionDtos(action: ActionModel): DtoTypeView[] {
  const { input, answer, answers } = action;
  const sent = inputDoc(
    ofSchema(`type ${input.typeName}`),
    optionalPaths(input.properties, "clients"),
  );
  return [
    ...(hasInput(action) ? [dtoType(sentDto(action), sent)] : []),
    ...(answers === "object"
      ? [dtoType(answeredDto(action), ofSchema(`type ${answer.typeName}`))]
      : []),
  ];
}

function pairTypeView(resource: ResourceModel, pair: PairModel): PairTypeView {
  const sides = [sideType(resource, pair, "older"), sideType(resource, pair, "newer")];
  return {
    file: pathText(pairFile(resource, pair)),
    older: word(pair.older.version),
    newer: word(pair.newer.version),
    declaration: aliasCode(pairType(resource, pair), genericDoc(ts`@ConvertedPair`, sides)),
  };
}

/** Of the types of a version; where it has none of its own, of those of what is stored, which may be called otherwise. */
function sideType(resource: ResourceModel, pair: PairModel, side: "older" | "newer"): TsCode {
  const { isShaped: hasTypes, members, plural, typeName, version } = pair[side];
  const ofVersion = hasTypes || (side === "older" && pair.path === "" && declaresTypes(resource));
  const holder = ofVersion ? typeName : storedTypeName(resource, pair);
  const type = pair.path === "" ? `${holder}Properties` : holder;
  // Both may be called alike: in the file of the older version, another one has another name.
  const called = declaresTypes(resource) ? [upperFirst(side) + type] : [];
  const whole =
    ofVersion && side === "older"
      ? word(type)
      : ofVersion
        ? ofResource({ name: { plural }, version }, "dto", `type ${type}`, ...called)
        : ofEntity(resource.entity, "entity", `type ${type}`, ...called);
  const names = members.map(({ property, origin }) => [
    property.name,
    ofVersion ? property.name : origin.name,
  ]);
  if (names.every(([name, stored]) => name === stored)) {
    return pick(
      whole,
      names.map(([name = ""]) => literal(name)),
    );
  }
  const entries = names.map(
    ([name = "", stored = ""]) => ts`${word(name)}: ${whole}[${literal(stored)}]`,
  );
  return ts`{ ${joined(entries, "; ")} }`;
}

function storedTypeName({ entity }: ResourceModel, { path, storedType }: PairModel): string {
  return path === "" ? entity.name.typeName : storedType;
}
