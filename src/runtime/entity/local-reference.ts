import { OPEN } from "../auth/access.js";
import type { CommonFields } from "../base/common-fields.js";
import { uuid } from "../input/reader.js";
import type { EntityStore } from "../store/entity-store.js";
import type { Reference } from "./references.js";

/** A reference to a resource of this service. `toEmbedded` picks what is embedded from the other entity. */
export function localReference<
  Entity extends CommonFields & Properties,
  Properties,
  Embedded,
>(options: {
  readonly idProperty: string;
  readonly embedded: readonly string[];
  readonly words: string;
  readonly store: EntityStore<Entity, Properties>;
  /** CHD-4; left out: what is referred to cannot be deleted. */
  readonly onDelete?: "setNull";
  readonly toEmbedded: (entity: Entity) => Embedded;
}): Reference<Embedded> {
  const { idProperty, embedded, words, store, toEmbedded } = options;
  return {
    idProperty,
    names: new Set([idProperty, ...embedded]),
    problem: `does not refer to an existing ${words}`,
    entityType: store.table.entityType,
    bodyPath: null,
    readIdentifier: uuid(),
    access: OPEN,
    accept: null,
    ...(embedded.length > 0 && { mostShownBytes: store.pageBytes }),
    find: async (ids, within) => {
      const entities = await store.findAll(ids, within);
      return new Map(entities.map((entity) => [store.table.identify(entity), toEmbedded(entity)]));
    },
    ...(options.onDelete === "setNull" && { letGo: (id, unit) => unit.deletionStamps(store, id) }),
    isCreatedBy: (id, unit, subject) => unit.isCreatedBy(store, id, subject),
    pending: (id, unit) => {
      const made = unit.pendingOf<Entity>(store, id);
      return made === null || made === undefined ? made : toEmbedded(made.entity);
    },
  };
}
