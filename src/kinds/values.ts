import type { Json, JsonObject } from "../samples/json.js";
import type { Seed } from "../samples/seed.js";
import { kindOf } from "./kinds.js";
import type { PropertyModel } from "./property-model.js";
import { fitsText } from "./string/text-values.js";

/** A value that the schema allows, other for each seed where there are others; null where none was found. */
export function valueOf({ type, path, example, default: usual }: PropertyModel, seed: Seed): Json {
  const made = kindOf(type).seeded(type, seed, path);
  if (made !== null) return made;
  const given = example ?? usual;
  // A value of the schema is JSON, but for names that may be missing.
  if (typeof given === "string" && type.kind === "string")
    return fitsText(given, type) ? given : null;
  return given as Json;
}

/** An object of the properties that a client can set; those without a value are null. */
export function objectOf(properties: readonly PropertyModel[], seed: Seed): JsonObject {
  const settable = properties.filter(({ readOnly }) => !readOnly);
  return Object.fromEntries(settable.map((property) => [property.name, valueOf(property, seed)]));
}
