import type { SqlValue, WriteStep } from "./database.js";

/** What becomes of an entity that others may hear of (EVT-1). */
export type EventKind = "created" | "updated" | "deleted";

/** What one version announces of its entities. */
export interface AnnouncedVersion<Entity> {
  /** The version and the resource: `v1/orders`. */
  readonly topic: string;
  readonly kinds: readonly EventKind[];
  /** An entity as the version shows it, in JSON. Throws where the version cannot show it. */
  readonly show: (entity: Entity) => string;
}

/** What is known of a change when it is written. */
export interface AnnouncedChange {
  readonly id: string;
  /** That of the entity after the change. */
  readonly revision: number;
  readonly time: string;
}

/** The row of an event. `taken` is 0 until a process has seen who is to have it. */
const COLUMNS = "topic, entity_id, revision, kind, event_time, event_id, data, taken";

const INSERT = `INSERT INTO entity_events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, 0)`;

/**
 * Writes the events of one change in its transaction (EVT-1): a row for each version that announces it. The revision puts
 * those of one entity in order, whichever process writes them. Throws where a version cannot show the entity.
 */
export function eventSteps<Entity>(
  versions: readonly AnnouncedVersion<Entity>[],
  kind: EventKind,
  { id, revision, time }: AnnouncedChange,
  { entity, newIdentifier }: { readonly entity: Entity; readonly newIdentifier: () => string },
): WriteStep[] {
  return versions
    .filter(({ kinds }) => kinds.includes(kind))
    .map(({ topic, show }) => {
      const data: SqlValue = kind === "deleted" ? null : show(entity);
      return { sql: INSERT, values: [topic, id, revision, kind, time, newIdentifier(), data] };
    });
}
