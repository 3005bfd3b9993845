import { resourceName } from "../naming/resource-name.js";
import type { AccessModel } from "../kinds/access-model.js";
import { longForm, type PropertyYaml } from "../kinds/property-yaml.js";
import type { ResourceDocument, ResourceYaml, TenantYaml } from "../validate/resource-document.js";
import { commonLeaves } from "./common-leaves.js";
import type { Declared } from "./declared.js";
import { earlierShape } from "./earlier-shape.js";
import { normaliseAccess } from "./normalise-authentication.js";
import { normaliseActions } from "./normalise-actions.js";
import { normaliseAliases } from "./normalise-aliases.js";
import { normaliseExemptions } from "./normalise-exemptions.js";
import { declaredIndexes } from "./normalise-indexes.js";
import { normaliseOperations, type Inherited } from "./normalise-operations.js";
import { normaliseProperties, type NeighbourModels } from "./normalise-property.js";
import { normaliseStates, withState } from "./normalise-states.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { Shown } from "./older-version.js";
import { identity } from "./projection.js";
import type { ParentModel, PathModel } from "./resource-model.js";
import type { EntityHistory, TenantModel } from "./entity-model.js";

/** What a resource takes over from the service, and can ask of the others of its version. */
export interface Surroundings extends Inherited {
  readonly neighbours: NeighbourModels;
}

/** What is shown of properties; left out: as they are stored. */
export type ShownOf = (properties: readonly PropertyModel[]) => Omit<Shown, "members">;

/** An entity and the resource that shows it under its own name, both from one file. */
export function normaliseResource(
  { source, value, version }: ResourceDocument,
  around: Surroundings,
  shownOf: ShownOf = asStored,
): Omit<Declared, "projected"> {
  const name = resourceName(value.resource, value.entity);
  const parent = normaliseParent(value, version, around);
  const { typeName } = name;
  const stored = normaliseProperties(ownProperties(value, parent), {
    ...{ typePrefix: typeName, entityType: typeName, parentProperty: parent?.property ?? null },
    ...{ limits: around.limits, neighbours: around.neighbours },
  }).map((property) => withState(property, value.states));
  const { properties, projection, conversion } = shownOf(stored);
  const path = `${around.basePath}/${version}/${name.plural}`;
  const served = normaliseOperations(value, around, accessOf(value, around));
  const states = normaliseStates(value.states, stored);
  const acting = { name, path, states, parent, served, around, owner: value.owner };
  return {
    entity: {
      source: source.path,
      name,
      description: served.description,
      properties: stored,
      history: normaliseHistory(value),
      states,
      tenant: tenantModel(around.neighbours.find(value.resource)?.tenant ?? null),
      parent: parent && { name: parent.name, property: parent.property },
      indexes: declaredIndexes(value, stored),
      uniqueTogether: value.unique ?? [],
    },
    owner: value.owner,
    resource: {
      source: source.path,
      version,
      name,
      entity: name,
      ...{ isRepresentation: false, conditions: [], pairs: [], equalities: [], path },
      actions: normaliseActions(value, acting),
      ...{ properties, projection, conversion },
      earlier: earlierShape(value),
      commonFilters: commonLeaves(value.commonFilters ?? []),
      aliases: normaliseAliases(value, { properties, projection, path }, around.service),
      exemptions: normaliseExemptions(value, value.properties),
      ...served,
      parent,
      listedUnder: listedUnder(value, version, around),
    },
  };
}

function tenantModel(yaml: TenantYaml | null): TenantModel | null {
  return yaml && { existing: yaml.existing ?? null };
}

function asStored(properties: readonly PropertyModel[]): Omit<Shown, "members"> {
  return { properties, projection: identity(properties), conversion: null };
}

function accessOf(
  { resource }: ResourceYaml,
  { neighbours, authentication }: Surroundings,
): AccessModel {
  const around = { parent: null, original: null };
  return neighbours.find(resource)?.access ?? normaliseAccess({}, authentication, around);
}

/** CHD-2: the reference to the parent is named by the parent's entity. */
function normaliseParent(
  { parent = "", access }: ResourceYaml,
  version: string,
  { basePath, neighbours }: Surroundings,
): ParentModel | null {
  const found = neighbours.find(parent);
  if (found === null) return null;
  const name = resourceName(parent, found.yaml.entity);
  return {
    name,
    path: `${basePath}/${version}/${name.plural}`,
    property: name.singular,
    access: found.access,
    takesAlong: access?.delete?.includes("parent") ?? false,
  };
}

/** CHD-1: each of these references is a path as well. */
function listedUnder(
  { properties }: ResourceYaml,
  version: string,
  { basePath, neighbours }: Surroundings,
): readonly PathModel[] {
  return Object.entries(properties).flatMap(([property, short]) => {
    const { reference = "", listedUnder: isListed = false } = longForm(short);
    const found = isListed ? neighbours.find(reference) : null;
    if (found === null) return [];
    const name = resourceName(reference, found.yaml.entity);
    return [{ name, path: `${basePath}/${version}/${name.plural}`, property }];
  });
}

/** What the file declares, and what is said of it by other words. */
function ownProperties(
  { properties }: ResourceYaml,
  parent: ParentModel | null,
): ResourceYaml["properties"] {
  const listed = withFilters(properties);
  return parent === null ? listed : withParent(listed, parent);
}

/** What is listed by a reference can be filtered by it. */
function withFilters(properties: ResourceYaml["properties"]): ResourceYaml["properties"] {
  const filtered = Object.entries(properties).map(([name, short]) => {
    const isListed = longForm(short).listedUnder === true;
    return [name, isListed ? { ...longForm(short), filterable: true } : short] as const;
  });
  return Object.fromEntries(filtered);
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

/** What a schema file says of the earlier shapes of its entity. */
function normaliseHistory({ properties, removed = {}, renamedFrom }: ResourceYaml): EntityHistory {
  return {
    formerPlurals: renamedFrom === undefined ? [] : [renamedFrom],
    renamed: Object.fromEntries(renamedIn(properties, "")),
    removed: Object.keys(removed).sort(),
    converted: [],
  };
}

type Renamed = readonly [path: string, from: readonly string[]];

function renamedIn(properties: Readonly<Record<string, PropertyYaml>>, parent: string): Renamed[] {
  return Object.entries(properties).flatMap(([name, short]): Renamed[] => {
    const { renamedFrom, properties: own, items } = longForm(short);
    const path = parent + name;
    const inner = own ?? (items === undefined ? {} : (longForm(items).properties ?? {}));
    const itself: Renamed[] = renamedFrom === undefined ? [] : [[path, [renamedFrom]]];
    return [...itself, ...renamedIn(inner, `${path}.`)];
  });
}
