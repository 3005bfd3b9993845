import { hash } from "node:crypto";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";

import { withTimeout } from "../base/background.js";
import {
  ERROR_TYPES,
  errorOf,
  type ApiError,
  malformedRequest,
  RETRY_AFTER_SECONDS,
} from "../base/errors.js";
import { formatTimestamp, type Clock } from "../base/time.js";
import { identityOf } from "../query/tenant.js";
import type { Database, WriteStep } from "../store/database.js";
import { jsonOf, textOf, textOrNull } from "../store/rows.js";
import type { Handler, HttpCall, HttpReply, KeptAnswer } from "./routes.js";

/** Time that a request waits for an earlier one with the same key before it gets 409. */
const WAIT_MILLISECONDS = 2000;

/** A request with an `Idempotency-Key`. */
interface SentWithKey {
  readonly header: string;
  /** The path, with the identifiers in lower case. */
  readonly path: string;
  readonly body: Uint8Array;
}

/** Executes the first request of each `Idempotency-Key`, and sends the stored response for the next ones (OPS-12). */
export class IdempotentRequests {
  private readonly answers: IdempotencyStore;
  /** The end of the last request with each key in this process. Between processes, the database decides. */
  private readonly latest = new Map<string, Promise<void>>();

  constructor(runtime: IdempotencyOptions) {
    this.answers = new IdempotencyStore(runtime);
  }

  /** Throws 400 for an invalid key, and 409 if the key was used with another body or its first request is still running. */
  async answer(sent: SentWithKey, call: HttpCall, handler: Handler): Promise<HttpReply> {
    const key = parseIdempotencyKey(sent.header);
    const keyDigest = digest(`${identityOf(call.context.caller)} ${sent.path} ${key}`);
    const request = { keyDigest, bodyDigest: digest(sent.body) };
    return this.inTurn(keyDigest, async () => this.runAlone(request, call, handler));
  }

  /**
   * Runs work after the earlier requests with this key in this process. Throws 409 if they take too long. Queues synchronously,
   * to keep the order of the requests.
   */
  private async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const earlier = this.latest.get(key);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const last = earlier === undefined ? ended : earlier.then(async () => ended);
    this.latest.set(key, last);
    void last.then(() => {
      if (this.latest.get(key) === last) this.latest.delete(key);
    });
    try {
      if (earlier !== undefined)
        await withTimeout(earlier, WAIT_MILLISECONDS).catch(() => {
          throw idempotencyKeyPending();
        });
      return await work();
    } finally {
      end();
    }
  }

  private async runAlone(
    request: KeyedRequest,
    call: HttpCall,
    handler: Handler,
  ): Promise<HttpReply> {
    const kept = await this.answers.find(request.keyDigest);
    if (kept !== null) return again(kept, request, call, handler);
    call.context.keepAnswer = (reply) => this.answers.keep(request, reply);
    try {
      return await handler(call);
    } catch (error) {
      // Another process was faster, or the write succeeded and only its confirmation was lost.
      const other = await this.answers.find(request.keyDigest);
      if (other !== null) return again(other, request, call, handler);
      throw error;
    }
  }
}

/** Calls the handler, which checks access and returns the stored response. Throws 409 if the body is another one. */
async function again(
  stored: StoredReply,
  request: KeyedRequest,
  call: HttpCall,
  handler: Handler,
): Promise<HttpReply> {
  if (stored.bodyDigest !== request.bodyDigest) throw idempotencyKeyReused();
  const { context } = call;
  context.kept = stored;
  context.keepAnswer = () => {
    throw new Error("A request that was answered before must not be carried out again.");
  };
  return handler(call);
}

/** 409: the key was used with a different body (OPS-12). */
export function idempotencyKeyReused(): ApiError {
  return errorOf(ERROR_TYPES.idempotencyKeyReused, {
    description: "This key was already used with a different body. Use a new key.",
  });
}

/** 409: the first request with the key is still running (OPS-12). */
export function idempotencyKeyPending(): ApiError {
  return errorOf(ERROR_TYPES.idempotencyKeyPending, {
    description: `Retry the same request in ${RETRY_AFTER_SECONDS} s.`,
    headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
  });
}

/** Visible ASCII, quoted as in the RFC draft, or bare as most clients send it. */
const QUOTED = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;
const BARE = /^[\x21\x23-\x7e]{1,255}$/;

/** Reads the key without its quotes (OPS-12). Throws 400, also for two headers, which arrive as one with a blank. */
function parseIdempotencyKey(header: string): string {
  const quoted = QUOTED.exec(header)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, "$1");
  if (BARE.test(header)) return header;
  throw malformedRequest(
    "An Idempotency-Key is 1 to 255 visible ASCII characters without blanks, sent once.",
  );
}

/** Returns a 256-bit digest that identifies text or bytes in the database. */
export function digest(content: string | Uint8Array): string {
  // The one-call form creates no hash object, whose collection would cost more than the hashing.
  return hash("sha256", content, "base64url");
}

/** OPS-12 */
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;
/** Longer than the day in which an event is redelivered, because a person may resend it by hand. */
const DONE_MILLISECONDS = 7 * KEPT_MILLISECONDS;
/** A larger body of an entity is not stored, because reading the entity again is cheaper for the database. */
const MOST_BYTES = 65_536;
/** Number of rows removed in one transaction, small enough that other writes do not wait long. */
const PIECE = 50;

const FIND = `
  SELECT body_digest, head, body FROM idempotency_key_answers
  WHERE key_digest = ? AND created_date > ?`;
/** Inserts a key, or replaces an expired one. Changes no row if the key is still valid. */
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

/** A request with an `Idempotency-Key`, as the database stores it. */
interface KeyedRequest {
  /** Digest of the caller, the path and the key, so that callers do not share keys. */
  readonly keyDigest: string;
  readonly bodyDigest: string;
}

/** The stored response to the first request with a key. */
interface StoredReply extends KeptAnswer {
  readonly bodyDigest: string;
}

/** The stored parts of a response other than its body. */
type Head = Omit<HttpReply, "body" | "bytes"> & { readonly isRead?: boolean };

interface IdempotencyOptions {
  readonly database: Database;
  readonly clock: Clock;
}

/** Stores the responses to requests with an `Idempotency-Key` for 24 hours (OPS-12), and the keys of `once` for seven days. */
export class IdempotencyStore {
  constructor(private readonly runtime: IdempotencyOptions) {}

  /** Returns the response stored under a key, or null. */
  async find(keyDigest: string): Promise<StoredReply | null> {
    const row = await this.runtime.database.get(FIND, [keyDigest, this.expiry()]);
    if (row === undefined) return null;
    const { isRead = false, ...head } = jsonOf<Head>(row["head"]);
    const body = textOrNull(row["body"]);
    const reply: HttpReply = { ...head, body, bytes: Buffer.byteLength(body ?? "") };
    return { bodyDigest: textOf(row["body_digest"]), reply, isRead };
  }

  /** Returns the write that stores a response. The transaction fails if the key has a response by then. */
  keep({ keyDigest, bodyDigest }: KeyedRequest, reply: HttpReply): WriteStep {
    const { body, bytes, ...rest } = reply;
    // Only the response of an entity has a tag, and only an entity can be read again.
    const isRead = bytes > MOST_BYTES && reply.etag !== null;
    const head: Head = isRead ? { ...rest, isRead } : rest;
    const now = formatTimestamp(this.runtime.clock());
    const content = [JSON.stringify(head), isRead ? null : body];
    const values = [keyDigest, bodyDigest, ...content, now, this.expiry()];
    return { sql: KEEP, values, changes: 1, otherwise: keyTaken };
  }

  /** Reports whether a piece of work was recorded under this key. */
  async isDone(keyDigest: string): Promise<boolean> {
    return (await this.runtime.database.get(FIND, [keyDigest, this.expiry()])) !== undefined;
  }

  /** Returns the write that records the work. The transaction fails with `DoneBefore` if it is already recorded. */
  done(keyDigest: string): WriteStep {
    const until = this.runtime.clock() + DONE_MILLISECONDS - KEPT_MILLISECONDS;
    const values = [keyDigest, "", "{}", null, formatTimestamp(until), this.expiry()];
    return { sql: KEEP, values, changes: 1, otherwise: () => new DoneBefore() };
  }

  /** Removes some expired rows, and reports whether there may be more. Several processes may do this at once. */
  async removeExpired(): Promise<boolean> {
    const { database } = this.runtime;
    const expiry = this.expiry();
    const rows = await database.all(EXPIRED, [expiry]);
    if (rows.length === 0) return false;
    const keys = rows.map((row) => textOf(row["key_digest"]));
    await database.write(keys.map((key) => ({ sql: REMOVE, values: [key, expiry] })));
    return rows.length === PIECE;
  }

  private expiry(): string {
    return formatTimestamp(this.runtime.clock() - KEPT_MILLISECONDS);
  }
}

/** Another transaction has already recorded the work under this key. */
export class DoneBefore extends Error {
  override readonly name = "DoneBefore";
}

const keyTaken = (): Error => new Error("Another request with this Idempotency-Key was first.");

const PAUSE_MILLISECONDS = 60_000;

interface CleanupOptions extends IdempotencyOptions {
  readonly logger: FastifyBaseLogger;
}

/** Removes expired responses while the service listens: at once, and then every minute (OPS-12). */
export function removeExpiredKeys(app: FastifyInstance, runtime: CleanupOptions): void {
  const answers = new IdempotencyStore(runtime);
  let work: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  /** Removes a few rows per transaction, so that other writes can run in between. */
  async function removeAll(): Promise<void> {
    try {
      while (!isStopped && (await answers.removeExpired()));
    } catch (error) {
      runtime.logger.warn({ err: error }, "expired responses could not be removed");
    }
    work = null;
  }

  app.addHook("onListen", async () => {
    work = removeAll();
    timer = setInterval(() => void (work ??= removeAll()), PAUSE_MILLISECONDS).unref();
  });
  app.addHook("onClose", async () => {
    isStopped = true;
    clearInterval(timer);
    await work;
  });
}
