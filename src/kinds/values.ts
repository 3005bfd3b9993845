import type { Json, JsonObject } from "../samples/json.js";
import type { Seed } from "../samples/seed.js";
import { kindOf } from "./kinds.js";
import type { PropertyModel } from "./property-model.js";
import { fitsText } from "./string/text-values.js";

/** A value that the schema allows, other for each seed where there are others; null where none was found. */
export function valueOf(property: PropertyModel, seed: Seed): Json {
  const { type, example, default: usual } = property;
  const made = property.unique ? freeValue(property, seed) : seededValue(property, seed);
  if (made !== null) return made;
  const given = example ?? usual;
  // A value of the schema is JSON, but for names that may be missing.
  if (typeof given === "string" && type.kind === "string")
    return fitsText(given, type) ? given : null;
  return given as Json;
}

/** The first of the values that follow from the seed and from later ones that nobody has. */
function freeValue(property: PropertyModel, seed: Seed): Json {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const made = seededValue(property, { ...seed, index: seed.index + turn });
    if (made === null || seed.isTaken?.(property.path, made) !== true) return made;
  }
  return seededValue(property, seed);
}

const MOST_TURNS = 500;

function seededValue({ type, path }: PropertyModel, seed: Seed): Json {
  return kindOf(type).seeded(type, seed, path);
}

/** An object of the properties that a client can set; those without a value are null. */
export function objectOf(properties: readonly PropertyModel[], seed: Seed): JsonObject {
  const settable = properties.filter(({ readOnly }) => !readOnly);
  return Object.fromEntries(settable.map((property) => [property.name, valueOf(property, seed)]));
}
