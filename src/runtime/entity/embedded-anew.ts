import type { UnitOfWork } from "../store/unit-of-work.js";
import { objectsByIdentifier, placedReferences, withEmbedded } from "./reference-paths.js";
import { pendingEntities, withoutNull, type References } from "./references.js";

/** An entity with what a unit makes of what it refers to, as whoever reads it afterwards will find it (REP-4). */
export function embeddedAnew<Entity>(
  entity: Entity,
  references: References,
  unit: UnitOfWork,
): Entity {
  return placedReferences(references).reduce<Entity>((before, placed) => {
    const ids = [...objectsByIdentifier(before, placed).keys()];
    const made = withoutNull([...pendingEntities(placed.reference, ids, unit)]);
    return made.size === 0 ? before : withEmbedded(before, placed, made);
  }, entity);
}
