import { isList, isObject, type Json, type JsonObject } from "../samples/json.js";

/** What stands at a path; of a list on the way, or at its end, the first item. Null: there is nothing. */
export function firstAt(value: Json | undefined, path: string): Json {
  let found: Json | undefined = value;
  for (const step of path.split(".")) found = isObject(found) ? firstItem(found[step]) : undefined;
  return found ?? null;
}

function firstItem(value: Json | undefined): Json | undefined {
  return isList(value) ? value[0] : value;
}

/** A copy of a body with another value where `firstAt` finds one. */
export function withFirstAt(body: JsonObject, path: string, placed: Json): JsonObject {
  const [name = "", ...rest] = path.split(".");
  return { ...body, [name]: replaced(body[name] ?? null, rest, placed) };
}

function replaced(value: Json, steps: readonly string[], placed: Json): Json {
  if (isList(value)) return [replaced(value[0] ?? null, steps, placed), ...value.slice(1)];
  if (steps.length === 0) return placed;
  return isObject(value) ? withFirstAt(value, steps.join("."), placed) : value;
}

/** How errors name that place: `lines[0].product`. */
export function placeOf(body: JsonObject, path: string): string {
  let found: Json | undefined = body;
  const places = path.split(".").map((step) => {
    const value: Json | undefined = isObject(found) ? found[step] : undefined;
    found = firstItem(value);
    return isList(value) ? `${step}[0]` : step;
  });
  return places.join(".");
}
