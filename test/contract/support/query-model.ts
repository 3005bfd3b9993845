import type { Json, JsonObject } from "./client.js";
import { at } from "./errors.js";

// What a list must answer, computed in memory from every entity: the rules of QRY, without any SQL.

/** One query: parameters in the order of the URL, a property named twice with both values. */
export interface Query {
  readonly filters: readonly (readonly [path: string, text: string])[];
  /** `-priority`, `createdDate`. */
  readonly sort: readonly string[];
}

/** The query string of a query, with more parameters if given. */
export function searchOf({ filters, sort }: Query, more: Record<string, string> = {}): string {
  const parameters = new URLSearchParams();
  for (const [path, text] of filters) parameters.append(path, text);
  if (sort.length > 0) parameters.append("sort", sort.join(","));
  for (const [name, text] of Object.entries(more)) parameters.append(name, text);
  return parameters.toString();
}

/** Every entity that the query must find, in the order that it must have. */
export function answerOf(entities: readonly JsonObject[], query: Query): readonly JsonObject[] {
  return entities.filter((entity) => isFound(entity, query)).sort(orderOf(query));
}

/** QRY-3: all filters hold; of one that is repeated, any value does. */
function isFound(entity: JsonObject, { filters }: Query): boolean {
  const paths = new Set(filters.map(([path]) => path));
  return [...paths].every((path) =>
    filters.some(([other, text]) => other === path && holds(at(entity, path) ?? null, text)),
  );
}

/** An empty text means null, or [] of a list; a list must contain the value. */
function holds(value: Json, text: string): boolean {
  if (Array.isArray(value)) return text === "" ? value.length === 0 : value.includes(text);
  if (value === null || text === "") return value === null && text === "";
  return typeof value === "number" ? value === Number(text) : String(value) === text;
}

/** QRY-4: the first name takes precedence, nulls come last either way, ties end on the identifier. */
function orderOf({ sort }: Query): (left: JsonObject, right: JsonObject) => number {
  return (left, right) => {
    for (const name of sort) {
      const path = name.replace(/^-/, "");
      const [one, other] = [at(left, path) ?? null, at(right, path) ?? null];
      if (one === null || other === null) {
        if (one !== other) return one === null ? 1 : -1;
        continue;
      }
      const order = path === "price" ? Number(one) - Number(other) : compare(one, other);
      if (order !== 0) return name.startsWith("-") ? -order : order;
    }
    return compare(left["widgetId"] ?? null, right["widgetId"] ?? null);
  };
}

/** Numbers by size, texts by code point, which is what UTF-8 sorts by and UTF-16 does not. */
function compare(one: Json, other: Json): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}
