import { resourceName, upperFirst } from "../naming/resource-name.js";
import type { AccessModel } from "../kinds/access-model.js";
import type { Referred, TypeScope } from "../kinds/kind-model.js";
import { kindNamed, kindOf, type PropertyType } from "../kinds/kinds.js";
import type { PropertyModel, Value } from "../kinds/property-model.js";
import {
  kindNameOf,
  longForm,
  type PropertyObjectYaml,
  type PropertyYaml,
} from "../kinds/property-yaml.js";
import type { ResourceYaml, TenantYaml } from "../validate/resource-document.js";
import { withState } from "./normalise-states.js";
import type { Limits } from "./service-model.js";

/** What a property needs to know of where it stands. */
export interface PropertyScope {
  /** The type that holds it: `Ticket`, `TicketDeliveryAddress`. */
  readonly typePrefix: string;
  /** `Ticket` */
  readonly entityType: string;
  readonly limits: Limits;
  /** The path of the object that holds it, with a dot: `deliveryAddress.`; "" at the root. */
  readonly parentPath?: string;
  /** The reference to the parent; null where there is none (CHD-2). */
  readonly parentProperty: string | null;
  readonly neighbours: NeighbourModels;
}

/** The resources that references can lead to. */
export interface NeighbourModels {
  /** Null: no resource of this version has this plural. */
  find(plural: string): NeighbourModel | null;
  /** `merchants` -> `merchant` */
  singular(plural: string): string;
}

/** A resource that a reference can lead to. */
export interface NeighbourModel {
  readonly yaml: ResourceYaml;
  /** What the newest version calls it. */
  readonly storedPlural: string;
  readonly access: AccessModel;
  /** AUT-4; null: it has none. */
  readonly tenant: TenantYaml | null;
}

/** The properties of a resource or of a nested object, in schema order. */
export function normaliseProperties(
  properties: Readonly<Record<string, PropertyYaml>>,
  scope: PropertyScope,
): PropertyModel[] {
  return Object.entries(properties).map(([name, yaml]) => normaliseProperty(name, yaml, scope));
}

function normaliseProperty(name: string, short: PropertyYaml, scope: PropertyScope): PropertyModel {
  const yaml = longForm(short);
  const path = (scope.parentPath ?? "") + name;
  const type = normaliseType(yaml, name, { ...scope, parentPath: `${path}.` });
  const kept = (value: unknown): Value | null =>
    // The check has found it to be a value of the type.
    value === undefined ? null : kindOf(type).normaliseValue(value as Value, type);
  return {
    name,
    path,
    description: yaml.description ?? "",
    type,
    nullable: yaml.required !== true && type.kind !== "array",
    default: kept(yaml.default),
    example: kept(yaml.example),
    deprecated: yaml.deprecated ?? false,
    filterable: yaml.filterable ?? false,
    sortable: yaml.sortable ?? false,
    unique: yaml.unique ?? false,
    readOnly: yaml.readOnly ?? false,
    immutable: yaml.immutable ?? false,
    sensitive: yaml.sensitive ?? false,
    addedLater: false,
    filled: null,
  };
}

/** What the keywords make of the property; text where they do not say, which the check has told. */
function normaliseType(yaml: PropertyObjectYaml, name: string, scope: PropertyScope): PropertyType {
  return kindNamed(kindNameOf(yaml) ?? "string").normalise(yaml, typeScope(name, scope));
}

function typeScope(name: string, scope: PropertyScope): TypeScope {
  const typeName = scope.typePrefix + upperFirst(name);
  const inner = { ...scope, typePrefix: typeName };
  return {
    typeName,
    localName: localName(typeName, scope.entityType),
    limits: scope.limits,
    isParent: scope.parentPath === `${scope.parentProperty}.`,
    properties: (yaml) => normaliseProperties(yaml, inner),
    items: (yaml) => normaliseType(longForm(yaml), name, scope),
    referred: (yaml) => referred(yaml, inner),
  };
}

/** A nested object that is called like its entity keeps its whole name. */
function localName(typeName: string, entityType: string): string {
  const local = typeName.slice(entityType.length);
  return local === entityType ? typeName : local;
}

function referred(
  { reference = "", external = false, entity }: PropertyObjectYaml,
  inner: PropertyScope,
): Referred {
  const other = external ? null : inner.neighbours.find(reference);
  const target = other && {
    name: resourceName(reference, other.yaml.entity),
    storedPlural: other.storedPlural,
    access: other.access,
  };
  return {
    singular: other?.yaml.entity ?? entity ?? inner.neighbours.singular(reference),
    target,
    property: (name) => {
      const yaml = other?.yaml.properties[name] ?? "string";
      return withState(normaliseProperty(name, yaml, inner), other?.yaml.states);
    },
  };
}
