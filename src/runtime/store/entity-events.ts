import type { Database, SqlValue, WriteStep } from "./database.js";

/** What becomes of an entity that others may hear of (EVT-1). */
export type EventKind = (typeof CHANGES)[number];

const CHANGES = ["created", "updated", "deleted"] as const;

/** What one version announces of its entities. */
export interface AnnouncedVersion<Entity> {
  /** The version and the resource: `v1/orders`. */
  readonly topic: string;
  /** `created`, and the names of those that are emitted. */
  readonly kinds: readonly string[];
  /** The event that an action emits, by the name of the action (OPS-11); left out: none emits any. */
  readonly actions?: Readonly<Record<string, string>>;
  /** An entity as the version shows it, in JSON. Throws where the version cannot show it. */
  readonly show: (entity: Entity) => string;
}

/** Which event a version has of something; undefined: none. */
export type EventOf = (
  version: Pick<AnnouncedVersion<never>, "kinds" | "actions">,
) => string | undefined;

/** The event with this name, of the versions that have one. */
export function eventNamed(kind: string): EventOf {
  return ({ kinds }) => (kinds.includes(kind) ? kind : undefined);
}

/** The event with this name, which custom code emits. Throws where no version has one, and for those of changes. */
export function emittedEvent(kind: string, versions: readonly AnnouncedVersion<never>[]): EventOf {
  if (
    CHANGES.some((change) => change === kind) ||
    !versions.some(({ kinds }) => kinds.includes(kind))
  )
    throw new Error(`emit: "${kind}" is not an event that the schema names under emits`);
  return eventNamed(kind);
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
  eventOf: EventOf,
  { id, revision, time }: AnnouncedChange,
  { entity, newIdentifier }: { readonly entity: Entity; readonly newIdentifier: () => string },
): WriteStep[] {
  return versions.flatMap((version) => {
    const kind = eventOf(version);
    if (kind === undefined) return [];
    const data: SqlValue = kind === "deleted" ? null : version.show(entity);
    const values = [version.topic, id, revision, kind, time, newIdentifier(), data];
    return [{ sql: INSERT, values }];
  });
}

/** A new row with its events: PostgreSQL takes them as one statement, around which no transaction has to stand. */
export function insertionSteps(
  insert: WriteStep,
  events: readonly WriteStep[],
  dialect: Database["dialect"],
): readonly WriteStep[] {
  if (dialect !== "postgres" || events.length === 0) return [insert, ...events];
  const parts = events.map(({ sql }, index) => `event_${index} AS (${sql})`);
  const values = [...events.flatMap((event) => event.values), ...insert.values];
  return [{ sql: `WITH ${parts.join(", ")} ${insert.sql}`, values }];
}
