import { joined, ts, word } from "../naming/code.js";
import {
  arrayDoc,
  callDoc,
  genericDoc,
  objectDoc,
  prefixed,
  printed,
  type Doc,
} from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { DOOR_VERSION, RUNTIME } from "../naming/packages.js";
import { upperFirst } from "../naming/resource-name.js";
import type { ListedEntity, ListedRoutes, ServiceList } from "./entity-list.js";
import { fileCode, serviceHeader, type HeaderView } from "./header-view.js";
import { arrayCode, callCode, objectCode } from "./layout.js";
import { imported } from "../naming/imported.js";
import { childRights } from "./controller-code.js";
import { accessOf, hooksOf, ofEntity, ofResource, tableOf } from "./modules.js";

/** The file of the store and the service of each entity, as types. */
export function servicesCode({ entities, hasTenants }: ServiceList): TsCode {
  // A constant of ours.
  const runtime = RUNTIME as string as TsCode;
  return fileCode(serviceHeader(), [
    ts`/** The entities of the service: where each is stored, and what custom code can do with it. */
interface Entities {
${joined(
  entities.map((entity) => ts`  ${useCode(entity)}\n`),
  "",
)}}`,
    ts`/** The operations of requests, for custom code: see \`EntityService\` of ${runtime}. */
export interface Services extends @ServicesOf<Entities> {
  /** The same for another caller, whose access is checked and who is recorded as the author (AUT-2). */
  as(caller: @Caller): Services;
  /** The same without access checks; the current caller is recorded as the author. */
  readonly unrestricted: Services;
${hasTenants ? TENANTS : ts``}}`,
    ts`/** The stored entities of every resource, for custom code. */
export type ServiceStores = @StoresOf<Entities>;`,
    ts`/** The context of custom code while it works on a request. */
export type ServiceContext = @Context<ServiceStores, Services> & @Provided;`,
  ]);
}

const TENANTS = ts`  /** The same for another tenant (AUT-4). Jobs have none of their own. */
  inTenant(tenant: string): Services;
  /** The same for the entities of all tenants: reads, changes and deletes, but creates nothing. */
  readonly allTenants: Services;
`;

/** `readonly orders: EntityUse<OrderStore, OrderService>;` */
function useCode({ name, acting }: ListedEntity): TsCode {
  const { plural, typeName } = name;
  const type = (ending: string): TsCode => ofEntity({ name }, "hooks", `type ${typeName}${ending}`);
  const given: Doc =
    acting === null
      ? type("Service")
      : genericDoc(ts`@WithActions`, [
          type("Service"),
          ofResource({ name, version: acting }, "actions", `type ${typeName}ServiceActions`),
        ]);
  const before = ts`readonly ${key(plural)}: `;
  const use = genericDoc(ts`@EntityUse`, [type("Store"), given]);
  return ts`${before}${printed(use, { indent: 2, before, after: ";" })};`;
}

/** What `service/app.ts.hbs` sees. */
export interface AppView extends HeaderView {
  readonly entities: readonly { readonly listed: TsCode }[];
  /** Some entities have actions (OPS-11). */
  readonly isActing: boolean;
  /** `const actions = (entities: ServiceEntities) => ({`: with what they refer to, where one does. */
  readonly actionsHead: TsCode;
  readonly actions: readonly { readonly made: TsCode }[];
  /** What the entities are opened with. */
  readonly opening: TsCode;
  /** The door of the runtime that the code is made for. */
  readonly madeFor: TsCode;
  /** The service has conversions of its own between versions (VER-2). */
  readonly hasPairs: boolean;
  readonly convert: TsCode;
  readonly routes: TsCode;
  readonly hasEvents: boolean;
  readonly eventSource: TsCode;
  /** `AppDefinition<Declared, Provided, ServiceContext>` */
  readonly definition: TsCode;
}

/** The entities of a service, its routes, and what src/app.ts is checked with. */
export function appView({ entities, eventSource, pairs, routes }: ServiceList): AppView {
  const hasEvents = entities.some(({ isAnnounced }) => isAnnounced);
  const types = [ts`Declared`, ts`@Provided`, ts`@ServiceContext`];
  const acting = entities.filter((one) => one.acting !== null);
  const isActing = acting.length > 0;
  const isLeading = acting.some(({ actionReferences }) => actionReferences !== null);
  return {
    ...serviceHeader(),
    entities: entities.map((entity) => ({ listed: listedCode(entity) })),
    isActing,
    actionsHead: isLeading ? ts`(entities: @ServiceEntities)` : ts`()`,
    actions: acting.map((entity) => ({ made: actionsCode(entity) })),
    opening: callCode(
      ts`@openEntities<List, @ServiceContext>`,
      [ts`list()`, ts`runtime`, ts`provided`, ...(isActing ? [ts`actions`] : [])],
      { indent: 4, before: "const { contextOf, entities } = ", after: ";" },
    ),
    madeFor: literal(DOOR_VERSION),
    hasPairs: pairs.length > 0,
    convert: objectCode(
      pairs.flatMap(({ file, name, formers }) => [
        imported(file, name),
        ...formers.map((former) => ts`${word(former)}: ${imported(file, name)}`),
      ]),
      { indent: 2, before: "convert: rowConverter(", after: ")," },
    ),
    routes: arrayCode(
      routes.map((one) => ts`...${routesOf(one, routes)}(entities)`),
      { indent: 6, before: "routes: ", after: "," },
    ),
    hasEvents,
    eventSource: literal(eventSource),
    definition: printed(
      genericDoc(ts`@AppDefinition`, hasEvents ? [...types, ts`@ServiceEvent`] : types),
    ),
  };
}

/** `ticketRoutes`, or `ticketRoutesV1` where another version calls its own alike. */
function routesOf(routes: ListedRoutes, all: readonly ListedRoutes[]): TsCode {
  const { version, name } = routes;
  const own = `${name.singular}Routes`;
  const isShared = all.some((other) => other !== routes && other.name.singular === name.singular);
  const called = isShared ? own + upperFirst(version) : own;
  return ofResource(routes, "controller", own, called);
}

/** `orders: entityOf({ table: orderTable … }),` */
function listedCode(entity: ListedEntity): TsCode {
  const { name } = entity;
  const { singular } = name;
  const states = ofEntity(entity, "states", `${singular}States`);
  const references = ofEntity(entity, "references", `${singular}References`);
  const events = ofEntity(entity, "events", `${singular}Events`);
  const entries = [
    ts`table: ${tableOf(name)}`,
    ts`reader: ${ofEntity(entity, "reader", `${singular}Reader`)}`,
    ts`hooks: ${hooksOf(name)}`,
    ...(entity.hasReferences ? [ts`references: ${references}`] : []),
    ...(entity.hasStates ? [ts`states: ${states}`] : []),
    ...(entity.isAnnounced ? [ts`events: ${events}`] : []),
    ...conversionsCode(entity),
    ...accessCode(entity),
  ];
  const before = ts`${key(entity.name.plural)}: `;
  const listed = callDoc(ts`@entityOf`, [objectDoc(entries, true)]);
  return ts`${before}${printed(listed, { indent: 2, before, after: "," })},`;
}

/** `conversions: [...orderFromV1, ...orderFromV2]` (VER-2) */
function conversionsCode({ conversions }: ListedEntity): Doc[] {
  const names = conversions.map(
    ({ name, plural, version }) =>
      ts`...${ofResource({ name: { plural }, version }, "pairs", name)}`,
  );
  return names.length === 0 ? [] : [prefixed(ts`conversions: `, arrayDoc(names))];
}

/** AUT-2. The rights to delete children count even where anyone may delete their parent. */
function accessCode(entity: ListedEntity): Doc[] {
  const { guardedReferences, name, tiedParent } = entity;
  const version = String(entity.version);
  const targets = guardedReferences.map(
    ({ stored, target }) => ts`${key(stored)}: ${accessOf(target, version)}`,
  );
  return [
    ...(entity.isRestricted ? [accessRule(entity)] : []),
    ...childRights(entity),
    ...(targets.length === 0 ? [] : [prefixed(ts`targets: `, objectDoc(targets))]),
    ...(tiedParent === null
      ? []
      : [ts`parent: @tiedParent(${literal(tiedParent)}, ${accessOf(name, version)})`]),
  ];
}

function accessRule({ name, unoffered, version }: ListedEntity): Doc {
  const access = accessOf(name, String(version));
  const open = unoffered.map((operation) =>
    prefixed(ts`${word(operation)}: `, arrayDoc([literal("anyone")])),
  );
  return open.length === 0
    ? ts`access: ${access}`
    : prefixed(ts`access: `, objectDoc([ts`...${access}`, ...open]));
}

/** `orders: orderServiceActions(orderHooks.actions),` */
function actionsCode({ acting, actionReferences, name }: ListedEntity): TsCode {
  const actions = ofResource(
    { name, version: String(acting) },
    "actions",
    `${name.singular}ServiceActions`,
  );
  const given = actionReferences === null ? [] : [actionReferences];
  const before = ts`${key(name.plural)}: `;
  const made = callCode(actions, [ts`${hooksOf(name)}.actions`, ...given], {
    indent: 2,
    before,
    after: ",",
  });
  return ts`${before}${made},`;
}
