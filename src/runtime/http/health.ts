import type { FastifyBaseLogger } from "fastify";

import { serviceUnavailable } from "../base/errors.js";
import type { Stopwatch } from "../base/time.js";
import { collection, ok, type Handler, type HttpRoute } from "./routes.js";

const RETRY_AFTER_SECONDS = 1;

/** What the health routes ask of the service. */
interface Health {
  readonly pretty: boolean;
  readonly elapsed: Stopwatch;
  readonly service: {
    /** Whether it takes no more work. */
    readonly isStopping: boolean;
  };
  readonly readiness: {
    /** What is missing that the service needs to do its work, by its name, and why. */
    findMissing(): Promise<ReadonlyMap<string, unknown>>;
  };
}

/** Whether a request target is a health route's: nobody who is busy may leave those unanswered. */
export function isHealthTarget(target: string): boolean {
  return /^\/(?:health|ready)z(?:\?|$)/.test(target);
}

/** `/healthz`: the process is alive. `/readyz`: it can serve requests; 503 otherwise. */
export function healthRoutes({
  pretty,
  elapsed,
  service,
  readiness,
}: Health): readonly HttpRoute[] {
  const body = JSON.stringify({ status: "ok" }, null, pretty ? 2 : 0);
  const log = new ReadinessLog(elapsed);
  return [
    vital("/healthz", () => ok(body)),
    vital("/readyz", async ({ context, requestId }) => {
      if (service.isStopping) throw serviceUnavailable(RETRY_AFTER_SECONDS, requestId);
      const missing = await readiness.findMissing();
      log.tell(missing, context.logger);
      if (missing.size > 0) throw serviceUnavailable(RETRY_AFTER_SECONDS, requestId);
      return ok(body);
    }),
  ];
}

function vital(path: string, GET: Handler): HttpRoute {
  return { ...collection(path, { GET }), isVital: true };
}

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
class ReadinessLog {
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
