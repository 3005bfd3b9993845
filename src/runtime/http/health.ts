import type { FastifyBaseLogger } from "fastify";

import { serviceUnavailable } from "../base/errors.js";
import type { Stopwatch } from "../base/time.js";
import { collection, ok, type Handler, type HttpRoute } from "./routes.js";

const RETRY_AFTER_SECONDS = 1;

/** The parts of the service that the health routes use. */
interface Health {
  readonly pretty: boolean;
  readonly elapsed: Stopwatch;
  readonly service: {
    /** True if the service accepts no more work. */
    readonly isStopping: boolean;
  };
  readonly readiness: {
    /** Returns the missing dependencies by name, each with the reason. */
    findMissing(): Promise<ReadonlyMap<string, unknown>>;
  };
}

/** Reports whether a request target is a health route, which a busy service still has to answer. */
export function isHealthTarget(target: string): boolean {
  return /^\/(?:health|ready)z(?:\?|$)/.test(target);
}

/** Creates the health routes. `/healthz`: the process is alive. `/readyz`: it can handle requests, otherwise 503. */
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

/** Short enough that the last hour of the log mentions a dependency that has been missing for longer. */
const REMINDER_MILLISECONDS = 10 * 60_000;

/** The time since which a dependency is missing, and the time of its last log line. */
interface Missing {
  readonly since: number;
  readonly told: number;
}

/** Logs dependencies when they go missing, every ten minutes, and when they recover. */
class ReadinessLog {
  private readonly known = new Map<string, Missing>();

  constructor(private readonly elapsed: Stopwatch) {}

  /** Logs the changes since the last call. `missing` has the reason for each name. */
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
