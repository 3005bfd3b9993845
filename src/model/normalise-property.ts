import type { PropertyObjectYaml, PropertyYaml } from "../validate/resource-document.js";
import { FORMAT_LENGTHS } from "./defaults.js";
import { canonicalDecimal } from "./decimal.js";
import type {
  ArrayType,
  Bounds,
  Limits,
  PropertyModel,
  PropertyType,
  StringType,
  Value,
} from "./service-model.js";

/** What a property needs to know of where it stands. */
interface Scope {
  /** The type that holds it: `Ticket`, `TicketDeliveryAddress`. */
  readonly typePrefix: string;
  /** `Ticket` */
  readonly entityType: string;
  readonly limits: Limits;
  /** The path of the object that holds it, with a dot: `deliveryAddress.`; "" at the root. */
  readonly parentPath?: string;
}

/** The properties of a resource or of a nested object, in schema order. */
export function normaliseProperties(
  properties: Readonly<Record<string, PropertyYaml>>,
  scope: Scope,
): PropertyModel[] {
  return Object.entries(properties).map(([name, yaml]) => normaliseProperty(name, yaml, scope));
}

function normaliseProperty(name: string, short: PropertyYaml, scope: Scope): PropertyModel {
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

function normaliseType(yaml: PropertyObjectYaml, name: string, scope: Scope): PropertyType {
  const typeName = scope.typePrefix + upperFirst(name);
  switch (yaml.type ?? (yaml.enum === undefined ? "string" : "enum")) {
    case "enum":
      return { kind: "enum", typeName, values: yaml.enum ?? [] };
    case "string":
      return yaml.enum === undefined
        ? normaliseString(yaml, scope.limits)
        : { kind: "enum", typeName, values: yaml.enum };
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

function normaliseArray(yaml: PropertyObjectYaml, name: string, scope: Scope): ArrayType {
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
