import { randomUUID } from "node:crypto";
import { TENANT } from "../query/tenant.js";
import type { Database, SqlRow, WriteStep } from "../store/database.js";
import { DATABASE_NOW } from "../store/releases.js";
import { numberOf, textOf, textOrNull } from "../store/rows.js";
import { openEnded } from "../store/write-sql.js";
import type { StoredEvent } from "./event-sinks.js";

/** Time for which a process owns a stream. After that, another process may take it. */
export const LEASE_MILLISECONDS = 45_000;
const DAY_MILLISECONDS = 86_400_000;
/** Events that are assigned to sinks in one transaction. */
const BATCH = 100;
/** Maximum number of steps in a transaction that begins streams, unless one event needs more: SQLite's other writes wait for it. */
const MOST_BEGUN = 200;
/** Events of one entity that are read at a time. */
export const PAGE = 20;
/** The sink of events that wait until the webhooks are known. No webhook has an empty name. */
export const UNKNOWN_WEBHOOKS = "";

/** The events of one entity for one sink, which are delivered in order. */
export interface Stream {
  readonly topic: string;
  readonly entityId: string;
  readonly sink: string;
  /** The revision of the last event that was delivered or given up. */
  readonly revision: number;
  /** Number of events assigned to the stream. */
  readonly added: number;
  /** Number of attempts for the next event. */
  readonly attempts: number;
  /** The lease of the process that owns the stream. */
  readonly lease: string;
}

/** An event whose delivery to a sink was given up. */
export interface FailedEvent {
  readonly event: StoredEvent;
  readonly sink: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly failed: number;
}

/** Returns the sinks of an event. */
type Wanting = (event: Pick<StoredEvent, "topic" | "kind" | "tenant">) => readonly string[];

/** Another process has done the same work, or has taken the stream. */
export class TakenByAnother extends Error {
  override readonly name = "TakenByAnother";
}

const otherwise = (): Error => new TakenByAnother("Another process was first.");
const OF_EVENT = "topic = ? AND entity_id = ? AND revision = ?";
const OF_STREAM = "topic = ? AND entity_id = ? AND sink = ?";

/**
 * Stores events until they are delivered (EVT-1). Each entity has a stream for each sink of its events. Only leases of streams
 * keep processes apart, so a connection pooler may be used.
 */
export class EventQueue {
  /** SQL of the database's time in milliseconds, which all processes share. */
  private readonly now: string;
  /** The columns of tenants: one or none (AUT-4). */
  private readonly tenants: readonly string[];

  constructor(
    private readonly database: Database,
    private readonly newIdentifier: () => string,
    hasTenants: boolean,
  ) {
    this.now = DATABASE_NOW[database.dialect];
    this.tenants = hasTenants ? [TENANT] : [];
  }

  /** Assigns new events to their sinks. Returns true if there may be more. Throws `TakenByAnother`. */
  async assign(wanting: Wanting, knowsWebhooks: boolean): Promise<boolean> {
    // Older events that wait for the webhooks come first: a stream that began after them would never send them.
    const condition = knowsWebhooks ? `taken = 0 AND ${NONE_UNKNOWN}` : "taken = 0";
    // In the order of revisions, because a stream begins before the first event that it is given.
    const rows = await this.database.all(
      `SELECT ${["topic", "entity_id", "revision", "kind", ...this.tenants].join(", ")} FROM entity_events
       WHERE ${condition} ORDER BY topic, entity_id, revision LIMIT ${BATCH}`,
      [],
    );
    if (rows.length === 0) return false;
    const steps: WriteStep[] = [];
    let count = 0;
    for (const row of rows) {
      const more = this.assigned(row, wanting);
      if (count > 0 && steps.length + more.length > MOST_BEGUN) break;
      steps.push(...more);
      count += 1;
    }
    await this.database.write(steps);
    return count < rows.length || count === BATCH;
  }

  private assigned(row: SqlRow, wanting: Wanting): WriteStep[] {
    const topic = textOf(row["topic"]);
    const kind = textOf(row["kind"]);
    const key = [topic, textOf(row["entity_id"])];
    const revision = numberOf(row["revision"]);
    const sinks = wanting({ topic, kind, tenant: tenantIn(row) });
    const event = [...key, revision];
    const step = { changes: 1, otherwise };
    if (sinks.length === 0) {
      const sql = `DELETE FROM entity_events WHERE ${OF_EVENT} AND taken = 0`;
      return [{ sql, values: event, ...step }];
    }
    // Events that a deletion has caused for other entities have no identifier yet.
    const take = `UPDATE entity_events SET taken = 1, event_id = COALESCE(event_id, ?)
      WHERE ${OF_EVENT} AND taken = 0`;
    return [
      { sql: take, values: [this.newIdentifier(), ...event], ...step },
      ...sinks.map((sink) => this.begin(key, sink, revision - 1)),
    ];
  }

  /** Begins a stream after a revision, or continues an existing one. */
  private begin(key: readonly string[], sink: string, revision: number): WriteStep {
    const sql = `INSERT INTO event_streams (topic, entity_id, sink, revision, added, attempts, due)
      VALUES (?, ?, ?, ?, 1, 0, ${this.now})
      ON CONFLICT (topic, entity_id, sink) DO UPDATE SET added = event_streams.added + 1`;
    return { sql, values: [...key, sink, revision] };
  }

  /** Takes up to `most` due streams of a sink. */
  async take(sink: string, most: number): Promise<readonly Stream[]> {
    // A separate query, so that PostgreSQL reads the clock once and the index only up to the due streams.
    const due = await this.database.all(
      `SELECT topic, entity_id FROM event_streams WHERE sink = ? AND due <= (SELECT ${this.now}) ORDER BY due LIMIT ?`,
      [sink, most],
    );
    if (due.length === 0) return [];
    const lease = randomUUID();
    const sql = `UPDATE event_streams SET lease = ?, due = ${this.now} + ${LEASE_MILLISECONDS}
      WHERE ${OF_STREAM} AND due <= ${this.now}`;
    const keys = due.map((row) => [textOf(row["topic"]), textOf(row["entity_id"]), sink]);
    await this.database.write(keys.map((key) => ({ sql, values: [lease, ...key] })));
    const taken = await this.database.all(`SELECT * FROM event_streams WHERE lease = ?`, [lease]);
    return taken.map(streamOf);
  }

  /** Assigns the events that have waited for the webhooks to be known. Each webhook skips unwanted events. */
  async assignUnknown(webhooks: readonly string[]): Promise<void> {
    const waiting = await this.take(UNKNOWN_WEBHOOKS, BATCH);
    if (waiting.length === 0) return;
    const begun = waiting.flatMap(({ topic, entityId, revision }) =>
      webhooks.map((sink) => this.begin([topic, entityId], sink, revision)),
    );
    await this.database.write(begun);
    for (const stream of waiting) await this.end(stream, stream.revision);
    await this.assignUnknown(webhooks);
  }

  async next({ topic, entityId, revision }: Stream): Promise<readonly StoredEvent[]> {
    const rows = await this.database.all(
      `SELECT * FROM entity_events WHERE topic = ? AND entity_id = ? AND revision > ? AND taken = 1
       ORDER BY revision LIMIT ${PAGE}`,
      [topic, entityId, revision],
    );
    return rows.map(eventOf);
  }

  /** Records a delivery. Throws `TakenByAnother`. */
  async delivered(stream: Stream, { revision }: StoredEvent): Promise<Stream> {
    await this.database.write([this.advance(stream, revision)]);
    return { ...stream, revision, attempts: 0 };
  }

  /** Stores an undeliverable event with the reason, and continues after it. Throws `TakenByAnother`. */
  async giveUp(stream: Stream, event: StoredEvent, reason: string): Promise<Stream> {
    const { tenants } = this;
    const change = ["event_id", "sink", "topic", "entity_id", "revision", "kind", "event_time"];
    const columns = [...change, "data", "reason", ...tenants];
    const sql = `INSERT INTO event_failures (${columns.join(", ")}, failed)
      VALUES (${columns.map(() => "?").join(", ")}, ${this.now})
      ON CONFLICT (event_id, sink) DO UPDATE SET reason = excluded.reason, failed = excluded.failed`;
    const { id, topic, entityId, revision, kind, time, data, tenant } = event;
    const own = [id, stream.sink, topic, entityId, revision, kind, time, data, reason];
    const values = [...own, ...tenants.map(() => tenant)];
    await this.database.write([{ sql, values }, this.advance(stream, revision)]);
    return { ...stream, revision, attempts: 0 };
  }

  /** Returns the events that were given up, oldest first. */
  async failures(): Promise<readonly FailedEvent[]> {
    const sql = "SELECT * FROM event_failures ORDER BY failed, event_id, sink";
    return (await this.database.all(sql, [])).map(failedOf);
  }

  /** Returns one of these events, or null if it is no longer stored. */
  async failure(id: string, sink: string): Promise<FailedEvent | null> {
    const sql = "SELECT * FROM event_failures WHERE event_id = ? AND sink = ?";
    const row = await this.database.get(sql, [id, sink]);
    return row === undefined ? null : failedOf(row);
  }

  /** Removes an event that was given up. */
  async forget(id: string, sink: string): Promise<void> {
    const sql = "DELETE FROM event_failures WHERE event_id = ? AND sink = ?";
    await this.database.write([{ sql, values: [id, sink] }]);
  }

  private advance(stream: Stream, revision: number): WriteStep {
    const sql = `UPDATE event_streams SET revision = ?, attempts = 0 WHERE ${OF_STREAM} AND lease = ?`;
    return { sql, values: [revision, ...keyOf(stream)], changes: 1, otherwise };
  }

  /** Releases a stream, which is due again after `milliseconds`. Returns null, because the caller no longer owns it. */
  async later(stream: Stream, attempts: number, milliseconds: number): Promise<null> {
    const sql = `UPDATE event_streams SET attempts = ?, lease = NULL, due = ${this.now} + ?
      WHERE ${OF_STREAM} AND lease = ?`;
    const values = [attempts, Math.round(milliseconds), ...keyOf(stream)];
    await this.database.write([{ sql, values }]);
    return null;
  }

  /** Ends a stream that is delivered up to this revision, and removes the delivered events. A stream with new events stays. */
  async end(stream: Stream, revision: number): Promise<null> {
    const { topic, entityId, added } = stream;
    const key = keyOf(stream);
    const over = `DELETE FROM event_streams WHERE ${OF_STREAM} AND lease = ? AND added = ?`;
    const goesOn = `UPDATE event_streams SET revision = ?, attempts = 0, lease = NULL, due = ${this.now}
      WHERE ${OF_STREAM} AND lease = ?`;
    const left = `DELETE FROM entity_events
      WHERE topic = ? AND entity_id = ? AND revision <= ? AND taken = 1 AND ${NOBODY_WAITS}`;
    await this.database.write([
      { sql: over, values: [...key, added] },
      { sql: goesOn, values: [revision, ...key] },
      { sql: left, values: [topic, entityId, revision] },
    ]);
    return null;
  }

  /** Removes streams that have been idle for a week and whose sink no longer exists, and failures after a month. */
  async forgetOld(sinks: readonly string[]): Promise<void> {
    const idle = `due < ${this.now} - ${7 * DAY_MILLISECONDS}`;
    const rows = await this.database.all(
      `SELECT DISTINCT sink FROM event_streams WHERE ${idle}`,
      [],
    );
    const gone = rows.map((row) => textOf(row["sink"])).filter((sink) => !sinks.includes(sink));
    await this.database.write([
      ...gone.map((sink) =>
        openEnded(`DELETE FROM event_streams WHERE sink = ? AND ${idle}`, [sink]),
      ),
      openEnded(
        `DELETE FROM event_failures WHERE failed < ${this.now} - ${30 * DAY_MILLISECONDS}`,
        [],
      ),
    ]);
  }

  /** Removes some events whose streams have ended at the same time. Returns true if there may be more. */
  async sweep(): Promise<boolean> {
    const rows = await this.database.all(
      `SELECT topic, entity_id, revision FROM entity_events WHERE taken = 1 AND ${NOBODY_WAITS} LIMIT ${BATCH}`,
      [],
    );
    const sql = `DELETE FROM entity_events WHERE ${OF_EVENT} AND ${NOBODY_WAITS}`;
    const keys = rows.map(({ topic, entity_id: id, revision }) => [topic, id, revision]);
    if (rows.length > 0)
      await this.database.write(
        keys.map((key) => ({ sql, values: key.map((one) => one ?? null) })),
      );
    return rows.length === BATCH;
  }
}

const NONE_UNKNOWN = `NOT EXISTS (SELECT 1 FROM event_streams WHERE event_streams.topic = entity_events.topic
  AND event_streams.entity_id = entity_events.entity_id AND event_streams.sink = '${UNKNOWN_WEBHOOKS}')`;

const NOBODY_WAITS = `NOT EXISTS (SELECT 1 FROM event_streams
  WHERE event_streams.topic = entity_events.topic AND event_streams.entity_id = entity_events.entity_id)`;

/** Returns the SQL parameters that identify a leased stream. */
function keyOf({ topic, entityId, sink, lease }: Stream): string[] {
  return [topic, entityId, sink, lease];
}

function streamOf(row: SqlRow): Stream {
  return {
    topic: textOf(row["topic"]),
    entityId: textOf(row["entity_id"]),
    sink: textOf(row["sink"]),
    revision: numberOf(row["revision"]),
    added: numberOf(row["added"]),
    attempts: numberOf(row["attempts"]),
    lease: textOf(row["lease"]),
  };
}

function failedOf(row: SqlRow): FailedEvent {
  return {
    event: eventOf(row),
    sink: textOf(row["sink"]),
    reason: textOf(row["reason"]),
    failed: numberOf(row["failed"]),
  };
}

function tenantIn(row: SqlRow): string | null {
  return textOrNull(row[TENANT] ?? null);
}

function eventOf(row: SqlRow): StoredEvent {
  return {
    topic: textOf(row["topic"]),
    entityId: textOf(row["entity_id"]),
    revision: numberOf(row["revision"]),
    kind: textOf(row["kind"]),
    time: textOf(row["event_time"]),
    id: textOf(row["event_id"]),
    data: textOrNull(row["data"]),
    tenant: tenantIn(row),
  };
}
