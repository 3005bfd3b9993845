import { InternalError } from "../diagnostics/internal-error.js";
import { pluralsOf } from "../naming/plurals.js";
import type { ResourceName } from "../naming/resource-name.js";
import type { AccessModel } from "../kinds/access-model.js";
import type {
  LimitsYaml,
  ResourceDocument,
  ResourceYaml,
  ValidatedTree,
} from "../validate/resource-document.js";
import type { DeclaredEntity, DeclaredResource } from "./declared.js";
import { DEFAULT_LIMITS } from "./defaults.js";
import { deepFreeze } from "./deep-freeze.js";
import { isGuarded, type ResourcesOf } from "./deletion-access.js";
import type { EntityModel } from "./entity-model.js";
import { normaliseAccess, normaliseAuthentication } from "./normalise-authentication.js";
import type { Inherited } from "./normalise-operations.js";
import type { NeighbourModels } from "./normalise-property.js";
import { relate } from "./normalise-relations.js";
import { normaliseRepresentation } from "./normalise-representation.js";
import { normaliseResource } from "./normalise-resource.js";
import { pathsOf } from "./references.js";
import type { Limits, ServiceModel } from "./service-model.js";
import { promisedVersion, type Unpromised } from "./promised-version.js";
import { isRetired } from "./version-status.js";

/** An item may be an object of so many properties. */
const VALUES_OF_AN_ITEM = 20;

/** Decides everything that the YAML leaves to a default, and computes every name once. */
export function normalise(tree: ValidatedTree): ServiceModel {
  const yaml = tree.service.value;
  const basePath = (yaml.basePath ?? "/api").replace(/\/+$/, "");
  const limits = limitsOf(yaml.limits);
  const authentication = normaliseAuthentication(yaml.authentication);
  const inherited = { service: yaml, basePath, limits, authentication };
  const versions = versionNames(tree).map((name) => declare(name, tree, inherited));
  const served = versions.filter(({ name }) => !isRetired(name, yaml));
  const resourcesOf = byEntity(served.flatMap(({ resources }) => resources));
  const entities = relate(newest(versions), resourcesOf);
  const known = new Map(entities.map((entity) => [entity.name.plural, entity]));
  return deepFreeze({
    name: yaml.service,
    title: yaml.title ?? yaml.service,
    description: yaml.description ?? "",
    license: yaml.license ?? null,
    basePath,
    identifiers: yaml.identifiers ?? "ordered",
    pretty: yaml.json?.pretty ?? true,
    limits,
    authentication,
    entities,
    versions: versions.map((version) =>
      promisedVersion(version, tree, (resource) =>
        whole(resource, version.resources, { known, resourcesOf }),
      ),
    ),
  });
}

/** A list of as many items as are allowed has room in a body. */
function limitsOf(yaml: LimitsYaml = {}): Limits {
  const { arrayItems = DEFAULT_LIMITS.arrayItems } = yaml;
  const jsonValues = Math.max(DEFAULT_LIMITS.jsonValues, arrayItems * VALUES_OF_AN_ITEM);
  return { ...DEFAULT_LIMITS, jsonValues, ...yaml };
}

/** What a resource can ask of the others of its version. */
function neighbourModels(
  resources: readonly ResourceDocument[],
  { service, authentication }: Inherited,
): NeighbourModels {
  const found = new Map(resources.map(({ value }) => [value.resource, value]));
  const { singular } = pluralsOf(service.inflections ?? {});
  const accessOf = ({ access, parent = "" }: ResourceYaml): AccessModel => {
    const above = found.get(parent);
    const around = { parent: above === undefined ? null : accessOf(above), original: null };
    return normaliseAccess(access, authentication, around);
  };
  return {
    find: (plural) => {
      const yaml = found.get(plural);
      return yaml === undefined ? null : { yaml, access: accessOf(yaml) };
    },
    singular,
  };
}

/** The versions that have a folder or stand in service.yaml, by number. */
function versionNames(tree: ValidatedTree): string[] {
  const names = new Set([
    ...Object.keys(tree.service.value.versions ?? {}),
    ...tree.resources.map((resource) => resource.version),
  ]);
  return [...names].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
}

/** What the files of one version say. */
interface DeclaredVersion {
  readonly name: string;
  readonly entities: readonly DeclaredEntity[];
  /** Ascending by name. */
  readonly resources: readonly DeclaredResource[];
}

function declare(name: string, tree: ValidatedTree, inherited: Inherited): DeclaredVersion {
  const documents = tree.resources.filter((resource) => resource.version === name);
  const around = { ...inherited, neighbours: neighbourModels(documents, inherited) };
  const originals = documents.map((document) => normaliseResource(document, around));
  const representations = tree.representations
    .filter(({ version }) => version === name)
    .flatMap((document) => {
      const original = originals.find(
        ({ entity }) => entity.name.plural === document.value.represents,
      );
      return original === undefined ? [] : [normaliseRepresentation(document, original, inherited)];
    });
  const resources = [...originals.map(({ resource }) => resource), ...representations];
  return { name, entities: originals.map(({ entity }) => entity), resources: sorted(resources) };
}

/** What is stored has the shape of the newest version that shows it. */
function newest(versions: readonly DeclaredVersion[]): DeclaredEntity[] {
  const all = versions.flatMap(({ entities }) => entities);
  return sorted([...new Map(all.map((entity) => [entity.name.plural, entity])).values()]);
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
  const guardedChildren = children
    .filter(({ name, through }) =>
      isGuarded(resource, resourcesOf(name.plural), through.length + 1),
    )
    .map(({ name }) => name);
  return { ...resource, entity, guardedChildren, isInPaths: isInPaths(resource, beside) };
}
