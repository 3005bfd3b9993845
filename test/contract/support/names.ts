import type { Json, JsonObject } from "./client.js";

/** One property found in an answer, at any depth. */
export interface FoundProperty {
  readonly name: string;
  readonly value: Json;
}

/** Every property of a value, those of nested objects and of lists of objects included. */
export function propertiesOf(value: Json): readonly FoundProperty[] {
  if (typeof value !== "object" || value === null) return [];
  // Array.isArray does not narrow readonly lists.
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(propertiesOf);
  return Object.entries(value as JsonObject).flatMap(([name, inner]) => [
    { name, value: inner },
    ...propertiesOf(inner),
  ]);
}

/** The values of every property of that name, at any depth. */
export function valuesNamed(value: Json, wanted: string): readonly Json[] {
  return propertiesOf(value)
    .filter(({ name }) => name === wanted)
    .map((found) => found.value);
}
