import { grantsOf } from "../kinds/access-model.js";
import type { ResourceName } from "../naming/resource-name.js";
import type { ActionModel } from "./action-model.js";
import { pathConditions } from "./alias-model.js";
import type { DeclaredEntity, DeclaredResource } from "./declared.js";
import { deletionAccess, type DeletionAccess, type ResourcesOf } from "./deletion-access.js";
import type { ChildModel, EntityModel, ReferrerModel } from "./entity-model.js";
import { filterLeaves, leavesOf } from "./leaves.js";
import { indexesOf } from "./normalise-indexes.js";
import { storedPathOf } from "./projection.js";
import { referencesOf } from "./references.js";

/**
 * Tells each entity what others ask of it: who refers to it and what belongs to it, since a deletion has to ask them
 * (CHD-4), and what the resources that show it compare.
 */
export function relate(
  entities: readonly DeclaredEntity[],
  resourcesOf: ResourcesOf,
): EntityModel[] {
  const references = entities.flatMap(relationsOf);
  const access = deletionAccess(resourcesOf);
  return entities.map((entity) => {
    const { plural } = entity.name;
    const referrersOf = (one: ResourceName): ReferrerModel[] =>
      references
        .filter(({ target }) => target === one.plural)
        .map((reference) => referrer(reference, entity.name, access));
    const children = entities.flatMap((child): ChildModel[] => {
      if (child.parent?.name.plural !== plural) return [];
      const { name, states, parent } = child;
      const isGuarded = access.isChildGuarded(plural, name.plural);
      const isTold = access.isChildTold(plural, name.plural);
      const { property } = parent;
      return [{ name, property, states, isGuarded, isTold, referrers: referrersOf(name) }];
    });
    return {
      ...entity,
      referrers: referrersOf(entity.name),
      children: referringFirst(children),
      ...asked(resourcesOf(plural)),
      indexes: indexesOf(entity, resourcesOf(plural)),
    };
  });
}

/** A reference from one entity to another. */
interface Reference extends Omit<ReferrerModel, "isTold"> {
  /** The plural of the entity that is referred to. */
  readonly target: string;
}

/** What an entity refers to, but for its parent: that is deleted with it. */
function relationsOf(entity: DeclaredEntity): Reference[] {
  const { name, parent } = entity;
  return referencesOf(entity).flatMap(({ property, type: { target, onDelete }, isList }) => {
    if (target === null || property.name === parent?.property) return [];
    const isRequired = !isList && !property.nullable;
    const own = { name, property: property.name, isList, isRequired, onDelete, parent };
    return [{ target: target.name.plural, ...own }];
  });
}

function referrer(
  { target: _target, ...reference }: Reference,
  deleted: ResourceName,
  access: DeletionAccess,
): ReferrerModel {
  return { ...reference, isTold: access.isReferrerTold(deleted.plural, reference.name.plural) };
}

/** A child goes after those that refer to it; where they do so in a circle, after those that cannot let go of it. */
function referringFirst(children: readonly ChildModel[]): readonly ChildModel[] {
  const free = (holds: (referrer: ReferrerModel) => boolean): ChildModel | undefined =>
    children.find((child) => {
      const others = children.filter((other) => other !== child).map(({ name }) => name.plural);
      return !child.referrers.some(
        (referrer) => others.includes(referrer.name.plural) && holds(referrer),
      );
    });
  // No circle is of required references alone (SCH-54).
  const first = free(() => true) ?? free(({ isRequired }) => isRequired);
  if (first === undefined) return children;
  return [first, ...referringFirst(children.filter((child) => child !== first))];
}

/** What all resources that show an entity ask of it together. */
type Asked = Pick<
  EntityModel,
  | "queried"
  | "actions"
  | "isFilteredByCreator"
  | "isFilteredByParentCreator"
  | "isScoped"
  | "isScopedByParent"
>;

function asked(resources: readonly DeclaredResource[]): Asked {
  const access = resources.map((resource) => resource.access);
  const acting = resources.flatMap(({ actions }) => actions.flatMap((action) => action.access));
  const grants = [...access.flatMap(grantsOf), ...acting];
  const isScoped = grants.includes("custom");
  return {
    queried: [...new Set(resources.flatMap(queriedPaths))].sort(),
    // What code can compare has an index, who created it among that.
    isFilteredByCreator: isScoped || access.some(({ read }) => read.includes("owner")),
    isFilteredByParentCreator: access
      .flatMap(({ read, update, delete: deletion }) => [...read, ...update, ...deletion])
      .concat(acting)
      .includes("parent:owner"),
    actions: allActions(resources),
    isScoped,
    isScopedByParent: grants.includes("parent:custom"),
  };
}

/** OPS-11: those of every version; of those of one name, the newest one. */
function allActions(resources: readonly DeclaredResource[]): readonly ActionModel[] {
  const all = resources.flatMap(({ actions }) => actions);
  return [...new Map(all.map((action) => [action.name, action])).values()];
}

/** The stored paths of what a query can name, and of what its own conditions name (QRY, ALI-1, REP-7). */
function queriedPaths(resource: DeclaredResource): readonly string[] {
  const { properties, projection, conditions, aliases } = resource;
  const named = [
    ...filterLeaves(resource),
    ...leavesOf(properties).filter(({ sortable }) => sortable),
  ];
  const all = [...conditions, ...aliases.flatMap((alias) => alias.conditions)];
  return [
    ...named.map(({ path }) => storedPathOf(path, projection)),
    ...pathConditions(all).map(({ path }) => path),
  ];
}
