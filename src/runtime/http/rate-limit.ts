import type { FastifyRequest } from "fastify";

import { type Authentication, callerKey, type Caller, NOBODY } from "../auth/authentication.js";
import { ERROR_TYPES, errorOf, type ApiError } from "../base/errors.js";
import type { Stopwatch } from "../base/time.js";

const MINUTE_MILLISECONDS = 60_000;
/** Who has not called for the longest time goes first: about 10 MB at most. */
const MOST_CALLERS = 50_000;

/**
 * Counts the requests of each caller (LIM-2): so many at once, and then as many a minute, evenly. What is kept of a
 * caller is one number: when all that it has asked for would be over, at that pace.
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

  /** Counts a request of a caller. Throws 429. */
  count(caller: Caller, address: string | undefined): void {
    const key = callerKey(caller, address);
    const now = this.elapsed();
    const kept = this.callers.get(key) ?? now;
    const over = Math.max(kept, now);
    const excess = over + this.pace - now - MINUTE_MILLISECONDS;
    // A thousandth for the sum of many fractions.
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

/** LIM-2: counts a request of whoever sends it; whoever tries out tokens is counted by address. Throws 429, and 401 as usual. */
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
