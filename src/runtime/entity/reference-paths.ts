import { parseIdentifier } from "../base/identifiers.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../input/json.js";
import type { Reference, References } from "./references.js";

/** A reference of an entity, and the steps to it: `["lines", "product"]`. */
export interface PlacedReference {
  /** The stored path: `lines.product`. */
  readonly path: string;
  readonly reference: Reference<unknown>;
  readonly steps: readonly string[];
  readonly bodySteps: readonly string[];
}

/** Cached: every request uses the same few, and nothing changes them. */
const PLACED = new WeakMap<References, readonly PlacedReference[]>();

export function placedReferences(references: References): readonly PlacedReference[] {
  const known = PLACED.get(references);
  if (known !== undefined) return known;
  const placed = Object.entries(references).map(([path, reference]) => {
    const steps = path.split(".");
    const { bodyPath } = reference;
    return { path, reference, steps, bodySteps: bodyPath === null ? steps : bodyPath.split(".") };
  });
  PLACED.set(references, placed);
  return placed;
}

/** Returns the distinct identifiers in a reference of a body. */
export function identifiersIn(
  body: object,
  steps: readonly string[],
  { idProperty }: Pick<Reference<unknown>, "idProperty">,
): readonly string[] {
  const ids = new Set<string>();
  forEachAt(body, steps, 0, (one) => {
    const id: unknown = Reflect.get(one, idProperty);
    const known = typeof id === "string" ? parseIdentifier(id) : null;
    if (known !== null) ids.add(known);
  });
  return [...ids];
}

/** Returns the embedded values in a reference of an entity, by identifier. */
export function objectsByIdentifier(
  value: unknown,
  { steps, reference: { idProperty } }: PlacedReference,
): ReadonlyMap<string, object> {
  const objects = new Map<string, object>();
  forEachAt(value, steps, 0, (one) => {
    const id: unknown = Reflect.get(one, idProperty);
    if (typeof id === "string") objects.set(id, one);
  });
  return objects;
}

/** Reduces references to identifiers: custom code may write whole entities. */
export function withIdentifiers(written: JsonObject, references: References): JsonObject {
  return placedReferences(references).reduce<JsonObject>((before, { steps, reference }) => {
    const { idProperty } = reference;
    const [first = "", ...rest] = steps;
    const bare = (one: JsonObject): JsonObject => ({ [idProperty]: one[idProperty] });
    return replacedIn(before, [first, rest], bare);
  }, written);
}

/** Replaces the embedded values in a reference of an entity, by identifier. */
export function withEmbedded<Entity>(
  entity: Entity,
  { steps, reference: { idProperty } }: PlacedReference,
  embedded: ReadonlyMap<string, unknown>,
): Entity {
  const [first = "", ...rest] = steps;
  const anew = (one: JsonObject): JsonObject => {
    const { [idProperty]: id } = one;
    const other = typeof id === "string" ? embedded.get(id) : undefined;
    // Embedded values are JSON objects.
    return other === undefined ? one : (other as JsonObject);
  };
  // Other values need not be JSON, because only objects on the path are read.
  return replacedIn(entity as JsonObject, [first, rest], anew) as Entity;
}

/** Visits the objects at the end of a path. Lists on the path can lead to several. */
export function forEachAt(
  value: unknown,
  steps: readonly string[],
  taken: number,
  visit: (one: object) => void,
): void {
  if (Array.isArray(value)) {
    for (const item of value) forEachAt(item, steps, taken, visit);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const step = steps[taken];
  if (step === undefined) visit(value);
  else forEachAt(Reflect.get(value, step), steps, taken + 1, visit);
}

type Replace = (one: JsonObject) => JsonObject;

function replacedIn(
  object: JsonObject,
  [step, rest]: readonly [step: string, rest: readonly string[]],
  replace: Replace,
): JsonObject {
  const value = object[step];
  return value === undefined ? object : { ...object, [step]: replacedAt(value, rest, replace) };
}

function replacedAt(value: JsonValue, path: readonly string[], replace: Replace): JsonValue {
  if (Array.isArray(value)) return value.map((item) => replacedAt(item, path, replace));
  if (!isJsonObject(value)) return value;
  const [step, ...rest] = path;
  return step === undefined ? replace(value) : replacedIn(value, [step, rest], replace);
}
