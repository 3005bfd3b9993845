import type { JsonValue } from "./resource-facts.js";

/** A copy of a body with another value at a path: `lines.product` stands in each of the lines. */
export function withValueAt(
  body: { readonly [name: string]: JsonValue },
  path: string,
  placed: JsonValue,
): { readonly [name: string]: JsonValue } {
  const [name = "", ...rest] = path.split(".");
  return { ...body, [name]: replaced(body[name] ?? null, rest, placed) };
}

function replaced(
  value: JsonValue,
  [step, ...rest]: readonly string[],
  placed: JsonValue,
): JsonValue {
  if (step === undefined) return placed;
  if (isList(value)) return value.map((item) => replaced(item, [step, ...rest], placed));
  if (typeof value !== "object" || value === null) return value;
  return { ...value, [step]: replaced(value[step] ?? null, rest, placed) };
}

/** What stands at a path; of a list on the way, in its first item. */
export function valueAt(value: JsonValue, path: string): JsonValue {
  let found = value;
  for (const step of path.split(".")) {
    const held = isList(found) ? (found[0] ?? null) : found;
    found = Object(held) === held ? (Reflect.get(Object(held), step) ?? null) : null;
  }
  return found;
}

/** Where that stands, as errors say it: `lines[0].product`. */
export function placeIn(value: JsonValue, path: string): string {
  const steps = path.split(".");
  const places = steps.map((step, index) => {
    const isInList =
      index + 1 < steps.length && isList(valueAt(value, steps.slice(0, index + 1).join(".")));
    return isInList ? `${step}[0]` : step;
  });
  return places.join(".");
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
