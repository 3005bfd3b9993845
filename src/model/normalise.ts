import { resourceName } from "../naming/resource-name.js";
import type {
  ResourceDocument,
  ServiceYaml,
  ValidatedTree,
} from "../validate/resource-document.js";
import { ALL_OPERATIONS, DEFAULT_LIMITS, DEFAULT_PAGING } from "./defaults.js";
import { deepFreeze } from "./deep-freeze.js";
import { normaliseAccess, normaliseAuthentication } from "./normalise-authentication.js";
import { normaliseProperties } from "./normalise-property.js";
import { normaliseAliases } from "./normalise-aliases.js";
import { normaliseStates, withState } from "./normalise-states.js";
import type {
  AuthenticationModel,
  Limits,
  Paging,
  ResourceModel,
  ServiceModel,
  VersionModel,
} from "./service-model.js";

/** Decides everything that the YAML leaves to a default, and computes every name once. */
export function normalise(tree: ValidatedTree): ServiceModel {
  const yaml = tree.service.value;
  const basePath = (yaml.basePath ?? "/api").replace(/\/+$/, "");
  const limits = { ...DEFAULT_LIMITS, ...yaml.limits };
  const authentication = normaliseAuthentication(yaml.authentication);
  const inherited = { basePath, limits, authentication };
  return deepFreeze({
    name: yaml.service,
    title: yaml.title ?? yaml.service,
    description: yaml.description ?? "",
    basePath,
    identifiers: yaml.identifiers ?? "ordered",
    pretty: yaml.json?.pretty ?? true,
    limits,
    authentication,
    versions: versionNames(tree).map((name) => normaliseVersion(name, tree, inherited)),
  });
}

interface Inherited {
  readonly basePath: string;
  readonly limits: Limits;
  readonly authentication: AuthenticationModel;
}

/** The versions that have a folder or stand in service.yaml, by number. */
function versionNames(tree: ValidatedTree): string[] {
  const names = new Set([
    ...Object.keys(tree.service.value.versions ?? {}),
    ...tree.resources.map((resource) => resource.version),
  ]);
  return [...names].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
}

function normaliseVersion(name: string, tree: ValidatedTree, inherited: Inherited): VersionModel {
  const resources = tree.resources
    .filter((resource) => resource.version === name)
    .map((resource) => normaliseResource(resource, tree.service.value, inherited))
    .sort((a, b) => (a.name.plural < b.name.plural ? -1 : 1));
  return { name, status: "draft", resources };
}

function normaliseResource(
  { source, value, version }: ResourceDocument,
  service: ServiceYaml,
  { basePath, limits, authentication }: Inherited,
): ResourceModel {
  const name = resourceName(value.resource, value.entity);
  const offered = value.operations ?? ALL_OPERATIONS;
  const path = `${basePath}/${version}/${name.plural}`;
  const declared = normaliseProperties(value.properties, {
    typePrefix: name.typeName,
    entityType: name.typeName,
    limits,
  });
  const properties = declared.map((property) => withState(property, value.states));
  return {
    source: source.path,
    version,
    name,
    path,
    description: value.description ?? "",
    properties,
    states: normaliseStates(value.states, properties),
    aliases: normaliseAliases(value.aliases ?? {}, properties, path),
    operations: ALL_OPERATIONS.filter((operation) => offered.includes(operation)),
    access: normaliseAccess(value.access, authentication),
    authenticated: authentication.scheme === "bearer",
    counted: value.count !== "none",
    paging: normalisePaging(service.paging, value.paging),
    identifiers: service.identifiers ?? "ordered",
    pretty: service.json?.pretty ?? true,
  };
}

/** A resource's own sizes win; a maximum below the default size pulls that down with it. */
function normalisePaging(service: ServiceYaml["paging"], own: ServiceYaml["paging"]): Paging {
  const { defaultSize, maximumSize } = { ...DEFAULT_PAGING, ...service, ...own };
  return { defaultSize: Math.min(defaultSize, maximumSize), maximumSize };
}
