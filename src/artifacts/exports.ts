import { valuesConstant } from "../kinds/enum/enum-kind.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { bodiesOf } from "../model/action-model.js";
import { pairsIn, type PairModel, type PairSide } from "../model/conversion-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { ownPairs, pairExport } from "../model/own-pairs.js";
import { referencesOf } from "../model/references.js";
import type { GuardedChild, ResourceModel } from "../model/resource-model.js";
import type { ServiceModel } from "../model/service-model.js";
import { DOOR } from "../naming/packages.js";
import { derivedName } from "../naming/derived-names.js";
import { rulesName } from "./action-code.js";
import { routesName } from "./app-view.js";
import {
  convertedMembers,
  shownTypeName,
  storedTypeName,
  typeNameOf,
} from "./conversion-constants.js";
import { newerType, typeOf } from "./dto-view.js";
import { bodyDto, bodyOperations, dtoName, pageDto } from "./dtos.js";
import type { ListedEntity, ServiceList } from "./entity-list.js";
import { announcedDto, writerName } from "./events-view.js";
import { namesOf, type Exports } from "./imports.js";
import { givenName } from "./input-view.js";
import { entityPath, resourcePath, type EntityPart, type ResourcePart } from "./modules.js";
import { enumsOf, objectsOf, shownObjectsOf } from "./nested.js";
import { bodiesBy } from "./own-answers.js";
import { RUNTIME_EXPORTS } from "./runtime-modules.js";
import { conversionName, isShaped, olderShapeName, pairFile } from "./shaped.js";

/** What the service's own files export for others. */
const SERVICE_EXPORTS: readonly Exports[] = [
  { from: "src/app.ts", names: ["type Provided"] },
  { from: "src/generated/app.ts", names: ["type ServiceEntities"] },
  {
    from: "src/generated/services.ts",
    names: ["type ServiceContext", "type ServiceStores", "type Services"],
  },
];

/** What any file may use. */
export const COMMON_NAMES = namesOf([...SERVICE_EXPORTS, ...RUNTIME_EXPORTS]);

/** What some files of an entity export. The types of its properties and actions are listed elsewhere. */
function partsOf({ name }: Pick<EntityModel, "name">, parts: readonly EntityPart[]): Exports[] {
  const { singular, typeName } = name;
  const names: Readonly<Partial<Record<EntityPart, readonly string[]>>> = {
    entity: [`type ${typeName}`, `type ${derivedName(typeName, "Properties")}`],
    actions: [`type ${derivedName(typeName, "Actions")}`],
    references: [
      `${singular}References`,
      `type ${derivedName(typeName, "References")}`,
      `type Resolved${typeName}References`,
    ],
    input: [`type ${typeName}Input`, `type ${typeName}Service`],
    reader: [`${singular}Reader`],
    scope: [derivedName(singular, "Scope"), `type ${typeName}Paths`],
    states: [`${singular}States`],
    store: [derivedName(singular, "Table")],
    events: [`${singular}Events`],
  };
  return parts.map((part) => ({ from: entityPath({ name }, part), names: names[part] ?? [] }));
}

/** `tickets as ticketHooks` */
function hooksOf({ name }: Pick<EntityModel, "name">): Exports {
  const { collection, plural, singular } = name;
  return { from: `src/custom/${plural}.ts`, names: [`${collection} as ${singular}Hooks`] };
}

/** What a file of an entity may use: what its other files export, and those of what it belongs to. */
export function entityModules(entity: EntityModel): Exports[] {
  return [
    { from: entityPath(entity, "entity"), names: typesOf(entity.properties) },
    ...partsOf(entity, ["entity", "actions", "references", "scope"]),
    ...entity.ancestors.flatMap((above) => partsOf(above, ["scope", "store"])),
    {
      from: entityPath(entity, "actions"),
      names: entity.actions.flatMap(bodiesOf).flatMap(bodyTypes),
    },
  ];
}

/** What a file of a resource may use that speaks of what is stored. */
export function resourceModules(resource: ResourceModel): Exports[] {
  const { actions, conversion, entity, name } = resource;
  const { singular, typeName } = name;
  const file = (part: ResourcePart, ...names: string[]): Exports => ({
    from: resourcePath(resource, part),
    names,
  });
  const older = olderShapeName(resource);
  // The values of enums are the entity's.
  const answers = bodiesBy(resource, "version").flatMap(({ typeName: type, properties }) => [
    `type ${type}`,
    ...shownObjectsOf(properties).map((inner) => `type ${inner.type.typeName}`),
  ]);
  return [
    file("dto", ...answers, ...dtoTypes(resource)),
    file("access", derivedName(singular, "Access")),
    file(
      "actions",
      `class ${derivedName(typeName, "ActionController")}`,
      `${singular}ActionReferences`,
      ...actions.map((action) => rulesName(resource, action)),
    ),
    file("aliases", `${singular}Aliases`),
    file(
      "conversions",
      `shown${typeName}`,
      `stored${typeName}`,
      ...(older === null ? [] : [older]),
    ),
    file("conversions", ...(conversion?.members ?? []).map(conversionName)),
    file(
      "projection",
      `type ${derivedName(typeName, "BodyReferences")}`,
      `type Resolved${typeName}BodyReferences`,
      ...["Conditions", "Names", "ReferenceNames"].map((ending) => singular + ending),
    ),
    file("serializer", `write${typeName}`, `${singular}Shape`),
    file("validator", `${singular}Bodies`, `${singular}Collection`),
    ...pairsIn(conversion).map((pair) => pairExports(resource, pair)),
    ...accessExports(resource),
    ...partsOf(entity, ["states"]),
    hooksOf(entity),
    ...entityModules(entity),
  ];
}

/**
 * What a file may use, where a name of the schema may also be that of something in the runtime: an entity `condition` has a
 * type `Condition`. There the runtime's is meant.
 */
export function meaning<Model>(
  name: string,
  modules: (model: Model) => readonly Exports[],
): (model: Model) => readonly Exports[] {
  return (model) => [{ from: DOOR, names: [name] }, ...modules(model)];
}

/** What a file of a resource may use that speaks of what is shown: its own types, and `StoredOrder` for those of what is stored (VER-2). */
export function shownModules(resource: ResourceModel): Exports[] {
  const { entity, name, properties } = resource;
  const read = [name.typeName, ...objectsOf(entity.properties).map(({ type }) => type.localName)];
  const reader = { from: entityPath(entity, "reader"), names: read.map((one) => `read${one}`) };
  if (!isShaped(resource)) return [reader, ...resourceModules(resource)];
  const own = ({ typeName }: EntityModel["name"]): string[] => [
    `type ${typeName}`,
    `type ${typeName}Properties`,
  ];
  const stored = [...own(entity.name), ...typesOf(entity.properties)];
  return [
    {
      from: resourcePath(resource, "dto"),
      names: [...own(name), ...typesOf(properties, objectsOf)],
    },
    {
      from: entityPath(entity, "entity"),
      names: stored.map((type) => `${type} as Stored${type.replace("type ", "")}`),
    },
    reader,
    ...resourceModules(resource),
  ];
}

/** The modules of a scope file: those of other files of the entity, and the scope from custom code. */
export function scopeModules(entity: EntityModel): Exports[] {
  const { collection, plural } = entity.name;
  return [{ from: `src/custom/${plural}.ts`, names: [collection] }, ...entityModules(entity)];
}

/** What the file of inputs may use. An enum that is called like one of its types has another name there. */
export function inputModules(entity: EntityModel): Exports[] {
  const { typeName } = entity.name;
  const own = ["Input", "Service", "Store", "Where"].map((ending) => typeName + ending);
  const from = entityPath(entity, "entity");
  return [
    { from, names: own.map((name) => `type ${name} as ${name}Value`) },
    ...entityModules(entity),
  ];
}

/** The modules of a DTO file, with the types of the next version where custom code converts (VER-2). */
export function dtoModules(resource: ResourceModel): Exports[] {
  const newer = ownPairs(resource).map((pair) => ({
    from: pair.isNewerShaped
      ? resourcePath(servedBy(pair.newer), "dto")
      : entityPath(resource.entity, "entity"),
    names: [`type ${typeOf(pair, "newer")} as ${newerType(pair)}`],
  }));
  // The type from custom code comes first: an enum may have the same name.
  return [...newer, ...partsOf(resource.entity, ["input"]), ...resourceModules(resource)];
}

/** What conversions may use: the types of other versions as well, under names that say which one. */
export function conversionModules(resource: ResourceModel): Exports[] {
  const { conversion } = resource;
  const pairs = pairsIn(conversion);
  const others = pairs.flatMap(({ older, newer }) => [older, newer]);
  const members = conversion === null ? [] : convertedMembers(conversion);
  return [
    ...others.map((other) => ({
      from: resourcePath(servedBy(other), "dto"),
      names: members.flatMap(({ member, from, to }) => [
        ...(from === other.version ? [renamed(member.origin, from, storedTypeName)] : []),
        ...(to === other.version ? [renamed(member.property, to, shownTypeName)] : []),
      ]),
    })),
    ...pairs.map(({ older, name }) => ({
      from: resourcePath(servedBy(older), "pairs"),
      names: [name],
    })),
    ...shownModules(resource),
  ];
}

function renamed(
  property: PropertyModel,
  version: string,
  named: (property: PropertyModel, version: string) => string,
): string {
  return `type ${typeNameOf(property)} as ${named(property, version)}`;
}

/** Where the files of a side of a pair stand. */
function servedBy({ plural, version }: Omit<PairSide, "typeName">) {
  return { name: { plural }, version };
}

/** What announces an entity: how each version writes it (EVT-1). */
export function eventModules(entity: EntityModel): Exports[] {
  const writers = entity.announced.map((one) => ({
    from: resourcePath(one, "serializer"),
    names: [`write${one.name.typeName} as ${writerName(one)}`],
  }));
  return [...writers, ...entityModules(entity)];
}

/** What the types of events are made of. */
export function serviceEventModules({ entities }: ServiceModel): Exports[] {
  return entities.flatMap(({ announced }) =>
    announced.map((one) => ({
      from: resourcePath(one, "dto"),
      names: [`type ${dtoName(one.name.typeName)} as ${announcedDto(one)}`],
    })),
  );
}

/** The modules of services.ts: where the types of each entity are. */
export function servicesModules({ entities }: ServiceList): Exports[] {
  return entities.flatMap(({ name, acting }) => [
    {
      from: entityPath({ name }, "input"),
      names: [`type ${name.typeName}Service`, `type ${name.typeName}Store`],
    },
    ...(acting === null
      ? []
      : [
          {
            from: resourcePath({ name, version: acting }, "actions"),
            names: [`type ${name.typeName}ServiceActions`],
          },
        ]),
  ]);
}

/** What a service is put together from. */
export function appModules({ entities, routes, pairs }: ServiceList): Exports[] {
  return [
    { from: "src/generated/settings.ts", names: ["settings"] },
    { from: "src/generated/events.ts", names: ["type ServiceEvent"] },
    ...routes.map((one) => ({
      from: resourcePath(one, "controller"),
      names: [`${one.name.singular}Routes as ${routesName(one)}`],
    })),
    ...pairs.map(({ file, name }) => ({ from: file, names: [name] })),
    ...entities.flatMap(listedExports),
  ];
}

function listedExports(entity: ListedEntity): Exports[] {
  const { name, version, acting, guardedChildren, guardedReferences, older } = entity;
  return [
    hooksOf(entity),
    ...partsOf(entity, ["reader", "references", "states", "store", "events"]),
    ...older.map((one) => ({
      from: resourcePath(servedBy(one), "conversions"),
      names: [one.name],
    })),
    ...[name, ...guardedReferences.map(({ target }) => target)].map((one) =>
      accessOf({ ...one, servedPlural: one.plural, servedVersion: String(version) }),
    ),
    ...guardedChildren.map(accessOf),
    {
      from: resourcePath({ name, version: String(acting) }, "actions"),
      names: [`${name.singular}ServiceActions`, `${name.singular}ActionReferences`],
    },
  ];
}

/** Who may do what with its children, and with what it and its actions refer to (AUT-2). */
function accessExports(resource: ResourceModel): Exports[] {
  const { actions, guardedChildren, version } = resource;
  const targets = [resource, ...actions.map(({ input }) => input)]
    .flatMap(referencesOf)
    .flatMap(({ type: { target } }) => target ?? []);
  return [
    ...targets.map(({ name }) =>
      accessOf({ ...name, servedPlural: name.plural, servedVersion: version }),
    ),
    ...guardedChildren.map(accessOf),
  ];
}

type Guarded = Pick<GuardedChild, "singular" | "servedPlural" | "servedVersion">;

function accessOf({ singular, servedPlural: plural, servedVersion: version }: Guarded): Exports {
  return {
    from: resourcePath({ name: { plural }, version }, "access"),
    names: [derivedName(singular, "Access")],
  };
}

/** What the user's file of a pair exports (VER-2). */
function pairExports(resource: ResourceModel, pair: PairModel): Exports {
  return { from: pairFile(resource, pair), names: [pairExport(resource, pair)] };
}

function dtoTypes(resource: ResourceModel): string[] {
  const operations = bodyOperations(resource);
  return [
    dtoName(resource.name.typeName),
    pageDto(resource).name,
    ...operations.map((operation) => bodyDto(resource, operation).name),
    ...resource.actions.flatMap(bodiesOf).map(({ typeName }) => dtoName(typeName)),
  ].map((name) => `type ${name}`);
}

/** The types of a body of an action, and of all in it. */
function bodyTypes({ typeName, properties }: ObjectType): string[] {
  return [`type ${typeName}`, `type ${givenName(typeName)}`, ...typesOf(properties)];
}

/** The types of what properties hold, and the values of enums. */
function typesOf(properties: readonly PropertyModel[], objects = shownObjectsOf): string[] {
  return [
    ...enumsOf(properties).flatMap(({ type }) => [
      `type ${type.typeName}`,
      valuesConstant(type.typeName),
    ]),
    ...objects(properties).map(({ type }) => `type ${type.typeName}`),
  ];
}
