import type { ConditionModel, PathCondition } from "../model/alias-model.js";
import { originalOf } from "../model/original-of.js";
import { uniqueLists, type Projection } from "../model/projection.js";
import type { PathModel, ResourceModel } from "../model/resource-model.js";
import { dayWords } from "../naming/duration.js";
import type { ResourceName } from "../naming/resource-name.js";
import { seenBy } from "../model/seen-by.js";
import type {
  AuthenticationModel,
  Limits,
  ServiceModel,
  VersionModel,
} from "../model/service-model.js";
import type { StatesModel } from "../model/states-model.js";
import { propertyContracts } from "./property-contracts.js";
import {
  CONTRACT_FORMAT,
  type ActionContract,
  type AliasContract,
  type PathConditionContract,
  type ConditionContract,
  type Contract,
  type ResourceContract,
  type StatesContract,
  type TokensContract,
  type VersionContract,
} from "./resource-contract.js";

/** What a client of one version can see: of the version as a whole, and of each resource. */
export function contractOfVersion(service: ServiceModel, version: VersionModel): Contract {
  const { resources } = seenBy(version);
  const place = service.versions.findIndex(({ name }) => name === version.name);
  const older = service.versions.slice(0, place);
  const hasOlder = older.some(({ status }) => status !== "retired");
  return {
    version: versionContract(service, version),
    resources: new Map(
      resources.map((resource) => [
        resource.name.plural,
        {
          ...contractOf(resource, originalOf(resource, resources), hasOlder),
          // Those who refer are known by what is stored.
          ...heldBy(resource, version.resources),
        },
      ]),
    ),
  };
}

/** What a client can see of one resource; `original` is the one whose objects it shows; an older version may be served. */
export function contractOf(
  resource: ResourceModel,
  original: ResourceModel = resource,
  hasOlder = true,
): ResourceContract {
  const { name, parent, listedUnder, operations, access, conditions, projection } = resource;
  const { defaultSize, maximumSize, next } = resource.paging;
  const properties = withOrigins(resource, hasOlder);
  const named = namesOf([...projection, ...original.projection]);
  const told = conditionsOf(named);
  const states = statesContract(resource.entity.states, named, properties);
  return {
    resource: name.plural,
    entity: original.name.typeName,
    identifier: name.idProperty,
    ...(resource.isRepresentation && { represents: original.name.plural }),
    ...(conditions.length > 0 && { where: told(conditions) }),
    ...(parent !== null && { parent: { resource: parent.name.plural, property: parent.property } }),
    ...(listedUnder.length > 0 && { listedUnder: pathContracts(listedUnder) }),
    operations,
    access,
    ...takenAlong(resource),
    ...(!resource.counted && { count: "none" as const }),
    ...(resource.entity.tenant !== null && { tenant: true as const }),
    ...(resource.isMatchRequired && { ifMatch: "required" as const }),
    paging: { defaultSize, maximumSize, ...(next && { next: true as const }) },
    ...(resource.search.length > 0 && { search: resource.search }),
    ...(resource.aliases.length > 0 && { aliases: aliasContracts(resource, told) }),
    ...(states !== null && { states }),
    ...listsOf(resource),
    ...(resource.actions.length > 0 && { actions: actionContracts(resource) }),
    properties,
  };
}

/** What is left out where there is nothing in it. */
function listsOf(
  resource: ResourceModel,
): Pick<ResourceContract, "commonFilters" | "events" | "unique"> {
  const commonFilters = resource.commonFilters.map(({ path }) => path).sort();
  const unique = uniqueLists(resource);
  return {
    ...(commonFilters.length > 0 && { commonFilters }),
    ...(resource.announces.length > 0 && { events: resource.announces }),
    ...(unique.length > 0 && { unique }),
  };
}

/** AUT-2: whatever its plural is in a newer version, who may is what counts. */
function takenAlong({
  guardedChildren,
}: Pick<ResourceModel, "guardedChildren">): Pick<ResourceContract, "takesAlong"> {
  const takesAlong = guardedChildren.flatMap(({ servedPlural, access }) =>
    access.map((one) => ({ resource: servedPlural, access: one })),
  );
  return takesAlong.length === 0 ? {} : { takesAlong };
}

/** What can refuse a deletion, in the names of the version where it has any: those of others can change. */
function heldBy(
  { entity, operations }: ResourceModel,
  resources: readonly ResourceModel[],
): Pick<ResourceContract, "heldBy"> {
  if (!operations.includes("delete")) return {};
  const nameOf = ({ table, plural }: ResourceName, path: string): string => {
    const shown = resources.find((one) => one.entity.name.table === table && !one.isRepresentation);
    return `${shown?.name.plural ?? plural}.${namesOf(shown?.projection ?? [])(path)}`;
  };
  const referring = [entity, ...entity.children].flatMap(({ referrers }) =>
    referrers.flatMap(({ name, property, onDelete }) =>
      onDelete === "refuse" ? [nameOf(name, property)] : [],
    ),
  );
  const states = entity.children.flatMap(({ name, states: one }) =>
    one !== null && one.deletableIn.length < one.transitions.length
      ? [nameOf(name, one.property)]
      : [],
  );
  const all = [...new Set([...referring, ...states])].sort();
  return all.length === 0 ? {} : { heldBy: all };
}

/** What stands for properties elsewhere: in the original, and in the version before (REP-7, VER-2). */
function withOrigins(
  { isRepresentation, projection, earlier: { instead }, properties }: ResourceModel,
  hasOlder: boolean,
): ResourceContract["properties"] {
  const shown = new Map(projection.map(({ property, storedPath }) => [property, storedPath]));
  const entries = Object.entries(propertyContracts(properties)).map(([path, property]) => {
    const shows = isRepresentation ? (shown.get(path) ?? path) : path;
    const inOlderVersions = hasOlder ? instead[path] : undefined;
    const origins = {
      ...(shows !== path && { shows }),
      ...(inOlderVersions && { inOlderVersions }),
    };
    return [path, { ...property, ...origins }] as const;
  });
  return Object.fromEntries(entries);
}

function pathContracts(paths: readonly PathModel[]): NonNullable<ResourceContract["listedUnder"]> {
  return paths
    .map(({ name, property }) => ({ resource: name.plural, property }))
    .sort((a, b) => (a.resource < b.resource ? -1 : 1));
}

/** What clients call what is stored at a path. */
type Named = (storedPath: string) => string;

/** By the nearest object that has a name of its own. */
function namesOf(projection: Projection): Named {
  return (path) => {
    const holders = projection.filter(
      ({ storedPath }) => path === storedPath || path.startsWith(`${storedPath}.`),
    );
    const [nearest] = [...holders].sort((a, b) => b.storedPath.length - a.storedPath.length);
    return nearest === undefined ? path : nearest.property + path.slice(nearest.storedPath.length);
  };
}

function aliasContracts(
  { aliases }: ResourceModel,
  told: Told,
): Readonly<Record<string, AliasContract>> {
  return Object.fromEntries(
    aliases.map(({ name, conditions, sort }) => [
      name,
      {
        where: told(conditions),
        sort: sort.map(({ path, descending }) => (descending ? `-${path}` : path)),
      },
    ]),
  );
}

function actionContracts({ actions }: ResourceModel): Readonly<Record<string, ActionContract>> {
  const entries = actions.map((action): readonly [string, ActionContract] => {
    const { name, on, access, input, answers, answer, states, leadsTo } = action;
    return [
      name,
      {
        ...{ on, access, answers },
        input: propertyContracts(input.properties),
        answer: propertyContracts(answer.properties),
        ...(states !== null && { states }),
        ...(leadsTo !== null && { leadsTo }),
      },
    ];
  });
  // Two branches then add at different places.
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Conditions in the words of clients. */
type Told = (conditions: readonly ConditionModel[]) => readonly ConditionContract[];

function conditionsOf(named: Named): Told {
  const one = (condition: PathCondition): PathConditionContract => pathContract(condition, named);
  return (conditions) =>
    conditions.map((condition) =>
      condition.kind === "any"
        ? { any: condition.alternatives.map((all) => all.map(one)) }
        : one(condition),
    );
}

function pathContract(condition: PathCondition, named: Named): PathConditionContract {
  const property = named(condition.path);
  if (condition.kind === "mine") return { property, mine: true };
  if (condition.kind === "window") return { property, [condition.window]: condition.milliseconds };
  const { comparison, values, orNull, relative } = condition;
  return {
    property,
    [comparison]: [...values, ...(relative?.days.map(dayWords) ?? [])],
    ...(orNull && { orNull }),
    ...(relative !== null && { timeZone: relative.timeZone }),
  };
}

/** The states that the resource shows; null where it does not show the property. */
function statesContract(
  states: StatesModel | null,
  named: Named,
  properties: ResourceContract["properties"],
): StatesContract | null {
  const property = states === null ? "" : named(states.property);
  if (states === null || properties[property] === undefined) return null;
  const { initial, initials, transitions, updatableIn, deletableIn } = states;
  return {
    property,
    initial,
    ...(initials.length > 1 && { alsoInitial: initials.slice(1) }),
    transitions: Object.fromEntries(transitions.map(({ from, to }) => [from, to])),
    updatableIn,
    deletableIn,
  };
}

/** Of one request; what a process takes in total is its operator's business. */
const OF_ONE_REQUEST: readonly (keyof Limits)[] = [
  "bodyBytes",
  "urlBytes",
  "headerBytes",
  "requestSeconds",
  "jsonDepth",
  "jsonValues",
  "pageBytes",
  "requestsPerMinute",
];

function versionContract(service: ServiceModel, version: VersionModel): VersionContract {
  const { basePath, authentication, corsOrigins, eventSource, limits } = service;
  const tokens = tokensContract(authentication);
  const seen = OF_ONE_REQUEST.flatMap((limit) => {
    const value = limits[limit];
    return value === null ? [] : [[limit, value] as const];
  });
  return {
    format: CONTRACT_FORMAT,
    version: version.name,
    service: service.name,
    ...(version.resources.some(({ announces }) => announces.length > 0) && { eventSource }),
    basePath,
    authentication: authentication.scheme,
    ...(tokens !== null && { tokens }),
    ...(corsOrigins.length > 0 && { origins: [...corsOrigins].sort() }),
    limits: Object.fromEntries(seen),
  };
}

/** Where the keys are found is not recorded: issuers change keys without a word. */
function tokensContract(authentication: AuthenticationModel): TokensContract | null {
  if (authentication.scheme === "none") return null;
  const { issuer, audience, roles, tenant } = authentication;
  return { issuer, audience, roles, ...(tenant !== null && { tenant }) };
}
