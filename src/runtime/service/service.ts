/**
 * Assembles and runs a service: database, migrations, routes, events, start and stop. Start here; start.ts is the process around
 * it, app.ts and custom-routes.ts the custom parts of a service, environment.ts its variables, documents.ts its OpenAPI and
 * docs, migrate.ts and events-command.ts its commands. Nothing here knows an entity.
 */
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";

import {
  type AuthenticationSettings,
  createAuthentication,
  serviceCaller,
  type Caller,
} from "../auth/authentication.js";
import { Background, withTimeout } from "../base/background.js";
import { StartRefusal } from "../base/errors.js";
import { identifierSource } from "../base/identifiers.js";
import { checkMadeFor } from "../base/package.js";
import { processTime, type Clock, type Stopwatch } from "../base/time.js";
import { Warnings, type LoggerOptions } from "../http/log.js";
import { healthRoutes, Readiness } from "../http/health.js";
import { IdempotentRequests, removeExpiredKeys } from "../http/idempotency.js";
import { JobContext } from "../http/request.js";
import { DOCS_PATH } from "../http/routes.js";
import { HttpTransport } from "../http/server.js";
import type { EventWork, ServiceRuntime, OpenService, ServiceRegistry } from "../http/settings.js";
import { withoutRetired } from "../http/deprecation.js";
import type { Database } from "../store/database.js";
import { openDatabase } from "../store/open-database.js";
import { addPlugins, ownRoutes, type DeclaredRoute } from "./custom-routes.js";
import { documentRoutes, pageRoutes } from "./documents.js";
import { migrateAtStart } from "./migrate.js";

/** Time for running requests before the service stops without them. */
const DRAIN_MILLISECONDS = 9000;

/** Minimum time for custom code that runs after the last response. */
const LEAST_BACKGROUND_MILLISECONDS = 500;

/** Connections that wait in the operating system, which has a bound of its own. */
const BACKLOG = 4096;
const DEFAULT_CONNECTIONS = 10;

/** Adds plugins, or routes outside the contract. Prefer src/app.ts for both. */
export type Configure = (app: FastifyInstance) => void | Promise<void>;

/** The additions of custom code to a service. */
export interface Extension {
  /** Added to the context of custom code. */
  readonly provided: object;
  /** Run before every route. */
  readonly plugins?: Configure;
  readonly routes: readonly DeclaredRoute[];
  /** Each check rejects if a dependency of the service is missing. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /** The sinks of events (EVT-1). */
  readonly events?: object;
  /** Called after the last response and before the database is closed. */
  onStop(): void | Promise<void>;
}

const NO_EXTENSION: Extension = { provided: {}, routes: [], checks: {}, onStop: () => undefined };

/** Options of a service. Tests replace the clock, the identifiers and the database. */
export interface ServiceOptions {
  /** Defaults to `sqlite::memory:`. */
  readonly databaseUrl?: string;
  /** The size of the connection pool for PostgreSQL. Defaults to 10. */
  readonly databaseConnections?: number;
  /** False to refuse a database that lacks a migration. Defaults to true. */
  readonly migrateAtStart?: boolean;
  /** Time that a start waits for older releases to stop before an incompatible migration. Defaults to 30. */
  readonly migrateWaitSeconds?: number;
  /** Defaults to `127.0.0.1`. */
  readonly host?: string;
  /** Defaults to 0: any free port. */
  readonly port?: number;
  /** Without a trailing slash. Defaults to null: the address on which the service listens. */
  readonly baseUrl?: string | null;
  /** Defaults to `silent`. */
  readonly logLevel?: string;
  /** Number of proxies in front of the service whose `X-Forwarded-For` is trusted (LIM-2). Defaults to 0. */
  readonly trustedProxies?: number;
  /** Authentication of callers. Defaults to the settings of service.yaml (AUT-1). */
  readonly authentication?: AuthenticationSettings;
  readonly clock?: Clock;
  /** Time source of caches and readiness. Defaults to the elapsed time of this process. */
  readonly elapsed?: Stopwatch;
  readonly newIdentifier?: () => string;
  /** Runs after the contract's routes are added. */
  readonly configure?: Configure;
  readonly logger?: LoggerOptions;
  readonly extension?: Extension;
}

/** A service that is ready to listen. */
export interface Service {
  readonly app: FastifyInstance;
  /** The base URL. Unless it was given, it is known once the service listens. */
  readonly url: string;
  /** Null if no resource has events (EVT-1). */
  readonly events: EventWork | null;
  /** Returns the context of a job. A job without a caller may do everything. */
  jobContext(caller?: Caller): object;
  /** Starts listening and returns the base URL. Throws `StartRefusal` if the address is not available. */
  listen(): Promise<string>;
  /** Finishes the running requests and releases everything. All calls wait for the same stop. */
  close(): Promise<void>;
}

/** Opens the database, applies the migrations and creates the routes, without listening. Throws `StartRefusal`. */
export async function createService(
  registry: ServiceRegistry,
  options: ServiceOptions = {},
): Promise<Service> {
  checkMadeFor(registry.madeFor);
  const database = await openDatabase({
    url: options.databaseUrl ?? "sqlite::memory:",
    connections: options.databaseConnections ?? DEFAULT_CONNECTIONS,
    requestSeconds: registry.settings.limits.requestSeconds,
    name: registry.settings.service,
  });
  try {
    return await assemble(registry, options, database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function assemble(
  registry: ServiceRegistry,
  options: ServiceOptions,
  database: Database,
): Promise<Service> {
  const { settings } = registry;
  const transport = new HttpTransport(settings, options);
  const { app } = transport;
  database.reportTo?.(app.log);
  const { clock = Date.now, elapsed = processTime, extension = NO_EXTENSION } = options;
  const runtime: ServiceRuntime = {
    settings,
    database,
    ...{ clock, elapsed },
    authentication: await createAuthentication(options.authentication ?? settings.authentication, {
      clock,
      elapsed,
      logger: app.log,
    }),
    newIdentifier: options.newIdentifier ?? identifierSource(settings.identifiers),
    logger: app.log,
    background: new Background(),
    warnings: new Warnings(elapsed),
  };
  const known = await migrateAtStart(database, registry, options, app.log);
  await addPlugins(app, extension.plugins);
  const opened = registry.open(runtime, extension.provided);
  const readiness = new Readiness(runtime, { migrations: known, checks: extension.checks });
  const service = new RunningService({ transport, runtime, options, extension, opened });
  const prefix = new URL(options.baseUrl ?? "http://localhost").pathname.replace(/\/$/, "");
  const own = [
    ...opened.routes,
    ...(await documentRoutes(settings, prefix)),
    ...pageRoutes(settings, prefix),
    ...healthRoutes({ pretty: settings.pretty, elapsed, service, readiness }),
  ];
  const added = ownRoutes(extension.routes, own, runtime, opened.contextOf);
  // Responses are stored only if the schemas have a POST operation (OPS-12).
  const answers = opened.routes.some(({ handlers }) => handlers.POST !== undefined)
    ? new IdempotentRequests(runtime)
    : null;
  const routes = [...own, ...withoutRetired(added, settings, app.log)];
  transport.serve(routes, runtime, { baseUrl: () => service.url, answers });
  if (extension.plugins !== undefined) transport.refuseByRoute();
  if (answers !== null) removeExpiredKeys(app, runtime);
  if (service.events !== null) deliverEvents(app, service.events);
  await options.configure?.(app);
  await app.ready();
  return service;
}

/** Delivers events while the service listens (EVT-1). */
function deliverEvents(app: FastifyInstance, work: EventWork): void {
  app.addHook("onListen", async () => work.start());
  app.addHook("onClose", async () => work.stop());
}

interface Running {
  readonly transport: HttpTransport;
  readonly runtime: ServiceRuntime;
  readonly options: ServiceOptions;
  readonly extension: Extension;
  readonly opened: OpenService;
}

class RunningService implements Service {
  /** The stop that all calls of `close` share. Null before the first call. */
  private stopping: Promise<void> | null = null;
  private listeningUrl = "";

  private readonly transport: HttpTransport;
  private readonly runtime: ServiceRuntime;
  private readonly options: ServiceOptions;
  private readonly extension: Extension;
  readonly events: EventWork | null;

  constructor(private readonly running: Running) {
    this.transport = running.transport;
    this.runtime = running.runtime;
    this.options = running.options;
    this.extension = running.extension;
    this.events = running.opened.events?.(running.extension.events ?? {}) ?? null;
  }

  get app(): FastifyInstance {
    return this.transport.app;
  }

  get url(): string {
    return this.options.baseUrl ?? this.listeningUrl;
  }

  jobContext(caller?: Caller): object {
    const { settings, newIdentifier } = this.runtime;
    const job = new JobContext(
      newIdentifier(),
      caller ?? serviceCaller(settings.service),
      this.runtime,
    );
    return this.running.opened.contextOf(job);
  }

  async listen(): Promise<string> {
    const { app, options, runtime } = this;
    const { host = "127.0.0.1", port = 0 } = options;
    await app.listen({ host, port, backlog: BACKLOG }).catch((error: unknown) => {
      throw new StartRefusal(listenRefusal(error, host, port), { cause: error });
    });
    this.listeningUrl = urlOf(app);
    const { title } = runtime.settings;
    app.log.info(`${title}${IS_AT}${this.url}, its documentation at ${this.url}${DOCS_PATH}`);
    return this.url;
  }

  get isStopping(): boolean {
    return this.stopping !== null;
  }

  close(): Promise<void> {
    this.stopping ??= this.stop();
    return this.stopping;
  }

  private async stop(): Promise<void> {
    const { app, transport } = this;
    const began = performance.now();
    const cut = setTimeout(() => {
      app.log.warn("requests still in flight are cut off");
      app.server.closeAllConnections();
    }, DRAIN_MILLISECONDS);
    await transport.drain();
    clearTimeout(cut);
    await this.endBackground(DRAIN_MILLISECONDS - (performance.now() - began));
    try {
      await app.close();
      await this.extension.onStop();
    } finally {
      await this.runtime.database.close();
      // A job never listens.
      if (this.listeningUrl !== "") app.log.info(`${this.runtime.settings.title} has stopped`);
      await transport.flushLog();
    }
  }

  /** Waits a limited time for code that runs after responses. */
  private async endBackground(milliseconds: number): Promise<void> {
    const { background, logger } = this.runtime;
    const time = Math.max(milliseconds, LEAST_BACKGROUND_MILLISECONDS);
    await withTimeout(background.settled(), time).catch((error: unknown) => {
      logger.warn({ err: error }, "stopping before all code that runs after a response has ended");
    });
  }
}

function urlOf(app: FastifyInstance): string {
  // A service listens on an address, never on a socket file.
  const { address, family, port } = app.server.address() as AddressInfo;
  if (address === "0.0.0.0" || address === "::") return `http://localhost:${port}`;
  return family === "IPv6" ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}

function listenRefusal(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `Port ${port} of ${host} is in use. Set PORT to another one.`;
  if (code === "EACCES")
    return `Port ${port} of ${host} may not be used by this user. Set PORT to another one.`;
  return `HOST ${host} is not an address of this machine that can be listened on.`;
}

/** Separates the title of a service from its URL in the log line of its start. Tests wait for it. */
export const IS_AT = " is at ";
