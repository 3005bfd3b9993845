import type { Backfill } from "#runtime/store/migrations/migration";
import type { StorageModel } from "#runtime/store/storage-model";
import { innerType } from "../model/leaves.js";
import type { EntityModel } from "../model/entity-model.js";
import { conversionsIn, type ValueModel } from "../model/conversion-model.js";
import { pairExport } from "../model/own-pairs.js";
import type { ServiceModel } from "../model/service-model.js";
import type { PropertyModel, Value } from "../kinds/property-model.js";
import { TENANT } from "../storage/own-columns.js";
import { storageModel } from "../storage/storage-model.js";
import { schemaPath } from "./paths.js";

/** What the schemas ask of the storage, and what they say of earlier ones. */
export interface Wanted {
  readonly model: StorageModel;
  /** By the name of the table. */
  readonly entities: ReadonlyMap<string, EntityModel>;
  /** The pairs of functions that the service has: of versions that are served (VER-2). */
  readonly pairs: ReadonlySet<string>;
  /** Enums of which older versions show some values under others: `orders.status` (VER-2). */
  readonly shownInstead: ReadonlySet<string>;
}

/** What a service asks of its storage. */
export function wantedStorage(service: ServiceModel): Wanted {
  const entities = service.entities.map((entity) => [entity.name.table, entity] as const);
  const resources = service.versions.flatMap((version) => version.resources);
  const pairs = resources.flatMap((resource) =>
    resource.pairs.map((pair) => pairExport(resource, pair)),
  );
  const instead = resources.flatMap(({ conversion, entity }) =>
    conversionsIn(conversion).flatMap(({ members }) =>
      members.flatMap(({ origin, value }) =>
        isShownInstead(value) ? [`${entity.name.table}.${origin.path}`] : [],
      ),
    ),
  );
  return {
    model: storageModel(service),
    entities: new Map(entities),
    pairs: new Set(pairs),
    shownInstead: new Set(instead),
  };
}

/** Of an enum, or of the items of a list. */
function isShownInstead(value: ValueModel): boolean {
  if (value.kind === "items") return isShownInstead(value.item);
  return value.kind === "values" && value.instead.length > 0;
}

/** What rows that exist get for a new property that is never null; null: nothing says so. */
export function backfillOf(entity: EntityModel | undefined, path: string): Backfill | null {
  const existing = path === TENANT ? entity?.tenant?.existing : null;
  if (typeof existing === "string") return { value: existing };
  const property = entity && propertyAt(entity.properties, schemaPath(path).split("."));
  if (property === undefined) return null;
  const { type, default: preset } = property;
  if (type.kind === "array") return type.minItems > 0 ? null : { value: "[]" };
  // A decimal is kept in a column as a whole number, and inside JSON as it is written.
  const isUnits = type.kind === "decimal" && !path.includes(".");
  return isScalar(preset) ? { value: isUnits ? unitsOf(String(preset)) : preset } : null;
}

/** What `backfillOf` says, as a schema writes it: `1.50` for a decimal of 150 units. */
export function backfillWords(entity: EntityModel | undefined, path: string): string {
  if (path === TENANT) return entity?.tenant?.existing ?? "";
  const property = entity && propertyAt(entity.properties, schemaPath(path).split("."));
  return property?.type.kind === "array" ? "[]" : String(property?.default ?? null);
}

function propertyAt(
  properties: readonly PropertyModel[],
  [name, ...rest]: readonly string[],
): PropertyModel | undefined {
  const found = properties.find((property) => property.name === name);
  if (found === undefined || rest.length === 0) return found;
  const inner = innerType(found.type);
  return inner.kind === "object" ? propertyAt(inner.properties, rest) : undefined;
}

function isScalar(value: Value | null): value is string | number | boolean {
  return value !== null && typeof value !== "object";
}

/** `1250` for `12.50`. */
function unitsOf(decimal: string): string {
  return BigInt(decimal.replace(".", "")).toString();
}
