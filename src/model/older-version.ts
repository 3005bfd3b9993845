import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import {
  objectIn,
  type ConversionModel,
  type Instead,
  type MemberModel,
  type ValueModel,
} from "./conversion-model.js";
import { innerType } from "./leaves.js";
import type { ProjectedProperty, Projection } from "./projection.js";
import { memberBetween, type ObjectVersions } from "./values-between.js";

/** A resource through its versions, and what is stored of it. */
export interface Versions extends ObjectVersions {
  /** What is embedded of others, as it is stored there. */
  readonly embedded: FindEmbedded;
}

/** Where a property of another resource, as a version calls it, is stored. */
export type FindEmbedded = (
  version: string,
  plural: string,
  name: string,
) => { readonly name: string; readonly instead: readonly Instead[] };

/** What a resource shows of an entity whose shape is newer. */
export interface Shown {
  readonly properties: readonly PropertyModel[];
  readonly projection: Projection;
  readonly conversion: ConversionModel | null;
  /** Of all that it shows, whether or not it has to be converted. */
  readonly members: readonly MemberModel[];
}

/** What a version shows of what is stored (VER-2). */
export function olderVersion(level: number, versions: Versions): Shown {
  const properties = versions.levels[level]?.properties ?? [];
  const members = properties.flatMap((property) => memberBetween(property, level, versions));
  return shownBy(members, level, versions);
}

/** What a resource of a version shows that has these members. */
export function shownBy(members: readonly MemberModel[], level: number, versions: Versions): Shown {
  const version = versions.levels[level]?.version ?? "";
  const embedded = members.flatMap((member) => embeddedIn(member, version, versions.embedded));
  const isPlain =
    members.every(({ value }) => value.kind === "same") &&
    embedded.every(({ instead }) => instead.length === 0);
  const names = storedNames(embedded);
  const properties = members.map((member) => ({
    ...member.property,
    type: isPlain
      ? adopted(member.property.type, member.origin.type, names)
      : withReferences(member),
  }));
  const shown = members.map((member, index) => ({
    ...member,
    property: properties[index] ?? member.property,
  }));
  return {
    properties,
    projection: shown.flatMap((member) => projected(member, version, versions.embedded)),
    conversion: isPlain ? null : { members: shown, stored: versions.stored },
    members: shown,
  };
}

/** Where a property is stored, and what it holds that is stored otherwise. */
function projected(
  member: MemberModel,
  version: string,
  embedded: FindEmbedded,
): ProjectedProperty[] {
  const { property, origin, value } = member;
  const own = { property: property.path, storedPath: origin.path, instead: insteadIn(value) };
  const object = objectIn(value);
  if (object === null) return [own, ...embeddedIn(member, version, embedded)];
  return [own, ...object.members.flatMap((inner) => projected(inner, version, embedded))];
}

/** What an object, or an item of a list, holds, and where that comes from. */
function innerMembers({ property, origin, value }: MemberModel): readonly MemberModel[] {
  const [shown, stored] = [innerType(property.type), innerType(origin.type)];
  if (shown.kind !== "object" || stored.kind !== "object") return [];
  const object = objectIn(value);
  if (object !== null) return object.members;
  return shown.properties.flatMap((inner) => {
    const from = stored.properties.find(({ name }) => name === inner.name);
    return from === undefined
      ? []
      : [{ property: inner, origin: from, value: { kind: "same" } } as const];
  });
}

function insteadIn(value: ValueModel): readonly Instead[] {
  if (value.kind === "items") return insteadIn(value.item);
  return value.kind === "values" ? value.instead : [];
}

/** What references show of others under another name, or with other values, at any depth. */
function embeddedIn(member: MemberModel, version: string, find: FindEmbedded): ProjectedProperty[] {
  const { property, origin } = member;
  const { path } = property;
  const type = innerType(property.type);
  if (type.kind !== "reference") {
    return innerMembers(member).flatMap((inner) => embeddedIn(inner, version, find));
  }
  if (type.target === null) return [];
  const { plural } = type.target.name;
  return type.embedded.flatMap(({ name }) => {
    const found = find(version, plural, name);
    if (found.name === name && found.instead.length === 0) return [];
    const own = { property: `${path}.${name}`, storedPath: `${origin.path}.${found.name}` };
    return [{ ...own, instead: found.instead }];
  });
}

/** What is embedded under another name than it is stored under: that name, by path. */
function storedNames(embedded: readonly ProjectedProperty[]): ReadonlyMap<string, string> {
  return new Map(
    embedded.map(({ property, storedPath }) => [
      property,
      storedPath.slice(storedPath.lastIndexOf(".") + 1),
    ]),
  );
}

/** The same type with the names that its own parts have in what is stored. */
function adopted<T extends PropertyType>(
  type: T,
  stored: PropertyType,
  names: ReadonlyMap<string, string>,
): T {
  const within = (shown: PropertyModel, origins: readonly PropertyModel[]): PropertyModel => {
    const origin = origins.find(({ name }) => name === (names.get(shown.path) ?? shown.name));
    return origin === undefined
      ? shown
      : { ...shown, type: adopted(shown.type, origin.type, names) };
  };
  if (type.kind === "array" && stored.kind === "array") {
    return { ...type, items: adopted(type.items, stored.items, names) };
  }
  if (type.kind === "object" && stored.kind === "object") {
    const properties = type.properties.map((property) => within(property, stored.properties));
    return { ...type, typeName: stored.typeName, properties };
  }
  if (type.kind === "reference" && stored.kind === "reference") {
    const embedded = type.embedded.map((property) => within(property, stored.embedded));
    return { ...type, typeName: stored.typeName, onDelete: stored.onDelete, embedded };
  }
  return "typeName" in type && "typeName" in stored ? { ...type, typeName: stored.typeName } : type;
}

/** The same reference, or list of them: its type has the name, and a deletion does to it, what the entity says. */
function namedAsStored<T extends PropertyType>(type: T, stored: PropertyType): T {
  if (type.kind === "array" && stored.kind === "array") {
    return { ...type, items: namedAsStored(type.items, stored.items) };
  }
  return type.kind === "reference" && stored.kind === "reference"
    ? { ...type, typeName: stored.typeName, onDelete: stored.onDelete }
    : type;
}

/** A reference is what it is for the entity, whatever else of a version has a type of its own. */
function withReferences(member: MemberModel): PropertyType {
  const { type } = member.property;
  const inner = innerType(type);
  if (inner.kind === "reference") return namedAsStored(type, member.origin.type);
  if (inner.kind !== "object") return type;
  const members = innerMembers(member);
  const properties = inner.properties.map((property) => {
    const found = members.find((one) => one.property.name === property.name);
    return found === undefined ? property : { ...property, type: withReferences(found) };
  });
  const object = { ...inner, properties };
  return type.kind === "array" ? { ...type, items: object } : object;
}
