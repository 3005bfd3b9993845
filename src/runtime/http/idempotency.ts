import { ERROR_TYPES, errorOf, type ApiError } from "../base/errors.js";
import { withTimeout } from "../base/background.js";
import type { Handler, HttpCall, HttpReply } from "./http.js";
import { digest, parseIdempotencyKey } from "./idempotency-key.js";
import {
  IdempotencyStore,
  type StoredAnswer,
  type IdempotencyKernel,
  type KeyedRequest,
} from "./idempotency-store.js";

/** So long a request waits for an earlier one with the same key, before it is told to come again. */
const WAIT_MILLISECONDS = 2000;
const RETRY_AFTER_SECONDS = 1;

/** What a request with an `Idempotency-Key` sent beside its body as JSON. */
export interface SentWithKey {
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

  constructor(kernel: IdempotencyKernel) {
    this.answers = new IdempotencyStore(kernel);
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
