import type { FastifyBaseLogger } from "fastify";

import type { AuthenticationSettings, Authentication } from "../auth/authentication.js";
import type { Background } from "../base/background.js";
import type { Warnings } from "../base/warnings.js";
import type { Clock, Stopwatch } from "../base/time.js";
import type { Database } from "../store/database.js";
import type { RowConverter } from "../store/migrations/migration.js";
import type { HttpRoute } from "./routes.js";
import type { RequestContext } from "./request.js";

/** LIM-1: what a request may be. */
export interface Limits {
  readonly bodyBytes: number;
  readonly urlBytes: number;
  readonly headerBytes: number;
  readonly requestSeconds: number;
  readonly jsonDepth: number;
  /** Properties and items of arrays in one body. */
  readonly jsonValues: number;
  readonly arrayItems: number;
  readonly stringCharacters: number;
  /** Of the rows of a page. */
  readonly pageBytes: number;
  /** Of all bodies that are being received. */
  readonly receivingBytes: number;
  /** Of all large answers that have not been read. */
  readonly sendingBytes: number;
  /** LIM-2: worked on at a time. */
  readonly concurrentRequests: number;
  /** LIM-2: of one caller; null: any number. */
  readonly requestsPerMinute: number | null;
}

/** One version that the service serves (VER-1, VER-5). */
export interface VersionSettings {
  /** `v1` */
  readonly name: string;
  readonly status: "draft" | "published" | "deprecated" | "retired";
  /** The date from which it is deprecated: `2026-09-01` (VER-4). */
  readonly deprecated?: string;
  /** The date from which it may be gone. */
  readonly sunset?: string;
  /** Its OpenAPI document, JSON: a file URL, or an absolute path; a retired version has none. */
  readonly document: URL | string;
}

/** The versions that are answered in another way than by 410 (VER-4). */
export function servedVersions(versions: readonly VersionSettings[]): readonly VersionSettings[] {
  return versions.filter(({ status }) => status !== "retired");
}

/** Whose pages may call the service from a browser. */
export interface CorsSettings {
  /** `https://app.example.com`; `*` is any. */
  readonly origins: readonly string[];
}

/** What the schemas decide about the whole service. */
export interface ServiceSettings {
  /** `helpdesk`: names the default database file. */
  readonly service: string;
  readonly title: string;
  /** `/api`, without a trailing slash. */
  readonly basePath: string;
  /** Ascending by number. */
  readonly versions: readonly VersionSettings[];
  readonly limits: Limits;
  /** Left out: no page of another origin may call it. */
  readonly cors?: CorsSettings;
  /** AUT-1 */
  readonly authentication: AuthenticationSettings;
  /** REP-5 */
  readonly pretty: boolean;
  /** IDN-3 */
  readonly identifiers: "ordered" | "random";
}

/** What the runtime gives to the resources of a service. */
export interface ServiceRuntime {
  readonly settings: ServiceSettings;
  readonly database: Database;
  readonly clock: Clock;
  /** What limits and caches measure time with: the clock may be set back. */
  readonly elapsed: Stopwatch;
  readonly newIdentifier: () => string;
  readonly logger: FastifyBaseLogger;
  readonly authentication: Authentication;
  /** What the service's own code does after answers. */
  readonly background: Background;
  readonly warnings: Warnings;
}

/** What delivers the events of a service while it listens (EVT-1). */
export interface EventWork {
  start(): void;
  /** Resolves when nothing is being delivered any more. */
  stop(): Promise<void>;
  /** The events that were given up, the oldest first. */
  failures(): Promise<readonly EventFailure[]>;
  /** Delivers one of them now. Resolves with why it could not be; null: it was, and is forgotten. */
  retry(failure: EventFailure): Promise<string | null>;
  drop(failure: EventFailure): Promise<void>;
}

/** An event that was given up for one of those who were to have it. */
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

/** What the resources of a service are made of, on one database. */
export interface OpenService<OwnContext = object> {
  /** Every route of every version. */
  readonly routes: readonly HttpRoute[];
  /** What the service's own code is given. */
  readonly contextOf: (request: RequestContext) => OwnContext;
  /** Delivers events to what src/app.ts names; left out: no resource announces changes (EVT-1). */
  events?(sinks: object): EventWork;
}

/** Everything that makes one service of the runtime. */
export interface ServiceRegistry<Provided extends object = object, OwnContext = object> {
  /** The module of the runtime that the code was generated for: `v1`. */
  readonly madeFor: string;
  readonly settings: ServiceSettings;
  /** The folder of the migrations: `<name>/<dialect>.sql`. */
  readonly migrations: URL;
  /** What migrations convert by own code (VER-2); left out: nothing. */
  readonly convert?: RowConverter;
  /** `provided` is what own code finds in its context beside what every service has there. */
  open(runtime: ServiceRuntime, provided: Provided): OpenService<OwnContext>;
}
