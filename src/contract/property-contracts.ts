import { kindOf, type PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ReferenceType } from "../kinds/reference/reference-type.js";
import type { PropertyContract } from "./resource-contract.js";

type Entry = readonly [path: string, contract: PropertyContract];

/** The facts at each path, nested ones included, ascending by path: two branches then add at different places. */
export function propertyContracts(
  properties: readonly PropertyModel[],
): Readonly<Record<string, PropertyContract>> {
  const entries = properties.flatMap((property) => entriesOf(property, property.name));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function entriesOf(property: PropertyModel, path: string): Entry[] {
  const { type } = property;
  const own: Entry = [path, { ...typeFacts(type), ...propertyFacts(property) }];
  if (type.kind !== "array") return [own, ...partsOf(type, path)];
  const inner = `${path}[]`;
  return [own, [inner, typeFacts(type.items)], ...partsOf(type.items, inner)];
}

/** What an object or a reference holds. */
function partsOf(type: PropertyType, path: string): Entry[] {
  if (type.kind === "object") {
    return type.properties.flatMap((member) => entriesOf(member, `${path}.${member.name}`));
  }
  return type.kind === "reference" ? embeddedIn(type, path) : [];
}

/** The keywords of the other resource that say how a value is read. */
function embeddedIn({ embedded }: ReferenceType, path: string): Entry[] {
  return embedded.map(({ name, type, nullable, filterable, sortable }) => [
    `${path}.${name}`,
    {
      ...typeFacts(type),
      ...(!nullable && { required: true }),
      ...(filterable && { filterable: true }),
      ...(sortable && { sortable: true }),
      embedded: true,
    },
  ]);
}

function propertyFacts(property: PropertyModel): Partial<PropertyContract> {
  const { type, nullable, default: preset } = property;
  return {
    ...(!nullable && type.kind !== "array" && { required: true }),
    ...(preset !== null && { default: preset }),
    ...flag(property, "readOnly"),
    ...flag(property, "immutable"),
    ...flag(property, "unique"),
    ...flag(property, "filterable"),
    ...(property.filterable === "range" && { isRange: true }),
    ...(property.filterable === "search" && { isSearch: true }),
    ...flag(property, "sortable"),
    ...flag(property, "deprecated"),
    ...flag(property, "addedLater"),
    ...(type.kind === "reference" && type.isParent && { isParent: true }),
  };
}

type Flag =
  "readOnly" | "immutable" | "unique" | "filterable" | "sortable" | "deprecated" | "addedLater";

function flag(property: PropertyModel, name: Flag): Partial<PropertyContract> {
  return property[name] ? { [name]: true } : {};
}

function typeFacts(type: PropertyType): PropertyContract {
  return { type: type.kind, ...kindOf(type).facts(type) };
}
