import type { Json, JsonObject } from "./client.js";

/** What both schemas demand; where both say something, the second says more. */
export function combined(base: JsonObject, own: JsonObject): JsonObject {
  const { required, properties, items } = base;
  const inner = (name: string, of: JsonObject): Json => {
    const [one, other] = [object(properties ?? {})[name], object(of)[name]];
    if (one === undefined || other === undefined) return other ?? one ?? {};
    return combined(object(one), object(other));
  };
  const names = Object.keys({ ...object(properties ?? {}), ...object(own["properties"] ?? {}) });
  const demanded = new Set([...list(required ?? []), ...list(own["required"] ?? [])]);
  return {
    ...base,
    ...own,
    ...(demanded.size > 0 && { required: [...demanded] }),
    ...(names.length > 0 && {
      properties: Object.fromEntries(
        names.map((name) => [name, inner(name, object(own["properties"] ?? {}))]),
      ),
    }),
    ...(items !== undefined &&
      own["items"] !== undefined && { items: combined(object(items), object(own["items"])) }),
  };
}

/** A copy in which every object that names its properties has no others. */
export function closed(part: Json): Json {
  if (typeof part !== "object" || part === null) return part;
  // Array.isArray does not narrow readonly lists.
  if (Array.isArray(part)) return (part as readonly Json[]).map(closed);
  const copy = Object.fromEntries(
    Object.entries(part as JsonObject).map(([name, value]) => [name, closed(value)]),
  );
  const isSchema = copy["type"] === "object" || Array.isArray(copy["type"]);
  return isSchema && copy["properties"] !== undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}

/** A part of a document that must be an object. */
export function object(part: Json | undefined): JsonObject {
  if (typeof part !== "object" || part === null || Array.isArray(part)) {
    throw new Error(`no object: ${JSON.stringify(part)}`);
  }
  // Array.isArray does not narrow readonly lists.
  return part as JsonObject;
}

/** A part of a document that must be a list. */
export function list(part: Json | undefined): readonly Json[] {
  if (!Array.isArray(part)) throw new Error(`no list: ${JSON.stringify(part)}`);
  return part as readonly Json[];
}

/** A part of a document that must be a text. */
export function text(part: Json | undefined): string {
  if (typeof part !== "string") throw new Error(`no text: ${JSON.stringify(part)}`);
  return part;
}
