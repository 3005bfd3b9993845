import { resourceName, sentenceWords } from "../naming/resource-name.js";
import { kindOf } from "../validate/property-place.js";
import type {
  PropertyObjectYaml,
  PropertyYaml,
  ResourceYaml,
} from "../validate/resource-document.js";
import { FORMAT_LENGTHS } from "./defaults.js";
import { canonicalDecimal } from "./decimal.js";
import { withState } from "./normalise-states.js";
import type { AccessModel } from "./access-model.js";
import type {
  ArrayType,
  Bounds,
  Limits,
  PropertyModel,
  PropertyType,
  ReferenceType,
  StringType,
  Value,
} from "./service-model.js";

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
  find(plural: string): { readonly yaml: ResourceYaml; readonly access: AccessModel } | null;
  /** `merchants` -> `merchant` */
  singular(plural: string): string;
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
  return {
    name,
    path,
    description: yaml.description ?? "",
    type,
    nullable: yaml.required !== true && type.kind !== "array",
    default: normaliseValue(yaml.default, type),
    example: normaliseValue(yaml.example as Value | undefined, type),
    deprecated: yaml.deprecated ?? false,
    filterable: yaml.filterable ?? false,
    sortable: yaml.sortable ?? false,
    unique: yaml.unique ?? false,
    readOnly: yaml.readOnly ?? false,
    immutable: yaml.immutable ?? false,
    sensitive: yaml.sensitive ?? false,
  };
}

function longForm(yaml: PropertyYaml): PropertyObjectYaml {
  return typeof yaml === "string" ? { type: yaml } : yaml;
}

function normaliseType(yaml: PropertyObjectYaml, name: string, scope: PropertyScope): PropertyType {
  const typeName = scope.typePrefix + upperFirst(name);
  switch (kindOf(yaml)) {
    case "enum":
      return { kind: "enum", typeName, values: yaml.enum ?? [] };
    case null:
    case "string":
      return normaliseString(yaml, scope.limits);
    case "integer":
      return { kind: "integer", ...normaliseBounds(yaml, Number) };
    case "number":
      return { kind: "number", ...normaliseBounds(yaml, Number) };
    case "decimal": {
      const scale = yaml.scale ?? 0;
      const bounds = normaliseBounds(yaml, (bound) => canonicalDecimal(bound, scale));
      return { kind: "decimal", scale, ...bounds };
    }
    case "boolean":
      return { kind: "boolean" };
    case "timestamp":
      return { kind: "timestamp" };
    case "uuid":
      return { kind: "uuid" };
    case "reference":
      return normaliseReference(yaml, typeName, scope);
    case "object": {
      const inner = { ...scope, typePrefix: typeName };
      return {
        kind: "object",
        typeName,
        localName: localName(typeName, scope.entityType),
        properties: normaliseProperties(yaml.properties ?? {}, inner),
      };
    }
    case "array":
      return normaliseArray(yaml, name, scope);
  }
}

/** REP-4: the identifier is named after the other's entity. */
function normaliseReference(
  yaml: PropertyObjectYaml,
  typeName: string,
  scope: PropertyScope,
): ReferenceType {
  const { reference = "", external = false, entity, embed = [], onDelete = "refuse" } = yaml;
  const other = external ? null : scope.neighbours.find(reference);
  const singular = other?.yaml.entity ?? entity ?? scope.neighbours.singular(reference);
  const inner = { ...scope, typePrefix: typeName };
  const { filterable = false, sortable = false } = yaml;
  const shown = (name: string): PropertyModel => {
    const states = other?.yaml.states;
    const found = withState(
      normaliseProperty(name, other?.yaml.properties[name] ?? "string", inner),
      states,
    );
    return {
      ...found,
      default: null,
      unique: false,
      readOnly: true,
      immutable: false,
      filterable: filterable && found.filterable,
      sortable: sortable && found.sortable,
    };
  };
  return {
    kind: "reference",
    typeName,
    localName: localName(typeName, scope.entityType),
    words: sentenceWords(singular),
    target:
      other === null
        ? null
        : { name: resourceName(reference, other.yaml.entity), access: other.access },
    identifier: normaliseProperty(
      `${singular}Id`,
      { type: "uuid", required: true, filterable, sortable },
      inner,
    ),
    embedded: embed.map(shown),
    onDelete,
    isDisclosed: yaml.disclose ?? false,
    isParent: scope.parentPath === `${scope.parentProperty}.`,
  };
}

/** A nested object that is called like its entity keeps its whole name. */
function localName(typeName: string, entityType: string): string {
  const local = typeName.slice(entityType.length);
  return local === entityType ? typeName : local;
}

function normaliseString(yaml: PropertyObjectYaml, limits: Limits): StringType {
  const format = yaml.format ?? null;
  const longest = format === null ? limits.stringCharacters : FORMAT_LENGTHS[format];
  return {
    kind: "string",
    minLength: yaml.minLength ?? 0,
    maxLength: yaml.maxLength ?? longest,
    pattern: yaml.pattern ?? null,
    format,
  };
}

function normaliseBounds<N>(
  yaml: PropertyObjectYaml,
  convert: (bound: number | string) => N,
): Bounds<N> {
  const bound = (value: number | string | undefined): N | null =>
    value === undefined ? null : convert(value);
  return {
    minimum: bound(yaml.minimum),
    maximum: bound(yaml.maximum),
    exclusiveMinimum: bound(yaml.exclusiveMinimum),
    exclusiveMaximum: bound(yaml.exclusiveMaximum),
    multipleOf: bound(yaml.multipleOf),
  };
}

function normaliseArray(yaml: PropertyObjectYaml, name: string, scope: PropertyScope): ArrayType {
  const items = normaliseType(longForm(yaml.items ?? "string"), name, scope);
  return {
    kind: "array",
    // An array of arrays has been refused by `validate`.
    items: items as Exclude<PropertyType, ArrayType>,
    minItems: yaml.minItems ?? 0,
    maxItems: yaml.maxItems ?? scope.limits.arrayItems,
    uniqueItems: yaml.uniqueItems ?? false,
  };
}

/** A decimal's default or example is its canonical text, whatever YAML made of it. */
function normaliseValue(value: Value | undefined, type: PropertyType): Value | null {
  if (value === undefined) return null;
  if (type.kind === "decimal") return canonicalDecimal(value as number | string, type.scale);
  return value;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
