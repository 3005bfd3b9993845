import type { PropertyPlace } from "./property-place.js";
import type { Scope } from "./scope.js";

/** `room` for a reference, or `rooms` for a list of them, that would be called `roomId`: JSON reads `roomId.roomId`. Null: it would not. */
export function readingTwice(
  { kind, yaml }: Pick<PropertyPlace, "kind" | "yaml">,
  name: string,
  { neighbours, plurals }: Pick<Scope, "neighbours" | "plurals">,
): string | null {
  const isList = kind === "array";
  const target = isList ? yaml.items : yaml;
  if (typeof target !== "object" || typeof target.reference !== "string") return null;
  const [, other, ending = ""] = /^(.+?)(Ids?|IDs?|Uuids?|UUIDs?)$/.exec(name) ?? [];
  if (other === undefined) return null;
  // What refers to a `nationalId` is called so.
  const entity = target.entity ?? neighbours.get(target.reference)?.entity;
  const named = isList && typeof entity === "string" ? plurals.plural(entity) : entity;
  if (name === named) return null;
  return isList && ending.endsWith("s") ? plurals.plural(other) : other;
}
