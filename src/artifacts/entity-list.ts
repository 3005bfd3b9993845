import { isRestricted } from "../kinds/access-model.js";
import type { EntityModel } from "../model/entity-model.js";
import { formerExports, pairExport } from "../model/own-pairs.js";
import { storedPathOf } from "../model/projection.js";
import { referencesOf } from "../model/references.js";
import type { GuardedChild, ResourceModel } from "../model/resource-model.js";
import type { ServiceModel } from "../model/service-model.js";
import type { TsCode } from "../naming/encoders.js";
import type { ResourceName } from "../naming/resource-name.js";
import { actionReferencesCode } from "./action-code.js";
import { guardedReferences, type GuardedReference } from "./controller-code.js";
import { asksForParent } from "./controller-code.js";
import { operationsOf } from "./operations.js";
import { pairFile, pairsName } from "./shaped.js";

/** What a service is put together from: its entities, the routes of its versions, and its own conversions. */
export interface ServiceList {
  readonly entities: readonly ListedEntity[];
  readonly routes: readonly ListedRoutes[];
  readonly pairs: readonly ListedPair[];
  /** AUT-4: some entity belongs to a tenant. */
  readonly hasTenants: boolean;
  /** `/shop` */
  readonly eventSource: string;
}

/** An entity, and who may do what with it where the newest version shows it (AUT-2). */
export interface ListedEntity extends Pick<EntityModel, "name"> {
  readonly hasStates: boolean;
  /** EVT-1 */
  readonly isAnnounced: boolean;
  readonly hasReferences: boolean;
  /** What is converted from each of its versions to the next, the oldest first (VER-2). */
  readonly conversions: readonly ListedConversions[];
  /** Access is a file of this version; null: no version shows it. */
  readonly version: string | null;
  /** False where everybody may do everything. */
  readonly isRestricted: boolean;
  /** The operations that clients do not have: custom code may always use them. */
  readonly unoffered: readonly ("create" | "update" | "delete")[];
  readonly guardedChildren: readonly GuardedChild[];
  /** The version with the actions that custom code can call; null: there are none (OPS-11). */
  readonly acting: string | null;
  /** Where the references of its actions lead: `orderActionReferences(entities)`; null: they hold none (REP-4). */
  readonly actionReferences: TsCode | null;
  readonly guardedReferences: readonly GuardedReference[];
  /** The reference to the parent, where who may create it depends on that; null: it does not. */
  readonly tiedParent: string | null;
}

interface ListedConversions {
  readonly name: TsCode;
  readonly version: string;
  readonly plural: string;
}

/** The routes of a resource. */
export interface ListedRoutes {
  readonly name: Pick<ResourceName, "singular" | "plural">;
  readonly version: string;
}

interface ListedPair {
  /** What the user's file of the pair exports (VER-2). */
  readonly name: string;
  readonly file: string;
  /** What it was called in migrations that name it otherwise. */
  readonly formers: readonly string[];
}

/** What a service is put together from. */
export function listedService({ entities, versions, eventSource }: ServiceModel): ServiceList {
  const resources = versions.flatMap((version) => version.resources);
  return {
    entities: entities.map((entity) => listedEntity(entity, resources)),
    routes: resources.map(({ name: { singular, plural }, version }) => ({
      name: { singular, plural },
      version,
    })),
    hasTenants: entities.some(({ tenant }) => tenant !== null),
    pairs: resources.flatMap((resource) =>
      resource.pairs.map((pair) => ({
        name: pairExport(resource, pair),
        file: pairFile(resource, pair),
        formers: formerExports(resource, pair),
      })),
    ),
    eventSource,
  };
}

function listedEntity(entity: EntityModel, resources: readonly ResourceModel[]): ListedEntity {
  const shown = resources.filter((one) => one.entity.name.plural === entity.name.plural);
  const newest = shown.findLast(({ isRepresentation }) => !isRepresentation);
  return {
    name: entity.name,
    hasStates: entity.states !== null,
    isAnnounced: entity.announced.length > 0,
    hasReferences: referencesOf(entity).length > 0,
    conversions: shown
      .filter(({ pairs }) => pairs.length > 0)
      .map((resource) => ({
        name: pairsName(resource),
        version: resource.version,
        plural: resource.name.plural,
      })),
    ...(newest === undefined ? UNSHOWN : usedAs(newest)),
  };
}

/** The access checks for custom code: the same as for callers of this resource. */
function usedAs(resource: ResourceModel) {
  const isAsked = isRestricted(resource);
  return {
    version: resource.version,
    isRestricted: isAsked,
    unoffered: isAsked ? unofferedBy(resource) : [],
    guardedChildren: resource.guardedChildren,
    acting: resource.actions.length === 0 ? null : resource.version,
    actionReferences: actionReferencesCode(resource)[0] ?? null,
    guardedReferences: guardedReferences(resource),
    tiedParent: tiedParentOf(resource),
  };
}

const UNSHOWN = {
  version: null,
  isRestricted: false,
  unoffered: [],
  guardedChildren: [],
  acting: null,
  actionReferences: null,
  guardedReferences: [],
  tiedParent: null,
};

function tiedParentOf(resource: ResourceModel): string | null {
  const { parent, projection } = resource;
  const isTied = parent !== null && operationsOf(resource).creates && asksForParent(resource);
  return isTied ? storedPathOf(parent.property, projection) : null;
}

function unofferedBy(resource: ResourceModel): ListedEntity["unoffered"] {
  const { creates, replaces, updates, deletes } = operationsOf(resource);
  return [
    ...(creates ? [] : (["create"] as const)),
    ...(replaces || updates ? [] : (["update"] as const)),
    ...(deletes ? [] : (["delete"] as const)),
  ];
}
