import type { PropertyModel } from "../kinds/property-model.js";
import { innerType, membersOf } from "../model/leaves.js";
import type { IndexModel } from "../model/entity-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import type {
  AuthenticationModel,
  Limits,
  ServiceModel,
  VersionModel,
} from "../model/service-model.js";
import { changeOf, type ContractChange, type Found } from "./change.js";
import type { ChangeKindId } from "./change-kinds.js";
import { propertyPlace } from "./place.js";

/** A version with the service that it is of: what a frozen contract does not keep. */
export interface Detailed {
  readonly service: ServiceModel;
  readonly version: VersionModel;
}

type Tell = (kind: ChangeKindId, found: Found) => ContractChange;

/** What has changed between two schemas that no client relies on: texts, logs, capacity. */
export function compareDetails(before: Detailed, after: Detailed): ContractChange[] {
  const resources = before.version.resources.flatMap((was) => {
    const is = after.version.resources.find(({ name }) => name.plural === was.name.plural);
    return is === undefined ? [] : compareResource(was, is);
  });
  return [...compareServices(before.service, after.service), ...resources];
}

/** Of one process: its operator's business. */
const CAPACITY: readonly (keyof Limits)[] = [
  "receivingBytes",
  "sendingBytes",
  "concurrentRequests",
];

function compareServices(before: ServiceModel, after: ServiceModel): ContractChange[] {
  const tell: Tell = (kind, found) =>
    changeOf(kind, found, { resource: null, operations: null, isSent: true });
  const layout = ({ pretty }: ServiceModel): string => (pretty ? "indented" : "on one line");
  const made = { before: before.identifiers, after: after.identifiers, at: ["identifiers"] };
  const laidOut = { before: layout(before), after: layout(after), at: ["json", "pretty"] };
  return [
    ...(made.before === made.after ? [] : [tell("identifiers-changed", made)]),
    ...(laidOut.before === laidOut.after ? [] : [tell("layout-changed", laidOut)]),
    ...(before.description === after.description
      ? []
      : [tell("description-changed", { path: before.name, at: ["description"] })]),
    ...compareTokens(before.authentication, after.authentication, tell),
    ...CAPACITY.flatMap((path) => {
      const found = {
        path,
        before: String(before.limits[path]),
        after: String(after.limits[path]),
      };
      if (found.before === found.after) return [];
      return [tell("capacity-changed", { ...found, at: ["limits", path] })];
    }),
  ];
}

/** Whether callers need one is told of the version. */
function compareTokens(
  before: AuthenticationModel,
  after: AuthenticationModel,
  tell: Tell,
): ContractChange[] {
  if (before.scheme === "none" || after.scheme === "none") return [];
  const names = ["issuer", "audience", "keys", "roles"] as const;
  return names
    .filter((path) => before[path] !== after[path])
    .map((path) =>
      tell("tokens-changed", {
        ...{ path, before: before[path], after: after[path] },
        at: ["authentication", path],
      }),
    );
}

interface Described {
  readonly name: string;
  readonly description: string;
}

function describedBeside(
  holder: string,
  before: readonly Described[],
  after: readonly Described[],
  tell: Tell,
): ContractChange[] {
  return after.flatMap(({ name, description }) => {
    const was = before.find((one) => one.name === name);
    if (was === undefined || was.description === description) return [];
    return [tell("description-changed", { path: name, at: [holder, name, "description"] })];
  });
}

/** A resource shows what its entity holds; only the entity's own resource tells of it. */
function compareIndexes(before: ResourceModel, after: ResourceModel, tell: Tell): ContractChange[] {
  if (after.isRepresentation) return [];
  const indexesOf = ({ entity }: ResourceModel): string[] => entity.indexes.map(indexWords);
  const [were, are] = [indexesOf(before), indexesOf(after)];
  const at = ["indexes"];
  return [
    ...are
      .filter((one) => !were.includes(one))
      .map((one) => tell("index-added", { after: one, at })),
    ...were
      .filter((one) => !are.includes(one))
      .map((one) => tell("index-removed", { before: one, at })),
  ];
}

function indexWords(keys: IndexModel): string {
  return keys.map(({ path, descending }) => (descending ? `-${path}` : path)).join(", ");
}

function compareResource(before: ResourceModel, after: ResourceModel): ContractChange[] {
  const { name, operations } = before;
  const tell: Tell = (kind, found) =>
    changeOf(kind, found, { resource: name.plural, operations, isSent: true });
  const are = new Map(ownProperties(after.properties).map((one) => [one.path, one]));
  return [
    ...(before.description === after.description
      ? []
      : [tell("description-changed", { at: ["description"] })]),
    ...describedBeside("aliases", before.aliases, after.aliases, tell),
    ...describedBeside("actions", before.actions, after.actions, tell),
    ...compareIndexes(before, after, tell),
    ...ownProperties(before.properties).flatMap((was) => {
      const is = are.get(was.path);
      return is === undefined ? [] : compareProperty(was, is, tell);
    }),
  ];
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

function compareProperty(was: PropertyModel, is: PropertyModel, tell: Tell): ContractChange[] {
  const { path } = was;
  const at = (keyword: string) => propertyPlace(path, keyword);
  const logged = ({ sensitive }: PropertyModel): string =>
    sensitive ? "never logged" : "not kept from the log";
  return [
    ...(was.description === is.description
      ? []
      : [tell("description-changed", { path, at: at("description") })]),
    ...(JSON.stringify(was.example) === JSON.stringify(is.example)
      ? []
      : [tell("example-changed", { path, at: at("example") })]),
    ...(was.sensitive === is.sensitive
      ? []
      : [
          tell("sensitivity-changed", {
            path,
            before: logged(was),
            after: logged(is),
            at: at("sensitive"),
          }),
        ]),
  ];
}
