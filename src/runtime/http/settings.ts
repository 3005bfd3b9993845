import type { FastifyBaseLogger } from "fastify";

import type { AuthenticationSettings, Authentication } from "../auth/authentication.js";
import type { Background } from "../base/background.js";
import type { Warnings } from "./log.js";
import type { Clock, Stopwatch } from "../base/time.js";
import type { Database } from "../store/database.js";
import type { RowConverter } from "../store/migrations/migration.js";
import type { HttpRoute } from "./routes.js";
import type { RequestContext } from "./request.js";

/** Bounds of a request and of the memory that requests share (LIM-1). */
export interface Limits {
  readonly bodyBytes: number;
  readonly urlBytes: number;
  readonly headerBytes: number;
  readonly requestSeconds: number;
  readonly jsonDepth: number;
  /** Number of properties and array items in one body. */
  readonly jsonValues: number;
  readonly arrayItems: number;
  readonly stringCharacters: number;
  /** Bytes of the rows of a page. */
  readonly pageBytes: number;
  /** Bytes of all bodies that are being received. The bodies of queued requests have the same limit of their own. */
  readonly receivingBytes: number;
  /** Bytes of all large responses that clients have not read yet. */
  readonly sendingBytes: number;
  /**
   * Usual maximum number of concurrent requests (LIM-2). A busy process runs fewer, and one that mostly waits up to five times
   * as many.
   */
  readonly concurrentRequests: number;
  /** Maximum number of requests of one caller (LIM-2). Null means no limit. */
  readonly requestsPerMinute: number | null;
}

/** One version of the API (VER-1, VER-5). */
export interface VersionSettings {
  /** `v1` */
  readonly name: string;
  readonly status: "draft" | "published" | "deprecated" | "retired";
  /** The date from which the version is deprecated: `2026-09-01` (VER-4). */
  readonly deprecated?: string;
  /** The date from which the version may be gone. */
  readonly sunset?: string;
  /** The OpenAPI document in JSON: a file URL or an absolute path. The document of a retired version does not exist. */
  readonly document: URL | string;
}

/** Returns the versions that are not retired (VER-4). */
export function servedVersions(versions: readonly VersionSettings[]): readonly VersionSettings[] {
  return versions.filter(({ status }) => status !== "retired");
}

/** The origins whose pages may call the service from a browser. */
export interface CorsSettings {
  /** `https://app.example.com`, or `*` for any origin. */
  readonly origins: readonly string[];
}

/** The settings of the whole service that come from the schemas. */
export interface ServiceSettings {
  /** `helpdesk`. The default database file has this name. */
  readonly service: string;
  readonly title: string;
  /** `/api`, without a trailing slash. */
  readonly basePath: string;
  /** Ascending by number. */
  readonly versions: readonly VersionSettings[];
  readonly limits: Limits;
  /** Defaults to no other origin. */
  readonly cors?: CorsSettings;
  /** AUT-1 */
  readonly authentication: AuthenticationSettings;
  /** REP-5 */
  readonly pretty: boolean;
  /** IDN-3 */
  readonly identifiers: "ordered" | "random";
}

/** The parts of the runtime that the resources of a service use. */
export interface ServiceRuntime {
  readonly settings: ServiceSettings;
  readonly database: Database;
  readonly clock: Clock;
  /** Monotonic time source of limits and caches, because `clock` may be set back. */
  readonly elapsed: Stopwatch;
  readonly newIdentifier: () => string;
  readonly logger: FastifyBaseLogger;
  readonly authentication: Authentication;
  /** Work that continues after responses, such as `afterCommit`. */
  readonly background: Background;
  readonly warnings: Warnings;
}

/** The delivery of events while the service listens (EVT-1). */
export interface EventWork {
  start(): void;
  /** Resolves when no delivery is running any more, or after a few seconds. */
  stop(): Promise<void>;
  /** Returns the events whose delivery was given up, oldest first. */
  failures(): Promise<readonly EventFailure[]>;
  /** Delivers an event now. Resolves with the reason of a failure, or with null on success or if the event is gone. */
  retry(failure: EventFailure): Promise<string | null>;
  drop(failure: EventFailure): Promise<void>;
}

/** An event whose delivery to one sink was given up. */
export interface EventFailure {
  readonly id: string;
  readonly sink: string;
  /** `shop.v1.orders.created` */
  readonly type: string;
  readonly entityId: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly failed: number;
}

/** The resources of a service on one database. */
export interface OpenService<OwnContext = object> {
  /** The routes of all versions. */
  readonly routes: readonly HttpRoute[];
  /** Returns the context for custom code. */
  readonly contextOf: (request: RequestContext) => OwnContext;
  /** Delivers events to the sinks of src/app.ts. Missing if no resource announces changes (EVT-1). */
  events?(sinks: object): EventWork;
}

/** A generated service, as the runtime starts it. */
export interface ServiceRegistry<Provided extends object = object, OwnContext = object> {
  /** The version of the runtime's interface that the code was generated for: `v1`. */
  readonly madeFor: string;
  readonly settings: ServiceSettings;
  /** The folder of the migrations: `<name>/<dialect>.sql`. */
  readonly migrations: URL;
  /** Custom conversion of rows in migrations (VER-2). Defaults to none. */
  readonly convert?: RowConverter;
  /** Opens the resources. `provided` is added to the context that every service has for custom code. */
  open(runtime: ServiceRuntime, provided: Provided): OpenService<OwnContext>;
}
