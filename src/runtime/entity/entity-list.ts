// Opens all entities of a service: stores, repositories for custom code, and the context of hooks.

import type { AccessRules } from "../auth/access.js";
import type { CommonFields } from "../base/common-fields.js";
import type { RequestContext } from "../http/request.js";
import type { ServiceRuntime } from "../http/settings.js";
import type { AnnouncedVersion } from "../store/entity-events.js";
import { EntityStore } from "../store/entity-store.js";
import type { EntityTable } from "../store/entity-table.js";
import { ActingRepository, ActingService, type ActionsOf } from "./actions.js";
import { makeContext, type Context, type EntityHooks } from "./hooks.js";
import { type EntityParts, EntityService, servedBy } from "./entity-service.js";
import { filledByCode, requireFunctions, type StoredPair } from "./conversion.js";
import { sqlOf } from "./custom-sql.js";
import { CustomValues } from "./custom-values.js";
import { type References, guardedBy } from "./references.js";
import {
  EntityRepository,
  type ChildGuard,
  type ParentCheck,
  type StateChecks,
} from "./repository.js";

/** The parts of one entity that a service passes to the runtime. */
interface EntityDefinition<
  Entity extends CommonFields & Properties,
  Properties,
  OwnContext extends Context,
  Leading extends References,
> {
  readonly table: EntityTable<Entity, Properties>;
  readonly reader: EntityParts<Entity, Properties>["reader"];
  readonly hooks: EntityHooks<Entity, Properties, OwnContext>;
  /** Creates the references from the stores of the service (REP-4). Defaults to none. */
  readonly references?: (stores: never) => Leading;
  /** STA-1 to STA-3: the checks of the states. Defaults to none. */
  readonly states?: StateChecks<Properties>;
  /** The versions that announce changes (EVT-1). Defaults to none. */
  readonly events?: readonly AnnouncedVersion<Entity>[];
  /** VER-2: the conversions between versions, the oldest first. Defaults to none. */
  readonly conversions?: readonly StoredPair[];
  /** AUT-2: the access rules of the newest version, also for custom code. Defaults to open access. */
  readonly access?: AccessRules;
  /** AUT-2: the guard of children whose deletion needs more than the right to delete the entity. Defaults to none. */
  readonly children?: ChildGuard;
  /** AUT-2: the access rules of referenced entities, by the path of the reference. Defaults to open access. */
  readonly targets?: Readonly<Record<string, AccessRules>>;
  /** AUT-2: the check of the parent of a new entity. Defaults to any parent. */
  readonly parent?: ParentCheck;
}

/** Returns the parts of an entity unchanged; the compiler checks that they fit together. */
export function entityOf<
  Entity extends CommonFields & Properties,
  Properties,
  OwnContext extends Context,
  // Defaults to no references.
  Leading extends References = Record<never, never>,
>(
  definition: EntityDefinition<Entity, Properties, OwnContext, Leading>,
): EntityDefinition<Entity, Properties, OwnContext, Leading> {
  return definition;
}

/** The store and the service of an entity, for custom code. */
export interface EntityUse<Store, Service> {
  readonly store: Store;
  readonly service: Service;
}

type Uses<All> = {
  readonly [Name in keyof All]: { readonly store: unknown; readonly service: unknown };
};

/** The store of each entity. */
export type StoresOf<All extends Uses<All>> = { readonly [Name in keyof All]: All[Name]["store"] };

/** The service of each entity. */
export type ServicesOf<All extends Uses<All>> = {
  readonly [Name in keyof All]: All[Name]["service"];
};

/** The entities of a list on one database. */
export type OpenEntities<All> = {
  readonly [Name in keyof All]: All[Name] extends EntityDefinition<
    infer Entity,
    infer Properties,
    infer OwnContext,
    infer Leading
  >
    ? EntityParts<Entity, Properties, OwnContext, Leading>
    : never;
};

/** Any entity: the code below treats all of them alike. */
type AnyDefinition = EntityDefinition<CommonFields, object, Context, References>;
type AnyParts = EntityParts<CommonFields, object>;
type AnyActions = ActionsOf<CommonFields, Context, unknown>;

/**
 * Opens the entities of a list on one database, with the context for custom code. `actionsOf` creates their actions, for custom
 * code (OPS-11).
 */
export function openEntities<All extends object, OwnContext extends Context>(
  list: All,
  runtime: ServiceRuntime,
  provided: object,
  actionsOf: (entities: OpenEntities<All>) => object = () => ({}),
): {
  readonly entities: OpenEntities<All>;
  readonly contextOf: (request: RequestContext) => OwnContext;
} {
  // The compiler has checked each definition where `entityOf` was called, so its types no longer matter.
  const definitions = new Map(Object.entries(list) as [string, AnyDefinition][]);
  const stores = ofEach(
    definitions,
    ({ table, events }) => new EntityStore(table, runtime, events),
  );
  const contextOf = (request: RequestContext): Context => makeContext(request, parts);
  const entities = ofEach(definitions, (definition, name): AnyParts => {
    // A definition refers to the other stores of its own list, which are these.
    const references = definition.references?.(stores as never) ?? {};
    const { hooks, reader, states = null, conversions = [] } = definition;
    for (const pair of conversions) requireFunctions(pair);
    const store = stores[name] as EntityStore<CommonFields, object>;
    return opened({ store, hooks, reader, references, states, conversions, contextOf });
  });
  // The names of the list, and the types of its definitions.
  const typed = entities as never;
  const actions = actionsOf(typed) as Readonly<Record<string, AnyActions>>;
  const services = ofEach(definitions, (definition, name) =>
    // Each definition has its parts.
    serviceOf(definition, entities[name] as AnyParts, actions[name]),
  );
  const sql = sqlOf(stores, runtime) as never;
  const parts = {
    storesOf: storesOf(stores),
    servicesOf: servicesOf(services),
    sqlOf: sql,
    provided,
  };
  return { entities: typed, contextOf: contextOf as never };
}

/** Makes the store check the writes of custom code (REP-9). */
function opened(parts: AnyParts): AnyParts {
  const customValues = new CustomValues(parts);
  const { conversions = [], store } = parts;
  store.readCustom = (properties, stored) => {
    const next = customValues.given(properties, stored);
    const code = `custom code of ${store.table.name}`;
    return filledByCode(conversions, { next, before: [stored] }, code);
  };
  return parts;
}

/** AUT-4: gives the stores of a request, those with tenants confined to the caller's. */
function storesOf(stores: Readonly<Record<string, EntityStore<CommonFields, object>>>) {
  const isConfined = Object.values(stores).some(({ table }) => table.hasTenant === true);
  return ({ caller }: RequestContext): object => {
    if (!isConfined) return stores;
    const own = Object.entries(stores).map(([name, store]) => [name, store.of(caller)] as const);
    return Object.fromEntries(own);
  };
}

/** Creates the service of one entity, or those of all entities, for a request. */
type ServiceMaker = (request: RequestContext) => object;

/** Combines the services of all entities. */
function servicesOf(services: Readonly<Record<string, ServiceMaker>>): ServiceMaker {
  const all = Object.entries(services);
  const opened: ServiceMaker = (request) => {
    const made: Record<string, unknown> = {
      as: (caller: RequestContext["caller"]) => opened(request.as(caller)),
      get unrestricted() {
        return opened(request.as({ ...request.caller, isUnrestricted: true }));
      },
      get allTenants() {
        return opened(request.as({ ...request.caller, isOfAllTenants: true }));
      },
      inTenant: (tenant: string) =>
        opened(request.as({ ...request.caller, tenant, isOfAllTenants: false })),
    };
    for (const [name, make] of all) made[name] = make(request);
    return made;
  };
  return opened;
}

function serviceOf(
  { access, children, parent, targets }: AnyDefinition,
  parts: AnyParts,
  actions: AnyActions | undefined,
): ServiceMaker {
  const rules = {
    ...(access && { access }),
    ...(children && { children }),
    ...(parent && { parent }),
    ...(targets && { references: guardedBy(parts.references, targets) }),
  };
  if (actions === undefined) {
    const served = servedBy(new EntityRepository(parts, rules), parts, rules);
    return (request) => new EntityService(served, request);
  }
  const acting = servedBy(new ActingRepository(parts, rules), parts, rules);
  return (request) => new ActingService(acting, request, actions);
}

function ofEach<Value>(
  definitions: ReadonlyMap<string, AnyDefinition>,
  make: (definition: AnyDefinition, name: string) => Value,
): Record<string, Value> {
  return Object.fromEntries([...definitions].map(([name, one]) => [name, make(one, name)]));
}
