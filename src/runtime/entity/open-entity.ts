import type { CommonFields } from "../base/common-fields.js";
import type { EntityParts } from "./entity-parts.js";
import { requireShown } from "./older-shape.js";
import { OwnWrites } from "./own-writes.js";
import type { References } from "./references.js";

/** Puts the parts of an entity together: from here on its store reads what own code gives it (REP-9). */
export function openEntity<
  Entity extends CommonFields & Properties,
  Properties,
  OwnContext,
  Leading extends References,
>(
  parts: EntityParts<Entity, Properties, OwnContext, Leading>,
): EntityParts<Entity, Properties, OwnContext, Leading> {
  const ownWrites = new OwnWrites(parts);
  const { older = [], store } = parts;
  store.readOwn = (properties, stored) => {
    const next = ownWrites.given(properties, stored);
    const code = `custom code of ${store.table.name}`;
    requireShown(older, code, { next, stored, version: null });
    return next;
  };
  return parts;
}
