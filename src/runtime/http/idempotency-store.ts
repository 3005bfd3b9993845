import { formatTimestamp, type Clock } from "../base/time.js";
import type { Database, WriteStep } from "../store/database.js";
import { jsonOf, textOf, textOrNull } from "../store/rows.js";
import type { HttpReply, KeptAnswer } from "./http.js";

/** OPS-12 */
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;
/** So long it is known that something was done: an event can come again for a day, and somebody may send it by hand. */
const DONE_MILLISECONDS = 7 * KEPT_MILLISECONDS;
/** Of a body that is kept; a larger one costs the database more than reading its entity again. */
const MOST_BYTES = 65_536;
/** Removed as one unit, so that no other write waits long for it. */
const PIECE = 50;

const FIND = `
  SELECT body_digest, head, body FROM idempotency_key_answers
  WHERE key_digest = ? AND created_date > ?`;
/** A key that has expired is as good as a new one; one that has not changes no row. */
const KEEP = `
  INSERT INTO idempotency_key_answers (key_digest, body_digest, head, body, created_date)
  VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (key_digest) DO UPDATE SET
    body_digest = excluded.body_digest,
    head = excluded.head,
    body = excluded.body,
    created_date = excluded.created_date
  WHERE idempotency_key_answers.created_date <= ?`;
const EXPIRED = `
  SELECT key_digest FROM idempotency_key_answers WHERE created_date <= ?
  ORDER BY created_date, key_digest LIMIT ${PIECE}`;
const REMOVE = `DELETE FROM idempotency_key_answers WHERE key_digest = ? AND created_date <= ?`;

/** A request with an `Idempotency-Key`, as it is known in the database. */
export interface KeyedRequest {
  /** Of the caller, the path and the key, so that nobody meets the key of somebody else. */
  readonly keyDigest: string;
  readonly bodyDigest: string;
}

/** The answer that was given to the first request with a key, and what that request sent. */
export interface StoredAnswer extends KeptAnswer {
  readonly bodyDigest: string;
}

/** What is kept of an answer in addition to its body. */
type Head = Omit<HttpReply, "body" | "bytes"> & { readonly isRead?: boolean };

/** What the kept answers need of their service. */
export interface IdempotencyKernel {
  readonly database: Database;
  readonly clock: Clock;
}

/** The answers to requests with an `Idempotency-Key`, for 24 hours (OPS-12). */
export class IdempotencyStore {
  constructor(private readonly kernel: IdempotencyKernel) {}

  /** The answer under a key, or null. */
  async find(keyDigest: string): Promise<StoredAnswer | null> {
    const row = await this.kernel.database.get(FIND, [keyDigest, this.expiry()]);
    if (row === undefined) return null;
    const { isRead = false, ...head } = jsonOf<Head>(row["head"]);
    const body = textOrNull(row["body"]);
    const reply: HttpReply = { ...head, body, bytes: Buffer.byteLength(body ?? "") };
    return { bodyDigest: textOf(row["body_digest"]), reply, isRead };
  }

  /** The write that keeps an answer; its unit is rejected when there is one under this key by then. */
  keep({ keyDigest, bodyDigest }: KeyedRequest, reply: HttpReply): WriteStep {
    const { body, bytes, ...rest } = reply;
    // Only an entity has a tag, and only an entity can be read again.
    const isRead = bytes > MOST_BYTES && reply.etag !== null;
    const head: Head = isRead ? { ...rest, isRead } : rest;
    const now = formatTimestamp(this.kernel.clock());
    const content = [JSON.stringify(head), isRead ? null : body];
    const values = [keyDigest, bodyDigest, ...content, now, this.expiry()];
    return { sql: KEEP, values, changes: 1, otherwise: keyTaken };
  }

  /** Whether something was done under this key. */
  async isDone(keyDigest: string): Promise<boolean> {
    return (await this.kernel.database.get(FIND, [keyDigest, this.expiry()])) !== undefined;
  }

  /** The write that notes it, with what is done; its unit is rejected with `DoneBefore` where it was noted by then. */
  done(keyDigest: string): WriteStep {
    const until = this.kernel.clock() + DONE_MILLISECONDS - KEPT_MILLISECONDS;
    const values = [keyDigest, "", "{}", null, formatTimestamp(until), this.expiry()];
    return { sql: KEEP, values, changes: 1, otherwise: () => new DoneBefore() };
  }

  /** Removes some of what has expired; says whether there may be more. Several processes may do so at once. */
  async removeExpired(): Promise<boolean> {
    const { database } = this.kernel;
    const expiry = this.expiry();
    const rows = await database.all(EXPIRED, [expiry]);
    if (rows.length === 0) return false;
    const keys = rows.map((row) => textOf(row["key_digest"]));
    await database.write(keys.map((key) => ({ sql: REMOVE, values: [key, expiry] })));
    return rows.length === PIECE;
  }

  private expiry(): string {
    return formatTimestamp(this.kernel.clock() - KEPT_MILLISECONDS);
  }
}

/** What was to be done once has been done. */
export class DoneBefore extends Error {
  override readonly name = "DoneBefore";
}

const keyTaken = (): Error => new Error("Another request with this Idempotency-Key was first.");
