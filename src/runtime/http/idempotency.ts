import { hash } from "node:crypto";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";

import { withTimeout } from "../base/background.js";
import { ERROR_TYPES, errorOf, type ApiError, malformedRequest } from "../base/errors.js";
import { formatTimestamp, type Clock } from "../base/time.js";
import type { Database, WriteStep } from "../store/database.js";
import { jsonOf, textOf, textOrNull } from "../store/rows.js";
import type { Handler, HttpCall, HttpReply, KeptAnswer } from "./routes.js";

/** So long a request waits for an earlier one with the same key, before it is told to come again. */
const WAIT_MILLISECONDS = 2000;
const RETRY_AFTER_SECONDS = 1;

/** What a request with an `Idempotency-Key` sent beside its body as JSON. */
interface SentWithKey {
  /** The `Idempotency-Key` header. */
  readonly header: string;
  /** The path, with identifiers in lower case. */
  readonly path: string;
  readonly body: Uint8Array;
}

/** Answers requests with an `Idempotency-Key`: each key once, and the same answer again after that (OPS-12). */
export class IdempotentAnswers {
  private readonly answers: IdempotencyStore;
  /** When the last request with each key will have ended, of this process; the database decides between processes. */
  private readonly latest = new Map<string, Promise<void>>();

  constructor(runtime: IdempotencyOptions) {
    this.answers = new IdempotencyStore(runtime);
  }

  /** Throws 400 for a key that is not one, and 409 for one that came with another body or is still at work. */
  async answer(sent: SentWithKey, call: HttpCall, handler: Handler): Promise<HttpReply> {
    const key = parseIdempotencyKey(sent.header);
    const { subjectId } = call.context.subject;
    const keyDigest = digest(`${subjectId} ${sent.path} ${key}`);
    const request = { keyDigest, bodyDigest: digest(sent.body) };
    return this.inTurn(keyDigest, async () => this.answerAlone(request, call, handler));
  }

  /** Does work when the earlier requests with this key have ended here: it takes its place at once, so one follows another. */
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
          throw idempotencyKeyPending(RETRY_AFTER_SECONDS);
        });
      return await work();
    } finally {
      end();
    }
  }

  private async answerAlone(
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
      // Another process was first, or the write was carried out and only its confirmation lost.
      const other = await this.answers.find(request.keyDigest);
      if (other !== null) return again(other, request, call, handler);
      throw error;
    }
  }
}

/** The handler asks for access as it did the first time, and gives the kept answer then: no code of it runs again. */
async function again(
  stored: StoredAnswer,
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

/** 409: one `Idempotency-Key` for two different bodies (OPS-12). */
export function idempotencyKeyReused(): ApiError {
  return errorOf(ERROR_TYPES.idempotencyKeyReused, {
    description: "This key was already used with a different body. Use a new key.",
  });
}

/** 409: the first request with this `Idempotency-Key` is still at work (OPS-12). */
export function idempotencyKeyPending(retryAfterSeconds: number): ApiError {
  return errorOf(ERROR_TYPES.idempotencyKeyPending, {
    description: `Retry the same request in ${retryAfterSeconds} s.`,
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}

/** Visible ASCII, in quotes as the structured header that the RFC draft makes of it, or bare as most clients send it. */
const QUOTED = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;
const BARE = /^[\x21\x23-\x7e]{1,255}$/;

/** The key that an `Idempotency-Key` header holds, without its quotes (OPS-12). Throws 400; two headers are one with a blank in it. */
function parseIdempotencyKey(header: string): string {
  const quoted = QUOTED.exec(header)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, "$1");
  if (BARE.test(header)) return header;
  throw malformedRequest(
    "An Idempotency-Key is 1 to 255 visible ASCII characters without blanks, sent once.",
  );
}

/** Stands for texts or bytes in the database: 256 bits, of which no two are ever the same. */
export function digest(content: string | Uint8Array): string {
  // Without an object to be collected: that costs more than the hashing.
  return hash("sha256", content, "base64url");
}

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
interface KeyedRequest {
  /** Of the caller, the path and the key, so that nobody meets the key of somebody else. */
  readonly keyDigest: string;
  readonly bodyDigest: string;
}

/** The answer that was given to the first request with a key, and what that request sent. */
interface StoredAnswer extends KeptAnswer {
  readonly bodyDigest: string;
}

/** What is kept of an answer in addition to its body. */
type Head = Omit<HttpReply, "body" | "bytes"> & { readonly isRead?: boolean };

/** What the kept answers need of their service. */
interface IdempotencyOptions {
  readonly database: Database;
  readonly clock: Clock;
}

/** The answers to requests with an `Idempotency-Key`, for 24 hours (OPS-12). */
export class IdempotencyStore {
  constructor(private readonly runtime: IdempotencyOptions) {}

  /** The answer under a key, or null. */
  async find(keyDigest: string): Promise<StoredAnswer | null> {
    const row = await this.runtime.database.get(FIND, [keyDigest, this.expiry()]);
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
    const now = formatTimestamp(this.runtime.clock());
    const content = [JSON.stringify(head), isRead ? null : body];
    const values = [keyDigest, bodyDigest, ...content, now, this.expiry()];
    return { sql: KEEP, values, changes: 1, otherwise: keyTaken };
  }

  /** Whether something was done under this key. */
  async isDone(keyDigest: string): Promise<boolean> {
    return (await this.runtime.database.get(FIND, [keyDigest, this.expiry()])) !== undefined;
  }

  /** The write that notes it, with what is done; its unit is rejected with `DoneBefore` where it was noted by then. */
  done(keyDigest: string): WriteStep {
    const until = this.runtime.clock() + DONE_MILLISECONDS - KEPT_MILLISECONDS;
    const values = [keyDigest, "", "{}", null, formatTimestamp(until), this.expiry()];
    return { sql: KEEP, values, changes: 1, otherwise: () => new DoneBefore() };
  }

  /** Removes some of what has expired; says whether there may be more. Several processes may do so at once. */
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

/** What was to be done once has been done. */
export class DoneBefore extends Error {
  override readonly name = "DoneBefore";
}

const keyTaken = (): Error => new Error("Another request with this Idempotency-Key was first.");

const PAUSE_MILLISECONDS = 60_000;

/** What removing expired answers needs of its service. */
interface CleanupOptions extends IdempotencyOptions {
  readonly logger: FastifyBaseLogger;
}

/** Removes kept answers that have expired while the service listens, at once and each minute after that (OPS-12). */
export function removeExpiredAnswers(app: FastifyInstance, runtime: CleanupOptions): void {
  const answers = new IdempotencyStore(runtime);
  let work: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  /** A small unit at a time: whoever writes in between does not wait for all of it. */
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
