import type { FastifyBaseLogger } from "fastify";

import { withTimeout } from "../base/background.js";
import { runCustom } from "../base/custom-code.js";
import { serviceUnavailable } from "../base/errors.js";
import type { Stopwatch } from "../base/time.js";
import { collection, ok, type Handler, type HttpRoute } from "./routes.js";
import type { ServiceRuntime } from "./settings.js";

/** The parts of the service that the health routes use. */
interface Health {
  readonly pretty: boolean;
  readonly elapsed: Stopwatch;
  readonly service: {
    /** True once the service has begun to stop. */
    readonly isStopping: boolean;
  };
  readonly readiness: Pick<Readiness, "findMissing">;
}

/** Reports whether a request target is a health route, which a busy service still has to answer. */
export function isHealthTarget(target: string): boolean {
  return /^\/(?:health|ready)z(?:\?|$)/.test(target);
}

/** Creates the health routes. `/healthz`: the process is alive. `/readyz`: the service can handle requests, otherwise 503. */
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
      if (service.isStopping) throw serviceUnavailable(requestId);
      const missing = await readiness.findMissing();
      log.log(missing, context.logger);
      if (missing.size > 0) throw serviceUnavailable(requestId);
      return ok(body);
    }),
  ];
}

function vital(path: string, GET: Handler): HttpRoute {
  return { ...collection(path, { GET }), isVital: true };
}

/** Short enough that the last hour of the log mentions a dependency that has been missing for longer. */
const REMINDER_MILLISECONDS = 10 * 60_000;

/** The time since which a dependency has been missing, and the time of its last log line. */
interface Outage {
  readonly since: number;
  readonly loggedAt: number;
}

/** Logs a dependency when it goes missing, every ten minutes while it stays missing, and when it recovers. */
class ReadinessLog {
  private readonly known = new Map<string, Outage>();

  constructor(private readonly elapsed: Stopwatch) {}

  /** Logs the changes since the last call. `missing` has the reason for each name. */
  log(missing: Missing, logger: FastifyBaseLogger): void {
    const now = this.elapsed();
    const wasReady = this.known.size === 0;
    const secondsSince = (since: number): number => Math.round((now - since) / 1000);
    for (const [part, { since }] of this.known) {
      if (missing.has(part)) continue;
      this.known.delete(part);
      logger.info({ part, seconds: secondsSince(since) }, "recovered");
    }
    for (const [part, err] of missing) {
      const { since = now, loggedAt = -Infinity } = this.known.get(part) ?? {};
      if (now - loggedAt < REMINDER_MILLISECONDS) continue;
      this.known.set(part, { since, loggedAt: now });
      if (since === now) logger.warn({ err }, "not ready");
      else logger.warn({ err, seconds: secondsSince(since) }, "still not ready");
    }
    if (!wasReady && this.known.size === 0) logger.info("ready again");
  }
}

/** Time after which a dependency without a response counts as missing. */
const READY_MILLISECONDS = 900;
/** Requests share one result for this long, so that they do not load the database. */
const RENEWED_MILLISECONDS = 1000;

/** Rejects if a dependency of the service is missing. */
type Check = () => Promise<void>;

/** The missing dependencies by name, each with the reason. */
type Missing = ReadonlyMap<string, unknown>;

/** Needs of the service besides a database and an issuer that respond. */
interface Needed {
  /** Number of migrations that the database must have recorded. */
  readonly migrations: number;
  readonly checks: Readonly<Record<string, Check>>;
}

/** Checks the dependencies of the service at most once a second. */
export class Readiness {
  private checked: { readonly at: number; readonly missing: Promise<Missing> } | null = null;

  constructor(
    private readonly runtime: ServiceRuntime,
    private readonly needed: Needed,
  ) {}

  /** Returns the missing dependencies, as of at most a second ago. */
  findMissing(): Promise<Missing> {
    const at = this.runtime.elapsed();
    if (this.checked === null || at - this.checked.at >= RENEWED_MILLISECONDS)
      this.checked = { at, missing: this.check() };
    return this.checked.missing;
  }

  private async check(): Promise<Missing> {
    const { authentication } = this.runtime;
    const { checks } = this.needed;
    const missing = new Map<string, unknown>();
    const look = async (name: string, check: Check, asLogged: (error: unknown) => unknown) =>
      withTimeout(check(), READY_MILLISECONDS).catch((error: unknown) => {
        missing.set(name, asLogged(error));
      });
    const asItIs = (error: unknown): unknown => error;
    await Promise.all([
      look("database", async () => this.checkDatabase(), asItIs),
      look("issuer", async () => authentication.checkReady(), asItIs),
      ...Object.entries(checks).map(async ([name, check]) => {
        const named = (cause: unknown) => new Error(`The check ${name} failed`, { cause });
        return look(`check ${name}`, async () => runCustom(`check ${name}`, check), named);
      }),
    ]);
    return missing;
  }

  private async checkDatabase(): Promise<void> {
    const { database } = this.runtime;
    await database.check();
    const recorded = await database.migrations();
    if (recorded.length < this.needed.migrations)
      throw new Error("The database has lost its migrations.");
  }
}
