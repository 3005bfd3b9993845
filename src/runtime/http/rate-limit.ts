import type { FastifyRequest } from "fastify";

import { type Authentication, callerKey, type Caller, NOBODY } from "../auth/authentication.js";
import { ERROR_TYPES, errorOf, type ApiError } from "../base/errors.js";
import type { Stopwatch } from "../base/time.js";

const MINUTE_MILLISECONDS = 60_000;
/** Beyond this, the caller that has been silent for longest is forgotten. About 10 MB at most. */
const MOST_CALLERS = 50_000;

/**
 * Limits the requests of each caller (LIM-2): a burst of a minute's requests, then an even rate. Stores one number per caller:
 * the time at which all its requests would be finished at that rate.
 */
export class CallerLimit {
  private readonly callers = new Map<string, number>();
  private readonly pace: number;

  constructor(
    requestsPerMinute: number,
    private readonly elapsed: Stopwatch,
  ) {
    this.pace = MINUTE_MILLISECONDS / requestsPerMinute;
  }

  /** Counts a request of a caller. If the caller has sent too many, throws 429 without counting. */
  count(caller: Caller, address: string | undefined): void {
    const key = callerKey(caller, address);
    const now = this.elapsed();
    const kept = this.callers.get(key) ?? now;
    const over = Math.max(kept, now);
    const excess = over + this.pace - now - MINUTE_MILLISECONDS;
    // Tolerance for rounding errors of the sum.
    if (excess > 0.001) throw tooManyRequests(Math.ceil(excess / 1000));
    this.callers.delete(key);
    this.callers.set(key, over + this.pace);
    if (this.callers.size > MOST_CALLERS) this.forgetOldest();
  }

  private forgetOldest(): void {
    const [oldest] = this.callers.keys();
    if (oldest !== undefined) this.callers.delete(oldest);
  }
}

/** 429 with `Retry-After` (LIM-2). */
export function tooManyRequests(retryAfterSeconds: number): ApiError {
  return errorOf(ERROR_TYPES.tooManyRequests, {
    description: `Try again in ${retryAfterSeconds} seconds.`,
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}

/**
 * Identifies and counts a caller (LIM-2). If the identification fails, such as for an invalid token, counts by address. Throws
 * 429, or the error of `callerOf`.
 */
export async function countCaller(
  request: FastifyRequest,
  authentication: Authentication,
  limit: CallerLimit,
): Promise<Caller> {
  let caller: Caller;
  try {
    caller = await authentication.callerOf(request.raw);
  } catch (error) {
    limit.count(NOBODY, request.ip);
    throw error;
  }
  limit.count(caller, request.ip);
  return caller;
}
