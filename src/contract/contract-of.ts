import type { ConditionModel, PathCondition } from "../model/alias-model.js";
import type { Projection } from "../model/projection.js";
import type { ResourceModel } from "../model/resource-model.js";
import type { Limits, ServiceModel, VersionModel } from "../model/service-model.js";
import type { StatesModel } from "../model/states-model.js";
import { propertyContracts } from "./property-contracts.js";
import type {
  AliasContract,
  PathConditionContract,
  ConditionContract,
  Contract,
  ResourceContract,
  StatesContract,
  VersionContract,
} from "./resource-contract.js";

/** What a client of one version can see: of the version as a whole, and of each resource. */
export function contractOfVersion(service: ServiceModel, version: VersionModel): Contract {
  const { resources } = version;
  const originalOf = (one: ResourceModel): ResourceModel =>
    resources.find(({ entity, isRepresentation }) => entity === one.entity && !isRepresentation) ??
    one;
  return {
    version: versionContract(service, version),
    resources: new Map(
      resources.map((resource) => [
        resource.name.plural,
        contractOf(resource, originalOf(resource)),
      ]),
    ),
  };
}

/** What a client can see of one resource; `original` is the one whose objects it shows. */
export function contractOf(
  resource: ResourceModel,
  original: ResourceModel = resource,
): ResourceContract {
  const { name, parent, operations, access, paging, conditions, aliases, projection } = resource;
  const named = namesOf([...projection, ...original.projection]);
  const states = statesContract(resource.entity.states, projection);
  return {
    resource: name.plural,
    entity: original.name.typeName,
    identifier: name.idProperty,
    ...(resource.isRepresentation && { represents: original.name.plural }),
    ...(conditions.length > 0 && { where: conditions.map((one) => conditionContract(one, named)) }),
    ...(parent !== null && { parent: { resource: parent.name.plural, property: parent.property } }),
    operations,
    access,
    ...(!resource.counted && { count: "none" as const }),
    ...(resource.isMatchRequired && { ifMatch: "required" as const }),
    paging,
    ...(aliases.length > 0 && { aliases: aliasContracts(resource, named) }),
    ...(states !== null && { states }),
    properties: propertyContracts(resource.properties),
  };
}

/** What clients call what is stored at a path. */
type Named = (storedPath: string) => string;

function namesOf(projection: Projection): Named {
  return (storedPath) => {
    const [name = "", ...rest] = storedPath.split(".");
    const known = projection.find((one) => one.storedPath === name);
    return [known?.property ?? name, ...rest].join(".");
  };
}

function aliasContracts(
  { aliases }: ResourceModel,
  named: Named,
): Readonly<Record<string, AliasContract>> {
  return Object.fromEntries(
    aliases.map(({ name, conditions, sort }) => [
      name,
      {
        where: conditions.map((one) => conditionContract(one, named)),
        sort: sort.map(({ path, descending }) => (descending ? `-${path}` : path)),
      },
    ]),
  );
}

function conditionContract(condition: ConditionModel, named: Named): ConditionContract {
  if (condition.kind !== "any") return pathContract(condition, named);
  return {
    any: condition.alternatives.map((all) => all.map((one) => pathContract(one, named))),
  };
}

function pathContract(condition: PathCondition, named: Named): PathConditionContract {
  const property = named(condition.path);
  if (condition.kind === "mine") return { property, mine: true };
  if (condition.kind === "window") return { property, [condition.window]: condition.milliseconds };
  const { comparison, values, orNull } = condition;
  return { property, [comparison]: values, ...(orNull && { orNull }) };
}

/** Null where the resource does not show the state. */
function statesContract(states: StatesModel | null, projection: Projection): StatesContract | null {
  const shown = projection.find(({ storedPath }) => storedPath === states?.property);
  if (states === null || shown === undefined) return null;
  const { initial, transitions, updatableIn, deletableIn } = states;
  return {
    property: shown.property,
    initial,
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

function versionContract(service: ServiceModel, { name }: VersionModel): VersionContract {
  const { basePath, authentication, limits } = service;
  const seen = OF_ONE_REQUEST.flatMap((limit) => {
    const value = limits[limit];
    return value === null ? [] : [[limit, value] as const];
  });
  return {
    version: name,
    basePath,
    authentication: authentication.scheme,
    limits: Object.fromEntries(seen),
  };
}
