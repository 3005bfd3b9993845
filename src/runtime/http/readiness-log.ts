import type { FastifyBaseLogger } from "fastify";
import type { Stopwatch } from "../base/time.js";

/** Whoever looks at the log of the last hour has to find what has been missing for longer. */
const REMINDER_MILLISECONDS = 10 * 60_000;

/** Since when something is missing, and when the log told of it last. */
interface Missing {
  readonly since: number;
  readonly told: number;
}

/**
 * Tells what keeps a service from being ready: when it begins, every ten minutes while it lasts, and when it is over. An
 * orchestrator asks every few seconds, and not each of these answers is told.
 */
export class ReadinessLog {
  private readonly known = new Map<string, Missing>();

  constructor(private readonly elapsed: Stopwatch) {}

  /** Takes what is missing now, by its name, and why. */
  tell(missing: ReadonlyMap<string, unknown>, logger: FastifyBaseLogger): void {
    const now = this.elapsed();
    const wasReady = this.known.size === 0;
    const secondsSince = (since: number): number => Math.round((now - since) / 1000);
    for (const [part, { since }] of this.known) {
      if (missing.has(part)) continue;
      this.known.delete(part);
      logger.info({ part, seconds: secondsSince(since) }, "recovered");
    }
    for (const [part, err] of missing) {
      const { since = now, told = -Infinity } = this.known.get(part) ?? {};
      if (now - told < REMINDER_MILLISECONDS) continue;
      this.known.set(part, { since, told: now });
      if (since === now) logger.warn({ err }, "not ready");
      else logger.warn({ err, seconds: secondsSince(since) }, "still not ready");
    }
    if (!wasReady && this.known.size === 0) logger.info("ready again");
  }
}
