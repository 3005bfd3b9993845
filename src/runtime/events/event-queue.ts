import { randomUUID } from "node:crypto";
import type { Database, SqlRow, WriteStep } from "../store/database.js";
import { DATABASE_NOW } from "../store/releases.js";
import { numberOf, textOf, textOrNull } from "../store/rows.js";
import { openEnded } from "../store/write-sql.js";
import type { StoredEvent } from "./cloud-event.js";

/** A process that has taken a stream has it for so long; after that another one may take it. */
export const LEASE_MILLISECONDS = 45_000;
const DAY_MILLISECONDS = 86_400_000;
/** Events that are assigned to those who want them as one unit. */
const BATCH = 100;
/** The most steps of one transaction that begins streams, unless one event needs more: SQLite does nothing else meanwhile. */
const MOST_BEGUN = 200;
/** Events of one entity that are read at a time. */
export const PAGE = 20;
/** The sink of events that wait until the webhooks are known. No webhook has an empty name. */
export const UNKNOWN_WEBHOOKS = "";

/** The events of one entity for one sink, which are delivered one after the other. */
export interface Stream {
  readonly topic: string;
  readonly entityId: string;
  readonly sink: string;
  /** That of the last event that was delivered, or given up. */
  readonly revision: number;
  /** Counts what was assigned to it. */
  readonly added: number;
  /** Of its next event. */
  readonly attempts: number;
  /** Of the process that has taken it. */
  readonly lease: string;
}

/** An event that was given up for a sink. */
export interface FailedEvent {
  readonly event: StoredEvent;
  readonly sink: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly failed: number;
}

/** Who wants an event. */
type Wanting = (event: Pick<StoredEvent, "topic" | "kind">) => readonly string[];

/** Another process is doing the same, or has taken the stream since. */
export class TakenByAnother extends Error {
  override readonly name = "TakenByAnother";
}

const otherwise = (): Error => new TakenByAnother("Another process was first.");
const OF_EVENT = "topic = ? AND entity_id = ? AND revision = ?";
const OF_STREAM = "topic = ? AND entity_id = ? AND sink = ?";

/**
 * The events that are written and not delivered (EVT-1). Each entity has a stream for each sink that wants its events. A
 * process takes a stream for a while; nothing else keeps two processes from each other, so that a pooler may stand between.
 */
export class EventQueue {
  /** SQL: milliseconds by the database's clock, which all processes share. */
  private readonly now: string;

  constructor(
    private readonly database: Database,
    private readonly newIdentifier: () => string,
  ) {
    this.now = DATABASE_NOW[database.dialect];
  }

  /** Assigns new events to those who want them; says whether there may be more. Throws `TakenByAnother`. */
  async assign(wanting: Wanting, knowsWebhooks: boolean): Promise<boolean> {
    // Older events that wait for webhooks to be known go first: a stream that began behind them would never send them.
    const condition = knowsWebhooks ? `taken = 0 AND ${NONE_UNKNOWN}` : "taken = 0";
    // Those of one entity in their order: its stream begins before the first of them.
    const rows = await this.database.all(
      `SELECT topic, entity_id, revision, kind FROM entity_events
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
    const sinks = wanting({ topic, kind });
    const event = [...key, revision];
    const step = { changes: 1, otherwise };
    if (sinks.length === 0) {
      const sql = `DELETE FROM entity_events WHERE ${OF_EVENT} AND taken = 0`;
      return [{ sql, values: event, ...step }];
    }
    // What a deletion has announced of others has no identifier yet.
    const take = `UPDATE entity_events SET taken = 1, event_id = COALESCE(event_id, ?)
      WHERE ${OF_EVENT} AND taken = 0`;
    return [
      { sql: take, values: [this.newIdentifier(), ...event], ...step },
      ...sinks.map((sink) => this.begin(key, sink, revision - 1)),
    ];
  }

  /** Begins a stream after a revision; one that is there goes on. */
  private begin(key: readonly string[], sink: string, revision: number): WriteStep {
    const sql = `INSERT INTO event_streams (topic, entity_id, sink, revision, added, attempts, due)
      VALUES (?, ?, ?, ?, 1, 0, ${this.now})
      ON CONFLICT (topic, entity_id, sink) DO UPDATE SET added = event_streams.added + 1`;
    return { sql, values: [...key, sink, revision] };
  }

  /** Takes streams of a sink that are due, at most so many. */
  async take(sink: string, most: number): Promise<readonly Stream[]> {
    // In a query of its own, so that PostgreSQL asks the clock once and reads no further in the index than to what is due.
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

  /** Gives what has waited for webhooks, before any was known, to these. Each passes over what it does not want. */
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

  /** The next events of a stream. */
  async next({ topic, entityId, revision }: Stream): Promise<readonly StoredEvent[]> {
    const rows = await this.database.all(
      `SELECT * FROM entity_events WHERE topic = ? AND entity_id = ? AND revision > ? AND taken = 1
       ORDER BY revision LIMIT ${PAGE}`,
      [topic, entityId, revision],
    );
    return rows.map(eventOf);
  }

  /** Notes that an event was delivered. Throws `TakenByAnother`. */
  async delivered(stream: Stream, { revision }: StoredEvent): Promise<Stream> {
    await this.database.write([this.advance(stream, revision)]);
    return { ...stream, revision, attempts: 0 };
  }

  /** Keeps an event with the reason for which it could not be delivered, and goes on after it. Throws `TakenByAnother`. */
  async giveUp(stream: Stream, event: StoredEvent, reason: string): Promise<Stream> {
    const sql = `INSERT INTO event_failures
      (event_id, sink, topic, entity_id, revision, kind, event_time, data, reason, failed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ${this.now})
      ON CONFLICT (event_id, sink) DO UPDATE SET reason = excluded.reason, failed = excluded.failed`;
    const { id, topic, entityId, revision, kind, time, data } = event;
    const values = [id, stream.sink, topic, entityId, revision, kind, time, data, reason];
    await this.database.write([{ sql, values }, this.advance(stream, revision)]);
    return { ...stream, revision, attempts: 0 };
  }

  /** The events that were given up, the oldest first. */
  async failures(): Promise<readonly FailedEvent[]> {
    const sql = "SELECT * FROM event_failures ORDER BY failed, event_id, sink";
    return (await this.database.all(sql, [])).map(failedOf);
  }

  /** One of them; null: it is not there any more. */
  async failure(id: string, sink: string): Promise<FailedEvent | null> {
    const sql = "SELECT * FROM event_failures WHERE event_id = ? AND sink = ?";
    const row = await this.database.get(sql, [id, sink]);
    return row === undefined ? null : failedOf(row);
  }

  /** Forgets an event that was given up. */
  async forget(id: string, sink: string): Promise<void> {
    const sql = "DELETE FROM event_failures WHERE event_id = ? AND sink = ?";
    await this.database.write([{ sql, values: [id, sink] }]);
  }

  private advance(stream: Stream, revision: number): WriteStep {
    const sql = `UPDATE event_streams SET revision = ?, attempts = 0 WHERE ${OF_STREAM} AND lease = ?`;
    return { sql, values: [revision, ...keyOf(stream)], changes: 1, otherwise };
  }

  /** Gives a stream back, to be taken again in so many milliseconds. Returns null: the caller has no stream any more. */
  async later(stream: Stream, attempts: number, milliseconds: number): Promise<null> {
    const sql = `UPDATE event_streams SET attempts = ?, lease = NULL, due = ${this.now} + ?
      WHERE ${OF_STREAM} AND lease = ?`;
    const values = [attempts, Math.round(milliseconds), ...keyOf(stream)];
    await this.database.write([{ sql, values }]);
    return null;
  }

  /**
   * Ends a stream of which all is delivered up to this revision, and what it has left; one that has been given more by now
   * goes on.
   */
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

  /** Removes what has waited for a week for sinks that are not among these any more, and what was given up a month ago. */
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

  /** Removes some of what nobody waits for: two streams that ended at once have left it. Says whether there may be more. */
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

/** Binds what names a stream that a process has taken. */
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

function eventOf(row: SqlRow): StoredEvent {
  return {
    topic: textOf(row["topic"]),
    entityId: textOf(row["entity_id"]),
    revision: numberOf(row["revision"]),
    kind: textOf(row["kind"]),
    time: textOf(row["event_time"]),
    id: textOf(row["event_id"]),
    data: textOrNull(row["data"]),
  };
}
