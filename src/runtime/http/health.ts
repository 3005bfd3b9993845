import { serviceUnavailable } from "../base/errors.js";
import type { Stopwatch } from "../base/time.js";
import { collection, ok, type Handler, type HttpRoute } from "./http.js";
import { ReadinessLog } from "./readiness-log.js";

const RETRY_AFTER_SECONDS = 1;

/** What the health routes ask of the service. */
export interface Health {
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
