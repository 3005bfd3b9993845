import type { PropertyModel } from "../kinds/property-model.js";
import type { EntityModel, IndexModel } from "../model/entity-model.js";
import { innerType, membersOf } from "../model/leaves.js";
import type { ResourceModel } from "../model/resource-model.js";
import type { AuthenticationModel, ServiceModel, VersionModel } from "../model/service-model.js";
import { changeOf, type ContractChange, type Difference } from "./change.js";
import {
  about,
  compareFacts,
  inner,
  members,
  named,
  placed,
  value,
  within,
  type Compared,
  type Facts,
} from "./facts.js";
import { propertyPlace } from "./place.js";

/** A version with the service that it is of: what a frozen contract does not keep. */
export interface Detailed {
  readonly service: ServiceModel;
  readonly version: VersionModel;
}

const DESCRIPTION = value("description-changed", { says: null });
const CAPACITY = named(value("capacity-changed"));
const KEYS = inner<Extract<AuthenticationModel, { scheme: "bearer" }>>({
  keys: named(value("tokens-changed")),
});

const SERVICE_FACTS: Facts<ServiceModel> = {
  identifiers: value("identifiers-changed"),
  pretty: placed(
    ["json", "pretty"],
    value("layout-changed", {
      says: (isPretty) => (isPretty === true ? "indented" : "on one line"),
    }),
  ),
  description: about<string, ServiceModel>(({ before }) => before.name, DESCRIPTION),
  // The rest of authentication is a part of the contract.
  authentication: ({ was, is, ...compared }) =>
    was?.scheme === "bearer" && is?.scheme === "bearer" ? KEYS({ ...compared, was, is }) : [],
  // Of one process: its operator's business.
  limits: inner({ receivingBytes: CAPACITY, sendingBytes: CAPACITY, concurrentRequests: CAPACITY }),
};

const RESOURCE_FACTS: Facts<ResourceModel> = {
  description: DESCRIPTION,
  aliases: compareDescriptions,
  actions: compareDescriptions,
  // A resource shows what its entity holds; only the entity's own resource tells of it.
  entity: ({ was, is, after }) =>
    was === undefined || is === undefined || after.isRepresentation
      ? []
      : compareFacts(ENTITY_FACTS, was, is),
};

const ENTITY_FACTS: Facts<EntityModel> = {
  indexes: members(
    { come: "index-added", gone: "index-removed" },
    {
      covers: (index, others) => others.some((other) => indexWords(other) === indexWords(index)),
      says: indexWords,
    },
  ),
};

const PROPERTY_FACTS: Facts<PropertyModel> = {
  description: DESCRIPTION,
  example: value("example-changed", { says: null }),
  sensitive: value("sensitivity-changed", {
    says: (isSensitive) => (isSensitive === true ? "never logged" : "not kept from the log"),
  }),
};

/** What has changed between two schemas that no client relies on: texts, logs, capacity. */
export function compareDetails(before: Detailed, after: Detailed): ContractChange[] {
  const resources = before.version.resources.flatMap((was) => {
    const is = after.version.resources.find(({ name }) => name.plural === was.name.plural);
    return is === undefined ? [] : compareResource(was, is);
  });
  const service = compareFacts(SERVICE_FACTS, before.service, after.service);
  const told = service.map((one) => changeOf(one, { resource: null, operations: null }));
  return [...told, ...resources];
}

interface Described {
  readonly name: string;
  readonly description: string;
}

function compareDescriptions({
  key,
  was = [],
  is = [],
}: Compared<readonly Described[], ResourceModel>): Difference[] {
  return is.flatMap((one): Difference[] => {
    const before = was.find(({ name }) => name === one.name);
    if (before === undefined || before.description === one.description) return [];
    return [{ kind: "description-changed", path: one.name, at: [key, one.name, "description"] }];
  });
}

function indexWords(keys: IndexModel): string {
  return keys.map(({ path, descending }) => (descending ? `-${path}` : path)).join(", ");
}

function compareResource(before: ResourceModel, after: ResourceModel): ContractChange[] {
  const { name, operations } = before;
  const are = new Map(ownProperties(after.properties).map((one) => [one.path, one]));
  const properties = ownProperties(before.properties).flatMap((was) => {
    const is = are.get(was.path);
    const found = is === undefined ? [] : compareFacts(PROPERTY_FACTS, was, is);
    return within(propertyPlace(was.path), found).map((one) => ({ ...one, path: was.path }));
  });
  const all = [...compareFacts(RESOURCE_FACTS, before, after), ...properties];
  return all.map((one) => changeOf(one, { resource: name.plural, operations }));
}

/** Every property that the schema declares itself, at any depth; paths are those of contracts. */
function ownProperties(properties: readonly PropertyModel[], above = ""): PropertyModel[] {
  return properties.flatMap((property) => {
    const path = above + property.name;
    const inner = innerType(property.type);
    const members = inner.kind === "object" ? membersOf(inner) : [];
    const below = property.type.kind === "array" ? `${path}[].` : `${path}.`;
    return [{ ...property, path }, ...ownProperties(members, below)];
  });
}
