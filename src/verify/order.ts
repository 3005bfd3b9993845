import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { innerType } from "../model/leaves.js";
import type { ResourceModel } from "../model/resource-model.js";
import { at, type Json, type JsonObject } from "../samples/json.js";
import { unitsOf } from "./decimal-units.js";

/** One property that a list is ordered by. */
export interface SortKey {
  readonly path: string;
  readonly descending: boolean;
}

/** What every list can be ordered by (QRY-4). */
export const ALWAYS_SORTABLE = ["createdDate", "lastModifiedDate"] as const;

/** Every path that a list can be ordered by. */
export function sortable({ properties }: ResourceModel): readonly string[] {
  const own = everyLeaf(properties).filter((property) => property.sortable);
  return [...own.map(({ path }) => path), ...ALWAYS_SORTABLE];
}

/** Which of two entities comes first: below 0, the left one (QRY-4). Ties end on the identifier. */
export function compareEntities(
  resource: ResourceModel,
  keys: readonly SortKey[],
  [left, right]: readonly [JsonObject, JsonObject],
): number {
  for (const { path, descending } of keys) {
    const [one, other] = [at(left, path) ?? null, at(right, path) ?? null];
    // Nulls come last in either direction.
    if (one === null || other === null) {
      if (one !== other) return one === null ? 1 : -1;
      continue;
    }
    const order = compareValues(one, other, typeAt(resource, path));
    if (order !== 0) return descending ? -order : order;
  }
  const { idProperty } = resource.name;
  return compareTexts(String(left[idProperty]), String(right[idProperty]));
}

/** Which of two values of a property is less; neither is null. */
export function compareValues(left: Json, right: Json, type: PropertyType | null): number {
  if (type?.kind === "decimal") {
    const [one, other] = [left, right].map((text) => unitsOf(String(text), type.scale));
    return Number((one ?? 0n) - (other ?? 0n));
  }
  if (typeof left === "string" && typeof right === "string") return compareTexts(left, right);
  return Number(left) - Number(right);
}

/** The type of the property at a path; null for a common field, which is a text. */
export function typeAt({ properties }: ResourceModel, path: string): PropertyType | null {
  return everyLeaf(properties).find((property) => property.path === path)?.type ?? null;
}

/** By code point: the bytes of UTF-8 have the same order. */
function compareTexts(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Every property that holds no others, those of references included. */
function everyLeaf(properties: readonly PropertyModel[]): readonly PropertyModel[] {
  return properties.flatMap((property) => {
    const { type } = property;
    if (type.kind === "object") return everyLeaf(type.properties);
    const inner = innerType(type);
    if (inner.kind === "object") return [property, ...everyLeaf(inner.properties)];
    return type.kind === "reference" ? [type.identifier, ...type.embedded] : [property];
  });
}
