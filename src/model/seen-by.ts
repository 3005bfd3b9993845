import type { ActionModel } from "./action-model.js";
import type { AliasModel, ConditionModel, PathCondition } from "./alias-model.js";
import type { EntityModel } from "./entity-model.js";
import {
  insteadOfStored,
  uniqueLists,
  type ProjectedProperty,
  type Projection,
} from "./projection.js";
import type { ResourceModel } from "./resource-model.js";
import type { VersionModel } from "./service-model.js";
import type { StatesModel } from "./states-model.js";

/**
 * A version in its own words: conditions, states and what representations are made of, as the clients of this version
 * know them, whatever newer versions call what is stored (VER-2).
 */
export function seenBy<Version extends Pick<VersionModel, "resources">>(version: Version): Version {
  const originals = new Map(
    version.resources
      .filter(({ isRepresentation }) => !isRepresentation)
      .map((resource) => [resource.entity.name.plural, resource]),
  );
  // An entity is one, whichever resource shows it.
  const entities = new Map(
    [...originals].map(([plural, original]) => [plural, seenEntity(original)] as const),
  );
  const resources = version.resources.map((resource) => {
    const { plural } = resource.entity.name;
    const original = originals.get(plural);
    return original === undefined || isAsStored(original.projection)
      ? resource
      : seen(resource, original, entities.get(plural) ?? resource.entity);
  });
  return { ...version, resources };
}

function isAsStored(projection: Projection): boolean {
  return projection.every(
    ({ property, storedPath, instead }) => property === storedPath && instead.length === 0,
  );
}

function seenEntity(original: ResourceModel): EntityModel {
  const { entity, properties, projection } = original;
  const { states } = entity;
  return {
    ...entity,
    properties,
    states: states && shownStates(states, projection),
    uniqueTogether: uniqueLists(original),
  };
}

function seen(
  resource: ResourceModel,
  original: ResourceModel,
  entity: EntityModel,
): ResourceModel {
  const { isRepresentation, projection } = resource;
  return {
    ...resource,
    conditions: resource.conditions.map((one) => shownCondition(one, original.projection)),
    actions: resource.actions.map((action) => shownAction(action, resource)),
    aliases: resource.aliases.map((alias) => shownAlias(alias, projection)),
    projection: isRepresentation
      ? projection
          .filter(({ property }) => !property.includes("."))
          .map(({ property, storedPath }) => ({
            property,
            storedPath: shownPath(storedPath, original.projection),
            instead: [],
          }))
      : original.properties.map(({ name }) => ({ property: name, storedPath: name, instead: [] })),
    entity,
  };
}

/** Of the states in which it is allowed, those that the version knows. */
function shownAction(action: ActionModel, { entity, projection }: ResourceModel): ActionModel {
  const instead = insteadOfStored(entity.states?.property ?? "", projection);
  const isKnown = (state: string): boolean => !instead.some(({ stored }) => stored === state);
  return { ...action, states: action.states?.filter(isKnown) ?? null };
}

function shownAlias(alias: AliasModel, projection: Projection): AliasModel {
  const conditions = alias.conditions.map((one) => shownCondition(one, projection));
  return { ...alias, conditions };
}

function shownCondition(condition: ConditionModel, projection: Projection): ConditionModel {
  if (condition.kind !== "any") return shownPathCondition(condition, projection);
  const alternatives = condition.alternatives.map((all) =>
    all.map((one) => shownPathCondition(one, projection)),
  );
  return { ...condition, alternatives };
}

function shownPathCondition(condition: PathCondition, projection: Projection): PathCondition {
  const path = shownPath(condition.path, projection);
  if (condition.kind !== "comparison") return { ...condition, path };
  const instead = entryOf(condition.path, projection)?.instead ?? [];
  const values = condition.values.map(
    (value) => instead.find(({ stored }) => stored === value)?.shown ?? value,
  );
  return { ...condition, path, values: [...new Set(values)] };
}

/** What clients call the value that is stored at a path. */
function shownPath(storedPath: string, projection: Projection): string {
  const entry = entryOf(storedPath, projection);
  return entry === undefined
    ? storedPath
    : entry.property + storedPath.slice(entry.storedPath.length);
}

/** The entry of what is stored at a path, or of the nearest object that holds it. */
function entryOf(path: string, projection: Projection): ProjectedProperty | undefined {
  const holders = projection.filter(
    ({ storedPath }) => path === storedPath || path.startsWith(`${storedPath}.`),
  );
  return holders.sort((a, b) => b.storedPath.length - a.storedPath.length)[0];
}

/** The states that the version knows; where it shows one instead of others, the way on from that one. */
function shownStates(states: StatesModel, projection: Projection): StatesModel | null {
  const entry = projection.find(({ storedPath }) => storedPath === states.property);
  if (entry === undefined) return null;
  const { property, instead } = entry;
  const shown = (state: string): string =>
    instead.find(({ stored }) => stored === state)?.shown ?? state;
  const known = (list: readonly string[]): string[] => list.filter((one) => shown(one) === one);
  const initial = shown(states.initial);
  return {
    property,
    initial,
    initials: [...new Set([initial, ...known(states.initials)])],
    transitions: states.transitions
      .filter(({ from }) => shown(from) === from)
      .map(({ from, to }) => ({
        from,
        to: [...new Set(to.map(shown))].filter((one) => one !== from),
      })),
    updatableIn: known(states.updatableIn),
    deletableIn: known(states.deletableIn),
  };
}
