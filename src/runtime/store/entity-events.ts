import { TENANT } from "../query/tenant.js";
import type { Database, SqlValue, WriteStep } from "./database.js";

/** EVT-1 */
export type EventKind = (typeof CHANGES)[number];

const CHANGES = ["created", "updated", "deleted"] as const;

/** The events of one version. */
export interface AnnouncedVersion<Entity> {
  /** `v1/orders` */
  readonly topic: string;
  /** `created` and the like, and the names of custom events. */
  readonly kinds: readonly string[];
  /** Events by the name of the action that emits them (OPS-11). */
  readonly actions?: Readonly<Record<string, string>>;
  /** The JSON of an entity in this version. Throws if the version cannot show it. */
  readonly show: (entity: Entity) => string;
}

export type EventOf = (
  version: Pick<AnnouncedVersion<never>, "kinds" | "actions">,
) => string | undefined;

export function eventNamed(kind: string): EventOf {
  return ({ kinds }) => (kinds.includes(kind) ? kind : undefined);
}

/** An event that custom code emits. Throws if no version has it, and for events of changes. */
export function emittedEvent(kind: string, versions: readonly AnnouncedVersion<never>[]): EventOf {
  if (
    CHANGES.some((change) => change === kind) ||
    !versions.some(({ kinds }) => kinds.includes(kind))
  )
    throw new Error(`emit: "${kind}" is not an event that the schema names under emits`);
  return eventNamed(kind);
}

interface AnnouncedChange {
  readonly id: string;
  /** After the change. */
  readonly revision: number;
  readonly time: string;
  readonly tenant: string | null;
}

/** `taken` is 0 until a process has determined the receivers. */
const COLUMNS = "topic, entity_id, revision, kind, event_time, event_id, data, taken";

const INSERT = `INSERT INTO entity_events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, 0)`;
/** AUT-4: services whose events all concern what tenants share have no such column. */
const INSERT_OF_TENANT = `INSERT INTO entity_events (${COLUMNS}, ${TENANT}) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)`;

/**
 * Steps for the events of one change, a row for each version (EVT-1). The revision orders the events of an entity, whichever
 * process writes them. Throws if a version cannot show the entity.
 */
export function eventSteps<Entity>(
  versions: readonly AnnouncedVersion<Entity>[],
  eventOf: EventOf,
  { id, revision, time, tenant }: AnnouncedChange,
  { entity, newIdentifier }: { readonly entity: Entity; readonly newIdentifier: () => string },
): WriteStep[] {
  return versions.flatMap((version) => {
    const kind = eventOf(version);
    if (kind === undefined) return [];
    const data: SqlValue = kind === "deleted" ? null : version.show(entity);
    const values = [version.topic, id, revision, kind, time, newIdentifier(), data];
    if (tenant === null) return [{ sql: INSERT, values }];
    return [{ sql: INSERT_OF_TENANT, values: [...values, tenant] }];
  });
}

/** A new row with its events is one statement on PostgreSQL, which needs no transaction. */
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
