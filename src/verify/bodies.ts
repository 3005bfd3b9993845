import { canBeLeftOut } from "../kinds/left-out.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { objectOf } from "../kinds/values.js";
import type { ReferenceType } from "../kinds/reference/reference-type.js";
import { innerType } from "../model/leaves.js";
import { uniqueLists } from "../model/projection.js";
import type { ResourceModel } from "../model/resource-model.js";
import {
  difference,
  isList,
  isObject,
  without,
  type Json,
  type JsonObject,
} from "../samples/json.js";
import type { Seed } from "../samples/seed.js";

/** The common fields besides the identifier (ENT-1). */
export const COMMON_FIELDS = [
  "createdDate",
  "createdSubject",
  "lastModifiedDate",
  "lastModifiedSubject",
] as const;

/** Makes the values of a body, and those of unique lists that can hold few entities. */
export interface BodySeed extends Seed {
  /** Values that no entity has, in place of those of a body; throws `CannotMake` where there are none. */
  readonly place?: (resource: ResourceModel, body: JsonObject, isNew: boolean) => JsonObject;
}

/** A body with every property that a client can set; an entity begins in its initial state. Throws `CannotMake`. */
export function fullBody(resource: ResourceModel, seed: BodySeed, isNew = true): JsonObject {
  const { states } = resource.entity;
  const made = { ...settableBody(resource, seed), ...spareReferences(resource, seed) };
  const body = { ...made, ...seed.place?.(resource, made, isNew) };
  return states === null ? body : { ...body, [states.property]: states.initial };
}

/** Every property that a client can set, made up but for what samples give; the state may be any. */
export function settableBody({ properties, path }: ResourceModel, seed: Seed): JsonObject {
  return { ...objectOf(properties, seed), ...seed.given?.(path) };
}

/** References to what no other entity refers to, where that keeps entities unique. */
function spareReferences(resource: ResourceModel, seed: Seed): JsonObject {
  return Object.fromEntries(
    togetherReferences(resource).flatMap(({ name, identifier, target }) => {
      const id = seed.spare?.(target?.name.plural ?? "")?.[identifier.name];
      return id === undefined ? [] : [[name, { [identifier.name]: id }] as const];
    }),
  );
}

/** The references among what is unique together that can lead to something new: not that to the parent. */
export function togetherReferences(
  resource: ResourceModel,
): readonly (ReferenceType & { readonly name: string })[] {
  const together = uniqueLists(resource).flat();
  return resource.properties.flatMap(({ name, type }) =>
    together.includes(name) && type.kind === "reference" && type.target !== null && !type.isParent
      ? [{ ...type, name }]
      : [],
  );
}

/** The smallest valid body of a POST: everything that can be null or has a default is left out, but for what samples give. */
export function leastBody(resource: ResourceModel, seed: Seed): JsonObject {
  const full = fullBody(resource, seed);
  const given = Object.keys(seed.given?.(resource.path) ?? {});
  const kept = [...sharedDefaults(resource), ...given].map((name) => [name, full[name] ?? null]);
  return { ...leastOf(resource.properties, full), ...Object.fromEntries(kept) };
}

/** Defaults of what is unique together: two entities that leave them out could be alike. */
function sharedDefaults(resource: ResourceModel): readonly string[] {
  const together = uniqueLists(resource).flat();
  const { states } = resource.entity;
  return resource.properties
    .filter(({ name, default: preset }) => preset !== null && together.includes(name))
    .filter(({ name, readOnly }) => !readOnly && name !== states?.property)
    .map(({ name }) => name);
}

/** A PUT that changes what may be changed: the entity keeps its state and what is immutable. */
export function replacement(resource: ResourceModel, entity: JsonObject, seed: Seed): JsonObject {
  const { properties } = resource;
  const { states } = resource.entity;
  const body = keeping(properties, fullBody(resource, seed, false), entity);
  return states === null ? body : { ...body, [states.property]: entity[states.property] ?? null };
}

/** The same, and other than what there is; null where a client can change nothing but the state. */
export function otherReplacement(
  resource: ResourceModel,
  entity: JsonObject,
  nextSeed: () => Seed,
): JsonObject | null {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const body = replacement(resource, entity, nextSeed());
    if (difference(body, entity) !== null) return body;
  }
  return null;
}

const MOST_TURNS = 5;

/** The body, with what the entity holds where that is immutable, at any depth outside of lists. */
export function keeping(
  properties: readonly PropertyModel[],
  body: JsonObject,
  entity: JsonObject,
): JsonObject {
  const kept = properties.flatMap(({ name, type, immutable }): (readonly [string, Json])[] => {
    const [value, stored] = [body[name], entity[name]];
    if (immutable) return [[name, stored ?? null]];
    const isNested = type.kind === "object" && isObject(value) && isObject(stored);
    return isNested ? [[name, keeping(type.properties, value, stored)]] : [];
  });
  return { ...body, ...Object.fromEntries(kept) };
}

/** Whether a property is an object with something that is set once: nobody makes it null while that has a value (OPS-4). */
export function holdsImmutable({ type }: PropertyModel): boolean {
  return (
    type.kind === "object" && placesOf(type.properties, ({ immutable }) => immutable).length > 0
  );
}

/** Whether entities may not have the same value of a property, alone or together with others. */
export function isUnique(resource: ResourceModel, { unique, path }: PropertyModel): boolean {
  return unique || uniqueLists(resource).flat().includes(path);
}

/** The part of an entity that a client can send. */
export function settablePart(resource: ResourceModel, entity: JsonObject): JsonObject {
  const names = resource.properties.filter(({ readOnly }) => !readOnly).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, entity[name] ?? null]));
}

/** A copy of an object without what only the service writes, at any depth: its own code may write that anew each time. */
export function clientPart(properties: readonly PropertyModel[], object: JsonObject): JsonObject {
  const changed = properties.flatMap(({ name, type }): (readonly [string, Json])[] => {
    const value = object[name];
    const inner = innerType(type);
    const isThere = inner.kind === "object" && value !== undefined;
    return isThere ? [[name, clientPartOf(inner.properties, value)]] : [];
  });
  const names = properties.filter(({ readOnly }) => readOnly).map(({ name }) => name);
  return without({ ...object, ...Object.fromEntries(changed) }, ...names);
}

function clientPartOf(properties: readonly PropertyModel[], value: Json): Json {
  if (isList(value)) return value.map((item) => clientPartOf(properties, item));
  return isObject(value) ? clientPart(properties, value) : value;
}

/** A property that a client can set at any time, at any depth outside of lists. */
export interface Place {
  readonly property: PropertyModel;
  /** The dotted path from the root of the body. */
  readonly path: string;
}

/**
 * Every property that a client can set, those of nested objects included; not those of items of lists. What stands in an
 * immutable object is immutable.
 */
export function placesOf(
  properties: readonly PropertyModel[],
  isWanted: (property: PropertyModel) => boolean = () => true,
): readonly Place[] {
  return properties
    .filter(({ readOnly }) => !readOnly)
    .flatMap((property) => {
      const { path } = property;
      const inner = placesOf(innerOf(property), isWanted);
      return isWanted(property) ? [{ property, path }, ...inner] : inner;
    });
}

function innerOf({ type, immutable }: PropertyModel): readonly PropertyModel[] {
  if (type.kind !== "object") return [];
  return immutable ? type.properties.map((inner) => ({ ...inner, immutable })) : type.properties;
}

/** What a list can be filtered by. */
export interface FilterPlace extends Place {
  /** The path of what is set in a body: of a reference, the whole of it. */
  readonly settable: string;
  /** What an empty parameter matches, set in a body; undefined where there is always a value. */
  readonly empty: null | readonly [] | undefined;
}

/** Every parameter that filters a list of the resource (QRY-1). */
export function filterPlaces({ properties, commonFilters }: ResourceModel): readonly FilterPlace[] {
  const common = commonFilters.map((property) => {
    const { path } = property;
    return { property, path, settable: path, empty: undefined };
  });
  const own = placesOf(properties).flatMap(({ property, path }): readonly FilterPlace[] => {
    const { type } = property;
    const empty = emptyOf(property);
    const inner = type.kind === "array" ? type.items : type;
    if (inner.kind !== "reference") {
      return property.filterable ? [{ property, path, settable: path, empty }] : [];
    }
    return [inner.identifier, ...inner.embedded]
      .filter((leaf) => leaf.filterable)
      .map((leaf) => ({ property: leaf, path: leaf.path, settable: path, empty }));
  });
  return [...own, ...common];
}

function emptyOf({ type, nullable, unique, immutable }: PropertyModel): FilterPlace["empty"] {
  if (unique || immutable) return undefined;
  if (type.kind === "array") return type.minItems === 0 ? [] : undefined;
  return nullable ? null : undefined;
}

function leastOf(properties: readonly PropertyModel[], full: JsonObject): JsonObject {
  const needed = properties.filter(
    (property) => Object.hasOwn(full, property.name) && !canBeLeftOut(property),
  );
  return Object.fromEntries(
    needed.map(({ name, type }): readonly [string, Json] => {
      const value = full[name] ?? null;
      const isNested = type.kind === "object" && isObject(value);
      return [name, isNested ? leastOf(type.properties, value) : value];
    }),
  );
}
