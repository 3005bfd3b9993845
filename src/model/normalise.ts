import { InternalError } from "../diagnostics/internal-error.js";
import type { ResourceName } from "../naming/resource-name.js";
import { byNumber } from "../validate/lineage.js";
import type { LimitsYaml, ValidatedTree } from "../validate/resource-document.js";
import type { DeclaredResource } from "./declared.js";
import { declareVersions } from "./declare-versions.js";
import { DEFAULT_LIMITS } from "./defaults.js";
import { guardingChild, guards, type ResourcesOf } from "./deletion-access.js";
import type { EntityModel } from "./entity-model.js";
import { normaliseAuthentication } from "./normalise-authentication.js";
import { relate } from "./normalise-relations.js";
import { pathsOf } from "./references.js";
import { promisedVersion, type Unpromised } from "./promised-version.js";
import type { Limits, ServiceModel } from "./service-model.js";
import { isRetired } from "./version-status.js";

/** An item may be an object of so many properties. */
const VALUES_OF_AN_ITEM = 20;

/** Decides everything that the YAML leaves to a default, and computes every name once. */
export function normalise(tree: ValidatedTree): ServiceModel {
  const yaml = tree.service.value;
  const basePath = (yaml.basePath ?? "/api").replace(/\/+$/, "");
  const limits = limitsOf(yaml.limits);
  const authentication = normaliseAuthentication(yaml.authentication, tenantClaim(tree));
  const inherited = { service: yaml, basePath, limits, authentication };
  const names = versionNames(tree);
  const served = names.filter((name) => !isRetired(name, yaml));
  const declared = declareVersions(served, tree, inherited);
  const resourcesOf = byEntity(declared.versions.flatMap(({ resources }) => resources));
  const entities = relate(sorted(declared.entities), resourcesOf);
  const known = new Map(entities.map((entity) => [entity.name.plural, entity]));
  return deepFreeze({
    name: yaml.service,
    title: yaml.title ?? yaml.service,
    description: yaml.description ?? "",
    license: yaml.license ?? null,
    contact: yaml.contact ?? null,
    header: yaml.header ?? null,
    basePath,
    corsOrigins: yaml.cors?.origins ?? [],
    identifiers: yaml.identifiers ?? "ordered",
    pretty: yaml.json?.pretty ?? true,
    eventSource: yaml.events?.source ?? `/${yaml.service}`,
    client: yaml.client ?? false,
    limits,
    authentication,
    entities,
    versions: names.map((name) => {
      const { resources = [] } = declared.versions.find((version) => version.name === name) ?? {};
      const version = { name, resources: sorted(resources) };
      return promisedVersion(version, tree, (resource) =>
        whole(resource, version.resources, { known, resourcesOf }),
      );
    }),
  });
}

/** AUT-4: the one claim that the service and its resources name (SCH-440). */
function tenantClaim({ service, resources }: ValidatedTree): string | null {
  const all = [service.value.tenant, ...resources.map(({ value }) => value.tenant)];
  return all.find((one) => typeof one === "object")?.claim ?? null;
}

/** A list of as many items as are allowed has room in a body. */
function limitsOf(yaml: LimitsYaml = {}): Limits {
  const { arrayItems = DEFAULT_LIMITS.arrayItems } = yaml;
  const jsonValues = Math.max(DEFAULT_LIMITS.jsonValues, arrayItems * VALUES_OF_AN_ITEM);
  return { ...DEFAULT_LIMITS, jsonValues, ...yaml };
}

/** The versions that have a folder or stand in service.yaml, by number. */
function versionNames(tree: ValidatedTree): string[] {
  const names = new Set([
    ...Object.keys(tree.service.value.versions ?? {}),
    ...tree.resources.map((resource) => resource.version),
  ]);
  return [...names].sort(byNumber);
}

function sorted<T extends { readonly name: ResourceName }>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => (a.name.plural < b.name.plural ? -1 : 1));
}

function byEntity(resources: readonly DeclaredResource[]): ResourcesOf {
  const known = new Map<string, DeclaredResource[]>();
  for (const resource of resources) {
    const { plural } = resource.entity;
    known.set(plural, [...(known.get(plural) ?? []), resource]);
  }
  return (plural) => known.get(plural) ?? [];
}

/** CHD-1: whether one of the resources of its version stands under its entities. */
function isInPaths({ path }: DeclaredResource, beside: readonly DeclaredResource[]): boolean {
  return beside.some((other) => pathsOf(other).some((above) => above.path === path));
}

/** The entities by their plurals, and the resources that show each. */
interface Known {
  readonly known: ReadonlyMap<string, EntityModel>;
  readonly resourcesOf: ResourcesOf;
}

/** A resource with all that is known of its entity. */
function whole(
  resource: DeclaredResource,
  beside: readonly DeclaredResource[],
  { known, resourcesOf }: Known,
): Unpromised {
  const entity = known.get(resource.entity.plural);
  if (entity === undefined) throw new InternalError(`${resource.source} shows no entity`);
  const deletes = resource.operations.includes("delete");
  const children = deletes ? entity.children : [];
  const guardedChildren = children.flatMap(({ name, through }) => {
    const shown = resourcesOf(name.plural);
    const guarding = guardingChild(resource, shown);
    const access = guards(resource, shown, through.length + 1);
    if (guarding === undefined || access.length === 0) return [];
    const served = { servedPlural: guarding.name.plural, servedVersion: guarding.version };
    return [{ ...name, ...served, access }];
  });
  return { ...resource, entity, guardedChildren, isInPaths: isInPaths(resource, beside) };
}

/** Freezes a value and all that it holds, so that no later stage can change the model. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
