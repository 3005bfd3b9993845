/** A JSON value. */
export type Json = string | number | boolean | null | JsonObject | readonly Json[];

/** An object of a body; a name that it lacks reads as undefined. */
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** Whether a value is an object, and not a list or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a list. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value of a JSON text, or undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    // JSON.parse makes nothing but JSON values.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The value at a dotted path: `deliveryAddress.state`; of a list, those of its items. Undefined: there is none. */
export function at(value: Json | undefined, path: string): Json | undefined {
  return path.split(".").reduce<Json | undefined>((inner, name) => {
    if (isList(inner)) return inner.map((item) => at(item, name) ?? null);
    return isObject(inner) ? inner[name] : undefined;
  }, value);
}

/** A copy of an object with another value at a dotted path, in each item of a list; objects that are missing on the way are made. */
export function withValue(object: JsonObject, path: string, value: Json): JsonObject {
  const [name = "", ...rest] = path.split(".");
  if (rest.length === 0) return { ...object, [name]: value };
  const within = (inner: Json | undefined): JsonObject =>
    withValue(isObject(inner) ? inner : {}, rest.join("."), value);
  const inner = object[name];
  return { ...object, [name]: isList(inner) ? inner.map(within) : within(inner) };
}

/** A copy of an object without some of its names. */
export function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Whether two values are equal; the order of names is ignored. */
export function isEqual(left: Json | undefined, right: Json | undefined): boolean {
  if (isList(left) && isList(right)) {
    return left.length === right.length && left.every((item, index) => isEqual(item, right[index]));
  }
  if (isObject(left) && isObject(right)) {
    const names = Object.keys(left);
    return (
      names.length === Object.keys(right).length &&
      names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]))
    );
  }
  return left === right;
}

/** The path of the first value that differs from what was sent; null if all are equal. */
export function difference(
  sent: Json | undefined,
  found: Json | undefined,
  path = "",
): string | null {
  if (isObject(sent) && isObject(found)) {
    const inside = path === "" ? "" : `${path}.`;
    const paths = Object.keys(sent).map((name) =>
      difference(sent[name], found[name], inside + name),
    );
    return paths.find((inner) => inner !== null) ?? null;
  }
  if (isList(sent) && isList(found) && sent.length === found.length) {
    const paths = sent.map((item, index) => difference(item, found[index], `${path}[${index}]`));
    return paths.find((inner) => inner !== null) ?? null;
  }
  return isEqual(sent, found) ? null : path;
}

/** The value at a path of `difference`, which leads into lists by index: `lines[0].total`. */
export function atPlace(value: Json | undefined, place: string): Json | undefined {
  const steps = place.split(/[.[\]]/).filter((step) => step !== "");
  return steps.reduce<Json | undefined>((inner, step) => {
    if (isList(inner)) return inner[Number(step)];
    return isObject(inner) ? inner[step] : undefined;
  }, value);
}

/** A copy of an object with what another one says of it: objects are merged, everything else is replaced. */
export function mergedWith(object: JsonObject, part: JsonObject): JsonObject {
  const merged = Object.entries(part).map(([name, value]) => {
    const before = object[name];
    return [name, isObject(value) && isObject(before) ? mergedWith(before, value) : value] as const;
  });
  return { ...object, ...Object.fromEntries(merged) };
}
