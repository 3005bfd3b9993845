import type {
  ArrayType,
  PropertyModel,
  PropertyType,
  ReferenceType,
} from "../model/service-model.js";
import { isEqual, type Json, type JsonObject } from "./json.js";
import { convertBounds, decimalText, numberWithin, unitsOf, wholeWithin } from "./number-values.js";
import { seededUuid, stepOf, type Seed } from "./seed.js";
import { fitsText, textWithin } from "./text-values.js";

/** A time on a leap day with milliseconds, which a format that leaves out parts would lose. */
const FIRST_TIME = Date.UTC(2024, 1, 29, 23, 59, 59, 1);
const STEP_MILLISECONDS = 61_007;

/** A value that the schema allows, different for each seed if possible; null if none was found. */
export function valueOf({ type, path, example, default: usual }: PropertyModel, seed: Seed): Json {
  const made = valueOfType(type, seed, path);
  if (made !== null) return made;
  const given = example ?? usual;
  // A value of the schema is JSON, except that names can be missing.
  if (typeof given === "string" && type.kind === "string")
    return fitsText(given, type) ? given : null;
  return given as Json;
}

/** An object of the properties that a client can set; those without a value are null. */
export function objectOf(properties: readonly PropertyModel[], seed: Seed): JsonObject {
  const settable = properties.filter(({ readOnly }) => !readOnly);
  return Object.fromEntries(settable.map((property) => [property.name, valueOf(property, seed)]));
}

/** The same for a type alone; a word makes the values of different properties differ. */
export function valueOfType(type: PropertyType, seed: Seed, word: string): Json {
  switch (type.kind) {
    case "string":
      return textWithin(type, seed, word);
    case "enum":
      return type.values[stepOf(seed, type.values.length)] ?? null;
    case "integer": {
      const whole = wholeWithin(convertBounds(type, wholeBound), seed);
      return whole === null ? null : Number(whole);
    }
    case "number":
      return numberWithin(type, seed);
    case "decimal": {
      const { scale } = type;
      const units = wholeWithin(
        convertBounds(type, (bound) => unitsOf(bound, scale)),
        seed,
      );
      return units === null ? null : decimalText(units, scale);
    }
    case "boolean":
      return stepOf(seed, 2) === 0;
    case "timestamp":
      return new Date(FIRST_TIME + stepOf(seed, 1_000_000) * STEP_MILLISECONDS).toISOString();
    case "uuid":
      return seededUuid(seed, word);
    case "object":
      return objectOf(type.properties, seed);
    case "reference":
      return referenceOf(type, seed, word);
    case "array":
      return listOf(type, seed, word);
  }
}

/** REP-4: the identifier alone. */
function referenceOf(
  { target, identifier, isParent }: ReferenceType,
  seed: Seed,
  word: string,
): Json {
  if (target === null) return { [identifier.name]: seededUuid(seed, word) };
  const anchors = seed.anchors(target.name.plural);
  // A child is made under the first one (CHD-2).
  const id = anchors[isParent ? 0 : stepOf(seed, anchors.length)]?.[identifier.name];
  return id === undefined ? null : { [identifier.name]: id };
}

/** Two items, unless the schema wants more or allows fewer. */
function listOf(
  { items, minItems, maxItems, uniqueItems }: ArrayType,
  seed: Seed,
  word: string,
): Json {
  const wanted = Math.min(maxItems, Math.max(minItems, 2));
  const list: Json[] = [];
  for (let turn = 0; list.length < wanted && turn < wanted + 50; turn += 1) {
    const item = valueOfType(items, { ...seed, index: seed.index + turn }, `${word} ${turn}`);
    if (item === null) break;
    if (!uniqueItems || !list.some((other) => isEqual(other, item))) list.push(item);
  }
  return list.length < minItems ? null : list;
}

function wholeBound(bound: number): bigint {
  return BigInt(Math.trunc(bound));
}
