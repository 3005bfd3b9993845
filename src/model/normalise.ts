import { pluralsOf } from "../naming/plurals.js";
import { resourceName } from "../naming/resource-name.js";
import type {
  ResourceDocument,
  ResourceYaml,
  ValidatedTree,
} from "../validate/resource-document.js";
import { DEFAULT_LIMITS } from "./defaults.js";
import { deepFreeze } from "./deep-freeze.js";
import { normaliseAccess, normaliseAuthentication } from "./normalise-authentication.js";
import { normaliseProperties, type NeighbourModels } from "./normalise-property.js";
import { normaliseAliases } from "./normalise-aliases.js";
import { withNeighbours, type Unrelated } from "./normalise-neighbours.js";
import { normaliseOffer, type Inherited } from "./normalise-offer.js";
import { normaliseRepresentation } from "./normalise-representation.js";
import { normaliseStates, withState } from "./normalise-states.js";
import type { ParentModel } from "./relation-model.js";
import type { AccessModel, ServiceModel, VersionModel } from "./service-model.js";

/** Decides everything that the YAML leaves to a default, and computes every name once. */
export function normalise(tree: ValidatedTree): ServiceModel {
  const yaml = tree.service.value;
  const basePath = (yaml.basePath ?? "/api").replace(/\/+$/, "");
  const limits = { ...DEFAULT_LIMITS, ...yaml.limits };
  const authentication = normaliseAuthentication(yaml.authentication);
  const inherited = { service: yaml, basePath, limits, authentication };
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
    versions: versionNames(tree).map((name) => normaliseVersion(name, tree, inherited)),
  });
}

interface Neighbourhood {
  readonly neighbours: NeighbourModels;
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

function normaliseVersion(name: string, tree: ValidatedTree, inherited: Inherited): VersionModel {
  const documents = tree.resources.filter((resource) => resource.version === name);
  const around = { ...inherited, neighbours: neighbourModels(documents, inherited) };
  const originals = documents.map((resource) => normaliseResource(resource, around));
  const representations = tree.representations
    .filter(({ version }) => version === name)
    .flatMap((document) => {
      const original = originals.find((one) => one.name.plural === document.value.represents);
      return original === undefined ? [] : [normaliseRepresentation(document, original, inherited)];
    });
  const resources = [...originals, ...representations].sort((a, b) =>
    a.name.plural < b.name.plural ? -1 : 1,
  );
  return { name, status: "draft", resources: withNeighbours(resources) };
}

function normaliseResource(
  { source, value, version }: ResourceDocument,
  around: Inherited & Neighbourhood,
): Unrelated {
  const name = resourceName(value.resource, value.entity);
  const path = `${around.basePath}/${version}/${name.plural}`;
  const parent = normaliseParent(value, around.neighbours);
  const own = parent === null ? value.properties : withParent(value.properties, parent);
  const declared = normaliseProperties(own, {
    typePrefix: name.typeName,
    entityType: name.typeName,
    limits: around.limits,
    neighbours: around.neighbours,
    parentProperty: parent?.property ?? null,
  });
  const properties = declared.map((property) => withState(property, value.states));
  return {
    source: source.path,
    version,
    name,
    entity: name,
    represents: null,
    path,
    properties,
    states: normaliseStates(value.states, properties),
    aliases: normaliseAliases(value.aliases ?? {}, properties, path),
    ...normaliseOffer(value, around, accessOf(value, around)),
    parent: parent && {
      ...parent,
      path: `${around.basePath}/${version}/${parent.name.plural}`,
    },
  };
}

function accessOf(
  { resource }: ResourceYaml,
  { neighbours, authentication }: Inherited & Neighbourhood,
): AccessModel {
  const around = { parent: null, original: null };
  return neighbours.find(resource)?.access ?? normaliseAccess({}, authentication, around);
}

/** CHD-2: the reference to the parent is named by the parent's entity. */
function normaliseParent(
  { parent = "", access }: ResourceYaml,
  { find }: NeighbourModels,
): Omit<ParentModel, "path"> | null {
  const found = find(parent);
  if (found === null) return null;
  const name = resourceName(parent, found.yaml.entity);
  const takesAlong = access?.delete?.includes("parent") ?? false;
  return { name, property: name.singular, access: found.access, takesAlong };
}

/** It stands first unless the schema says otherwise; it is set by the path, and for good (CHD-4). */
function withParent(
  properties: ResourceYaml["properties"],
  { name, property }: Pick<ParentModel, "name" | "property">,
): ResourceYaml["properties"] {
  const fixed = { reference: name.plural, required: true, immutable: true, filterable: true };
  const declared = properties[property];
  const own = typeof declared === "object" ? declared : {};
  const { [property]: _declared, ...others } = properties;
  const whole = { ...own, ...fixed };
  return declared === undefined
    ? { [property]: whole, ...others }
    : { ...properties, [property]: whole };
}
