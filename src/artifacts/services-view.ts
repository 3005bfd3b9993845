import { ts, word } from "../naming/code.js";
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
import type { ResourceName } from "../naming/resource-name.js";
import { isRestricted } from "../kinds/access-model.js";
import { storedPathOf } from "../model/projection.js";
import type { GuardedChild, ResourceModel } from "../model/resource-model.js";
import type { ServiceModel } from "../model/service-model.js";
import { actionReferencesCode } from "./action-code.js";
import { guardedReferences, type GuardedReference } from "./controller-code.js";
import { asksForParent } from "./controller-view.js";
import { serviceHeader, type HeaderView } from "./header-view.js";
import { callCode, objectCode } from "./layout.js";
import { operationsOf } from "./operations.js";

/** What `service/services.ts.hbs` sees. */
export interface ServicesView extends HeaderView {
  /** Some actions refer to others. */
  readonly leads: boolean;
  /** Where, by resource. */
  readonly leading: TsCode;
  readonly services: readonly ServiceView[];
}

interface ServiceView {
  readonly plural: TsCode;
  readonly collection: TsCode;
  /** `OrderService` */
  readonly type: TsCode;
  /** `servedEntity(entities.orders, { access: orderAccess })` */
  readonly served: TsCode;
  readonly opened: TsCode;
}

/** An entity, and who may do what with it where the newest version shows it (AUT-2). */
export interface ServedEntity {
  readonly name: ResourceName;
  /** Access is a file of this version; null: no version shows it. */
  readonly version: string | null;
  /** False where everybody may do everything. */
  readonly isRestricted: boolean;
  /** What no client can do: own code is not asked for access to it. */
  readonly unoffered: readonly ("create" | "update" | "delete")[];
  readonly guardedChildren: readonly GuardedChild[];
  /** The version whose actions own code can call; null: there are none (OPS-11). */
  readonly acting: string | null;
  /** Where the references of its actions lead: `orderActionReferences(entities)`; null: they hold none (REP-4). */
  readonly actionReferences: TsCode | null;
  readonly guardedReferences: readonly GuardedReference[];
  /** The reference to the parent, where who may create it depends on that; null: it does not. */
  readonly tiedParent: string | null;
}

/** The entities of a service, as its own code can use them. */
export function servedEntities({ entities, versions }: ServiceModel): readonly ServedEntity[] {
  const shown = versions.flatMap(({ resources }) => resources);
  return entities.map(({ name }) => {
    const resource = shown.findLast(
      ({ entity, isRepresentation }) => entity.name.plural === name.plural && !isRepresentation,
    );
    const isAsked = resource !== undefined && isRestricted(resource);
    return {
      name,
      version: resource?.version ?? null,
      isRestricted: isAsked,
      unoffered: isAsked ? unofferedBy(resource) : [],
      guardedChildren: resource?.guardedChildren ?? [],
      acting: resource === undefined || resource.actions.length === 0 ? null : resource.version,
      actionReferences: (resource && actionReferencesCode(resource)[0]) ?? null,
      guardedReferences: resource === undefined ? [] : guardedReferences(resource),
      tiedParent: resource === undefined ? null : tiedParentOf(resource),
    };
  });
}

function tiedParentOf(resource: ResourceModel): string | null {
  const { parent, projection } = resource;
  const isTied = parent !== null && operationsOf(resource).creates && asksForParent(resource);
  return isTied ? storedPathOf(parent.property, projection) : null;
}

function unofferedBy(resource: ResourceModel): ServedEntity["unoffered"] {
  const { creates, replaces, updates, deletes } = operationsOf(resource);
  return [
    ...(creates ? [] : (["create"] as const)),
    ...(replaces || updates ? [] : (["update"] as const)),
    ...(deletes ? [] : (["delete"] as const)),
  ];
}

/** What own code can do with each entity. */
export function servicesView(entities: readonly ServedEntity[]): ServicesView {
  return {
    ...serviceHeader(),
    leads: entities.some(({ actionReferences }) => actionReferences !== null),
    leading: objectCode(
      entities.flatMap(({ name, actionReferences }) =>
        actionReferences === null ? [] : [ts`${key(name.plural)}: ${actionReferences}`],
      ),
      { indent: 2, before: "const leading = ", after: ";" },
    ),
    services: entities.map(serviceView),
  };
}

function serviceView(entity: ServedEntity): ServiceView {
  const { plural, singular, collection, typeName } = entity.name;
  const isActing = entity.acting !== null;
  const parts = ts`entities.${key(plural)}`;
  const rules = rulesOf(entity);
  return {
    plural: key(plural),
    collection: word(collection),
    type: isActing ? actingType(entity.name) : ts`${word(typeName)}Service`,
    served: callCode(
      isActing ? ts`actingEntity` : ts`servedEntity`,
      rules.length === 0 ? [parts] : [parts, objectDoc(rules)],
      { indent: 2, before: `const ${collection} = `, after: ";" },
    ),
    opened: callCode(
      isActing ? ts`new ActingService` : ts`new EntityService`,
      [
        word(collection),
        ts`request`,
        ...(isActing ? [callDoc(ts`${word(singular)}ServiceActions`, actionsGiven(entity))] : []),
      ],
      { indent: 4, before: `${plural}: `, after: "," },
    ),
  };
}

function actionsGiven({ name, actionReferences }: ServedEntity): TsCode[] {
  const own = ts`${word(name.singular)}Hooks.actions`;
  return actionReferences === null ? [own] : [own, ts`leading.${key(name.plural)}`];
}

/** `WithActions<OrderService, OrderServiceActions>` */
function actingType({ plural, typeName }: ResourceName): TsCode {
  const service = ts`${word(typeName)}Service`;
  const type = genericDoc(ts`WithActions`, [service, ts`${service}Actions`]);
  return printed(type, { indent: 2, before: `readonly ${key(plural)}: `, after: ";" });
}

/** AUT-2 */
function rulesOf(entity: ServedEntity): Doc[] {
  const { name, tiedParent, guardedReferences: guarded } = entity;
  const all = ts`entities.${key(name.plural)}.references`;
  const targets = guarded.map(
    ({ stored, target }) => ts`${key(stored)}: ${word(target.singular)}Access`,
  );
  return [
    ...(entity.isRestricted ? [accessRule(entity)] : []),
    ...childRules(entity),
    ...(targets.length === 0
      ? []
      : [prefixed(ts`references: `, callDoc(ts`guardedBy`, [all, objectDoc(targets)]))]),
    ...(tiedParent === null
      ? []
      : [ts`parent: tiedParent(${literal(tiedParent)}, ${word(name.singular)}Access)`]),
  ];
}

function accessRule({ name, unoffered }: ServedEntity): Doc {
  const access = ts`${word(name.singular)}Access`;
  const open = unoffered.map((operation) =>
    prefixed(ts`${word(operation)}: `, arrayDoc([literal("anyone")])),
  );
  return open.length === 0
    ? ts`access: ${access}`
    : prefixed(ts`access: `, objectDoc([ts`...${access}`, ...open]));
}

/** Who may delete children is asked also where anybody may delete their parent. */
function childRules({ guardedChildren }: ServedEntity): Doc[] {
  if (guardedChildren.length === 0) return [];
  const children = guardedChildren.map(
    ({ plural, singular }) => ts`${key(plural)}: ${word(singular)}Access`,
  );
  return [prefixed(ts`children: `, callDoc(ts`guardChildren`, [objectDoc(children)]))];
}
