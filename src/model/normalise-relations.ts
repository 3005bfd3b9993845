import { grantsOf, tieOf } from "../kinds/access-model.js";
import type { ResourceName } from "../naming/resource-name.js";
import type { ActionModel } from "./action-model.js";
import { pathConditions } from "./alias-model.js";
import type { DeclaredEntity, DeclaredResource } from "./declared.js";
import { deletionAccess, type DeletionAccess, type ResourcesOf } from "./deletion-access.js";
import type {
  AnnouncedModel,
  ReachedModel,
  ChildModel,
  EntityModel,
  EntityParent,
  Intermediate,
  ReferrerModel,
} from "./entity-model.js";
import { CREATOR } from "./common-leaves.js";
import { storedAction, type StoredProperties } from "./embedding-actions.js";
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
  const references = entities.flatMap((entity) =>
    relationsOf(entity, announcedBy(entity, resourcesOf)),
  );
  const access = deletionAccess(resourcesOf);
  const spread = entities.flatMap((entity) => spreadPaths(entity, resourcesOf(entity.name.plural)));
  return entities.map((entity) => {
    const { plural } = entity.name;
    const referrersOf = (one: ResourceName): ReferrerModel[] =>
      references
        .filter(({ target }) => target === one.plural)
        .map((reference) => referrer(reference, entity.name, access));
    const childrenOf = (above: string, through: readonly Intermediate[]): ChildModel[] =>
      entities.flatMap((child): ChildModel[] => {
        if (child.parent?.name.plural !== above) return [];
        const { name, states, parent } = child;
        const { property } = parent;
        const seen = { deleted: plural, child: name.plural, depth: through.length + 1 };
        const isGuarded = access.isChildGuarded(seen);
        const isTold = access.isChildTold(seen);
        const announced = announcedBy(child, resourcesOf);
        const referring = { isGuarded, isTold, announced, referrers: referrersOf(name) };
        return [
          { name, property, through, states, ...referring },
          ...childrenOf(name.plural, [{ name, property }, ...through]),
        ];
      });
    return {
      ...entity,
      announced: announcedBy(entity, resourcesOf),
      ancestors: ancestorsOf(entity, entities),
      referrers: referrersOf(entity.name),
      children: referringFirst(childrenOf(plural, [])),
      ...asked(resourcesOf(plural), comparedByOthers(plural, entities, resourcesOf)),
      ...searchedOf(plural, resourcesOf(plural), spread),
      actions: allActions(resourcesOf(plural), entities),
      isScopedByParent: isScopedByParent(entity, entities, resourcesOf),
      indexes: indexesOf(entity, resourcesOf(plural)),
    };
  });
}

/** EVT-1 */
function announcedBy(entity: DeclaredEntity, resourcesOf: ResourcesOf): readonly AnnouncedModel[] {
  return resourcesOf(entity.name.plural)
    .filter(({ announces }) => announces.length > 0)
    .map(({ version, name, announces, actions }) => ({
      version,
      name,
      kinds: announces,
      hasTenant: entity.tenant !== null,
      actions: actions.flatMap(({ name: action, emits }) =>
        emits === null ? [] : [{ name: action, emits }],
      ),
    }));
}

function ancestorsOf(
  { parent }: DeclaredEntity,
  entities: readonly DeclaredEntity[],
): readonly EntityParent[] {
  if (parent === null) return [];
  const above = entities.find(({ name }) => name.plural === parent.name.plural);
  return [parent, ...(above === undefined ? [] : ancestorsOf(above, entities))];
}

/** A reference from one entity to another. */
interface Reference extends Omit<ReferrerModel, "isTold"> {
  /** The plural of the entity that is referred to. */
  readonly target: string;
}

/** What an entity refers to, but for its parent: that is deleted with it. */
function relationsOf(entity: DeclaredEntity, announced: readonly AnnouncedModel[]): Reference[] {
  const { name, parent } = entity;
  return referencesOf(entity).flatMap(({ property, type: { target, onDelete }, isLinked }) => {
    if (target === null || property.path === parent?.property) return [];
    const isRequired = !isLinked && !property.nullable;
    const own = { name, announced, property: property.path, isLinked, isRequired, onDelete };
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

/** A child goes after its own children, and after those that refer to it; where they do so in a circle, after those that cannot let go of it. */
function referringFirst(children: readonly ChildModel[]): readonly ChildModel[] {
  const free = (holds: (referrer: ReferrerModel) => boolean): ChildModel | undefined =>
    children.find((child) => {
      const isParent = children.some(({ through: [above] }) => above?.name === child.name);
      if (isParent) return false;
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
  "queried" | "isFilteredByCreator" | "ownerships" | "reached" | "comparedByOthers" | "isScoped"
>;

function asked(resources: readonly DeclaredResource[], comparedByOthers: readonly string[]): Asked {
  const access = resources.map((resource) => resource.access);
  const isScoped = resources.flatMap(allGrants).includes("custom");
  return {
    queried: [
      ...new Set([
        ...resources.flatMap(queriedPaths),
        ...comparedByOthers.filter((path) => path !== CREATOR),
      ]),
    ].sort(),
    comparedByOthers,
    // What code can compare has an index, who created it among that.
    isFilteredByCreator: isScoped || access.some(({ read }) => read.includes("owner")),
    ownerships: ownershipsIn(resources),
    reached: reachedBy(resources),
    isScoped,
  };
}

function ownershipsIn(resources: readonly DeclaredResource[]): readonly string[] {
  const all = resources.flatMap(({ access: { read, update, delete: deletion }, actions }) => [
    ...[...read, ...update, ...deletion],
    ...actions.flatMap((action) => action.access),
  ]);
  return [
    ...new Set(all.filter((grant) => grant !== "owner" && tieOf(grant)?.by === "owner")),
  ].sort();
}

/** What the access of other entities compares of those with a plural: who created them, for their descendants, or a property. */
function comparedByOthers(
  plural: string,
  entities: readonly DeclaredEntity[],
  resourcesOf: ResourcesOf,
): readonly string[] {
  const isOwnerAsked = (above: string): boolean =>
    entities.some(
      ({ name, parent }) =>
        parent?.name.plural === above &&
        (ownershipsIn(resourcesOf(name.plural)).length > 0 || isOwnerAsked(name.plural)),
    );
  const reached = entities.flatMap(({ name }) => reachedBy(resourcesOf(name.plural)));
  const paths = reached.filter(({ target }) => target.plural === plural);
  return [...paths.map(({ targetPath }) => targetPath), ...(isOwnerAsked(plural) ? [CREATOR] : [])];
}

/** What grants compare of the entities that references lead to; of ancestors, theirs do. */
function reachedBy(resources: readonly DeclaredResource[]): readonly ReachedModel[] {
  const found = resources.flatMap(({ equalities }) =>
    equalities.flatMap(({ depth, path, through }) => {
      if (depth > 0 || through === null) return [];
      const { reference, target, path: targetPath } = through;
      return [{ path, reference, target, targetPath }];
    }),
  );
  return [...new Map(found.map((one) => [one.path, one])).values()];
}

function allGrants(resource: DeclaredResource): readonly string[] {
  return [...grantsOf(resource.access), ...resource.actions.flatMap((action) => action.access)];
}

/** AUT-2: whether filters are about what an entity belongs to, on the way up from it or from below. */
function isScopedByParent(
  { name }: DeclaredEntity,
  entities: readonly DeclaredEntity[],
  resourcesOf: ResourcesOf,
): boolean {
  const isAsked = (plural: string, depth: number): boolean =>
    resourcesOf(plural).some((resource) =>
      allGrants(resource).some((grant) => isFilterAbove(grant, depth)),
    ) ||
    entities.some(
      (child) => child.parent?.name.plural === plural && isAsked(child.name.plural, depth + 1),
    );
  return isAsked(name.plural, 1);
}

/** Tells a tie to an ancestor, at least as far above, whose filters are about that one. */
function isFilterAbove(grant: string, depth: number): boolean {
  const tie = tieOf(grant);
  return tie !== null && tie.by !== "owner" && tie.depth >= depth;
}

/** OPS-11: those of every version; of those of one name, the newest one. What they embed is as it is stored. */
function allActions(
  resources: readonly DeclaredResource[],
  entities: readonly DeclaredEntity[],
): readonly ActionModel[] {
  const all = resources.flatMap(({ actions }) => actions);
  const stored: StoredProperties = (plural) =>
    entities.find(({ name }) => name.plural === plural)?.properties ?? [];
  const newest = new Map(all.map((action) => [action.name, action]));
  return [...newest.values()].map((action) => storedAction(action, stored));
}

/** A text that `?search=` looks in (QRY-8). */
interface SpreadPath {
  /** The plural of the entity that is searched for, and the stored path. */
  readonly searched: string;
  readonly path: string;
  /** The plural of the entity whose text it is, and the path there. */
  readonly owner: string;
  readonly ownPath: string;
}

function spreadPaths(
  entity: DeclaredEntity,
  resources: readonly DeclaredResource[],
): readonly SpreadPath[] {
  const { plural } = entity.name;
  return resources.flatMap(({ search, projection }) =>
    search.map((shown) => {
      const path = storedPathOf(shown, projection);
      const [first = "", ...rest] = path.split(".");
      const through = referencesOf(entity).find(({ property }) => property.path === first);
      const owner = through?.type.target?.name.plural;
      if (owner === undefined) return { searched: plural, path, owner: plural, ownPath: path };
      return { searched: plural, path, owner, ownPath: rest.join(".") };
    }),
  );
}

function searchedOf(
  plural: string,
  resources: readonly DeclaredResource[],
  spread: readonly SpreadPath[],
): Pick<EntityModel, "searched" | "searchedOthers"> {
  const own = spread.filter(({ owner }) => owner === plural).map(({ ownPath }) => ownPath);
  const others = spread.filter(
    ({ searched, path, ownPath }) => searched === plural && path !== ownPath,
  );
  return {
    searched: [...new Set([...resources.flatMap(searchedPaths), ...own])].sort(),
    searchedOthers: [...new Set(others.map(({ path }) => path))].sort(),
  };
}

/** The stored paths of texts that a query can search (QRY-7). */
function searchedPaths({ properties, projection }: DeclaredResource): readonly string[] {
  return leavesOf(properties)
    .filter(({ filterable }) => filterable === "search")
    .map(({ path }) => storedPathOf(path, projection));
}

/** The stored paths of what a query can name, and of what its own conditions name (QRY, ALI-1, REP-7). */
function queriedPaths(resource: DeclaredResource): readonly string[] {
  const { properties, projection, conditions, aliases, equalities } = resource;
  const named = [
    ...filterLeaves(resource),
    ...leavesOf(properties).filter(({ sortable }) => sortable),
  ];
  const all = [...conditions, ...aliases.flatMap((alias) => alias.conditions)];
  return [
    ...named.map(({ path }) => storedPathOf(path, projection)),
    ...pathConditions(all).map(({ path }) => path),
    ...equalities.filter((one) => one.depth === 0 && one.through === null).map(({ path }) => path),
  ];
}
