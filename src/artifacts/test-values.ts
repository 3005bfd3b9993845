import type { ArrayType } from "../kinds/array/array-type.js";
import { kindOf, type PropertyType } from "../kinds/kinds.js";
import type { ObjectType } from "../kinds/object/object-type.js";
import type { PropertyModel, Value } from "../kinds/property-model.js";
import { holdsReferences } from "../kinds/reference/inner-references.js";
import type { ReferenceType } from "../kinds/reference/reference-type.js";
import { countableText } from "../kinds/string/string-samples.js";
import { uniqueLists } from "../model/projection.js";
import type { ResourceModel } from "../model/resource-model.js";
import { writable } from "./reader-view.js";

/** Lists stand in the emitted code: no more than somebody wants to scroll past. */
const LISTED = 40;
/** Values of each property that two versions are tried with. */
const SAMPLES = 6;
/** So many are looked through for one that fits. */
const TRIED = 100;
/** The same values in every run, on every machine. */
const RUN = "0190b5a4-7c3e-7abc-8def-0123456789ab";

/** A body that is accepted: the schema's own examples first, then samples of each kind. */
export function validBody(
  properties: readonly PropertyModel[],
  parent: ResourceModel["parent"] = null,
): { readonly [name: string]: Value | null } {
  return Object.fromEntries(
    writable(properties)
      .filter((property) => neededCount(property) === 0 && property.name !== parent?.property)
      .map((property) => [property.name, validValue(property)]),
  );
}

/** The lists of properties that are unique together, as far as every one has a value: null is like no other. */
export function comparedLists(resource: ResourceModel): readonly (readonly string[])[] {
  const shown = new Map(resource.properties.map((property) => [property.name, property]));
  return uniqueLists(resource).filter((names) =>
    names.every((name) => {
      const property = shown.get(name);
      if (property === undefined || property.readOnly) return false;
      return !(isLocal(property.type) && property.nullable);
    }),
  );
}

/** Of each of them that no new reference makes different, the property whose values differ most. */
export function variedProperties(resource: ResourceModel): readonly string[] {
  const varied = comparedLists(resource).flatMap((names) => {
    const own = resource.properties.filter(({ name }) => names.includes(name));
    if (own.some(({ type }) => isLocal(type))) return [];
    const [first] = own
      .map((property) => ({ name: property.name, rank: variety(property) }))
      .sort((a, b) => b.rank - a.rank);
    return first === undefined ? [] : [first.name];
  });
  return [...new Set(varied)];
}

/** The properties of a resource; what has to differ each time is like what is unique. */
export function testedProperties(resource: ResourceModel): readonly PropertyModel[] {
  const varied = variedProperties(resource);
  return resource.properties.map((property) =>
    varied.includes(property.name) ? { ...property, unique: true } : property,
  );
}

/** How many values the tests have of a property: a text has a few digits or letters that count up. */
function variety(property: PropertyModel): number {
  const counted = countableValue(property);
  if (counted === undefined) return uniqueValues(property).length;
  return typeof counted === "number" ? Infinity : Number.MAX_SAFE_INTEGER;
}

/** How many entities have to be created before a body can refer to them; a parent is named by the path. */
export function neededCount({ type, nullable }: PropertyModel): number {
  if (type.kind === "array") return isLocal(type.items) ? type.minItems : 0;
  return isLocal(type) && !nullable && !type.isParent ? 1 : 0;
}

/** The property without the references that stand in it and must lead somewhere: the tests put them there. */
export function withoutNeeded(property: PropertyModel): PropertyModel {
  return { ...property, type: typeWithoutNeeded(property.type) };
}

function typeWithoutNeeded(type: PropertyType): PropertyType {
  if (type.kind === "object") return objectWithoutNeeded(type);
  const isOfObjects = type.kind === "array" && type.items.kind === "object";
  return isOfObjects ? { ...type, items: objectWithoutNeeded(type.items) } : type;
}

function objectWithoutNeeded(type: ObjectType): ObjectType {
  const kept = type.properties.filter((property) => neededCount(property) === 0);
  return { ...type, properties: kept.map(withoutNeeded) };
}

function isLocal(type: PropertyType): type is ReferenceType {
  return type.kind === "reference" && type.target !== null;
}

/** Different values of a unique property, where the one of `validBody` cannot be counted up; else none. */
export function uniqueValues(property: PropertyModel): readonly Value[] {
  if (countableValue(property) !== undefined) return [];
  const first = validValue(property);
  return first === null ? [] : [...new Set([first, ...madeValues(property)])].slice(0, LISTED);
}

/** Some values that the type allows; null is one of them where it may be, and some objects lack a part. */
export function sampleValues(property: PropertyModel): readonly (Value | null)[] {
  const { type, nullable } = property;
  const made = [...madeValues(property)].map((value, index) => withGaps(value, type, index));
  const none = type.kind === "array" && type.minItems === 0 ? [[]] : [];
  const all = [...(nullable ? [null] : none), ...made];
  const different = new Map(all.map((value) => [JSON.stringify(value), value]));
  const some = [...different.values()].slice(0, SAMPLES);
  return some.length > 0 ? some : [validValue(property)];
}

/** Of four objects, one without every second part that may be null, and one without the others. */
function withGaps(value: Value, type: PropertyType, index: number): Value {
  if (type.kind === "array" && Array.isArray(value) && !type.uniqueItems) {
    return value.map((item: Value, place) => withGaps(item, type.items, index + place));
  }
  const turn = index % 4;
  if (type.kind !== "object" || turn < 2) return value;
  const optional = type.properties.filter(
    ({ name, nullable }) => nullable && name in Object(value),
  );
  const gaps = optional.filter((_, place) => place % 2 === turn % 2);
  const empty = Object.fromEntries(gaps.map(({ name }) => [name, null]));
  // An object of the type, with null where that may be.
  return { ...(value as object), ...empty } as Value;
}

function validValue(property: PropertyModel): Value | null {
  const { type, example, default: preset, nullable, unique } = property;
  if (type.kind === "object") return validBody(type.properties) as Value;
  if (type.kind === "reference") return nullable ? null : externalSample(type);
  const countable = unique ? countableValue(property) : undefined;
  const sample = countable ?? example ?? preset ?? kindOf(type).samples(type).valid[0];
  if (sample !== undefined) return sample;
  const list = type.kind === "array" ? knownItems(type) : null;
  if (list !== null) return list;
  return nullable ? null : (madeValues(property).next().value ?? hardToGuess(type));
}

/** As many items as are asked for, repeated where they may be; null where too few are known. */
function knownItems({ items, minItems, uniqueItems }: ArrayType): Value[] | null {
  const { valid } = kindOf(items).samples(items);
  const known = items.kind === "object" ? [validBody(items.properties) as Value] : valid;
  if (known.length < minItems && (uniqueItems || known.length === 0)) return null;
  // What refers to others is tested where it stands.
  const wanted =
    holdsReferences(items) && items.kind === "object" ? Math.max(minItems, 1) : minItems;
  const rounds = Array.from({ length: wanted }, () => known);
  return rounds.flat().slice(0, wanted);
}

/** The first value that the tests can count up: all others stand for it then. */
function countableValue(property: PropertyModel): Value | undefined {
  const { name, type, example } = property;
  const common = type.kind === "string" ? countableText(name, type) : null;
  const known = [example, common, ...kindOf(type).samples(type).valid];
  const isFitting = (value: Value | null): value is Value =>
    value !== null && kindOf(type).isCountable(value, type);
  return known.find(isFitting) ?? [...madeValues(property)].find(isFitting);
}

/** Values that the type allows, whatever the schema's own examples are. */
function* madeValues({ name, type }: PropertyModel): Generator<Value, undefined> {
  for (let index = 0; index < TRIED; index += 1) {
    const value = kindOf(type).seeded(type, { run: RUN, index, anchors: () => [] }, name);
    // What was made is JSON, and no name is missing in it.
    if (value !== null) yield value as Value;
  }
}

/** What another service keeps has any identifier. */
function externalSample({ identifier }: ReferenceType): Value {
  const [id = ""] = kindOf(identifier.type).samples(identifier.type).valid;
  return { [identifier.name]: id };
}

/** A required value of a pattern that cannot be made up: the tests say what is missing. */
function hardToGuess(type: PropertyType): Value {
  return `an example of this ${type.kind} is missing in the schema`;
}
