import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import { withTimeout } from "../base/background.js";
import { StartRefusal } from "../base/errors.js";
import {
  StorageUnavailable,
  type DialectName,
  type SqlRow,
  type StorageLog,
  type WriteStep,
  type ServingProcess,
  type Database,
} from "./database.js";
import type { Migration } from "./migrations/migration.js";

const HEARTBEAT_MILLISECONDS = 2000;
/** Migrations wait longer than this after the last heartbeat: see `LAPSED_MILLISECONDS`. */
const LEASE_MILLISECONDS = 6000;
/** If the storage takes longer to record the end, the lease expires by itself. */
const END_MILLISECONDS = 1000;

export class ReleaseRetired extends StorageUnavailable {
  constructor() {
    super(
      "A newer release has migrated the database, and this one cannot read or write what is stored now: " +
        "every request that needs the database is answered with 503. Stop this process, and start the newer release.",
    );
  }
}

interface LeaseDatabase {
  readonly dialect: DialectName;
  /** Resolves once the steps are durable. */
  write(steps: readonly WriteStep[]): Promise<void>;
  /** Reads without a check of the lease. */
  get(sql: string): SqlRow | undefined | Promise<SqlRow | undefined>;
}

/**
 * Keeps a process from reading or writing data that a newer release has migrated. The process records heartbeats. An incompatible
 * migration waits until the process stops, or until its last heartbeat is old. During the lease after a heartbeat, reads are
 * right without a check of the database; after the lease, every read checks. Writes always check, in their transaction.
 */
export class ReleaseLease {
  /** The log for `ReleaseRetired`. */
  log: StorageLog | null = null;
  /** The last migration that had retired older releases when this process was recorded, by its number; null before that. */
  generation: number | null = null;
  private readonly id = randomUUID();
  private release = "";
  private until = Infinity;
  private retired: ReleaseRetired | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: LeaseDatabase) {}

  /** Records this process as running its release; the caller still has to compare the migrations. */
  async begin(release: string): Promise<void> {
    this.release = release;
    // Requests report a storage that takes no writes now. Until a heartbeat succeeds, every read checks.
    this.until = 0;
    await this.record(forgetStep(this.database.dialect)).catch((error: unknown) => {
      if (!(error instanceof StorageUnavailable)) throw error;
    });
    const fence = await this.database.get(LATEST_FENCE);
    this.generation = Number(fence?.["generation"] ?? 0);
    // Requests and /readyz report faults of the storage.
    const beat = (): void => void this.record().catch(() => undefined);
    this.timer = setInterval(beat, HEARTBEAT_MILLISECONDS).unref();
  }

  /** False if rows may have been misread: `checkDatabase` then decides. */
  get holds(): boolean {
    return performance.now() < this.until;
  }

  /** Throws `ReleaseRetired` if this release is known to be retired; makes no query. */
  check(): void {
    if (this.retired !== null) throw this.retired;
  }

  /** Throws `ReleaseRetired` if a newer release has retired this one. */
  async checkDatabase(): Promise<void> {
    this.check();
    if (this.generation === null) return;
    this.judge(await this.database.get(LATEST_FENCE));
  }

  /** `fence` is the last migration that retired older releases. Throws `ReleaseRetired` if it is later than `generation`. */
  judge(fence: SqlRow | undefined): void {
    if (this.generation === null || Number(fence?.["generation"] ?? 0) <= this.generation) return;
    throw this.retire();
  }

  /** Returns steps that fail as `judge` does, for a transaction on another connection. */
  guard(): readonly WriteStep[] {
    if (this.generation === null) return [];
    const otherwise = (): ReleaseRetired => this.retire();
    return [{ sql: GUARD, values: [this.generation], changes: 1, otherwise }];
  }

  /** Marks this release as retired, and logs that once. */
  retire(): ReleaseRetired {
    if (this.retired !== null) return this.retired;
    clearInterval(this.timer);
    this.until = 0;
    this.retired = new ReleaseRetired();
    this.log?.error(this.retired.message);
    return this.retired;
  }

  /** Deletes the heartbeat, so that no migration has to wait for this process. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    if (this.timer === undefined || this.retired !== null) return;
    const ended = this.database.write([endStep(this.id)]);
    await withTimeout(ended, END_MILLISECONDS).catch(() => undefined);
  }

  private async record(...more: readonly WriteStep[]): Promise<void> {
    const began = performance.now();
    const { id, release } = this;
    const serving = { id, release, host: hostname(), process: process.pid };
    await this.database.write([heartbeatStep(this.database.dialect, serving), ...more]);
    if (this.retired === null) this.until = began + LEASE_MILLISECONDS;
  }
}

export const RELEASE_TABLES = [
  `CREATE TABLE IF NOT EXISTS "schema_releases" (
  "id" TEXT PRIMARY KEY NOT NULL,
  "release" TEXT NOT NULL,
  "host" TEXT NOT NULL,
  "process" BIGINT NOT NULL,
  "seen" BIGINT NOT NULL
)`,
  `CREATE TABLE IF NOT EXISTS "schema_fence" (
  "generation" BIGINT PRIMARY KEY NOT NULL,
  "migration" TEXT NOT NULL
)`,
] as const;

/** A process without a heartbeat for this long has no lease: it checks the database before it returns what it has read. */
const LAPSED_MILLISECONDS = 7000;
/** The lifetime of rows of killed processes. */
const FORGOTTEN_MILLISECONDS = 86_400_000;

/** SQL: the time by the clock of the database, in milliseconds. */
export const DATABASE_NOW = {
  sqlite: "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
  postgres: "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
} as const;

/** Selects the number of the last migration that retired older releases; no row if there is none. */
export const LATEST_FENCE = `SELECT "generation" FROM "schema_fence" ORDER BY "generation" DESC LIMIT 1`;

/** Records a migration that retires older releases. Binds its name. */
export const RAISE_FENCE = `INSERT INTO "schema_fence" ("generation", "migration")
  SELECT COALESCE(MAX("generation"), 0) + 1, CAST(? AS TEXT) FROM "schema_fence"`;

function forgetStep(dialect: DialectName): WriteStep {
  const sql = `DELETE FROM "schema_releases" WHERE "seen" < ${DATABASE_NOW[dialect]} - ${FORGOTTEN_MILLISECONDS}`;
  return { sql, values: [] };
}

/** Changes one row, or none if a migration after the bound number has retired older releases. */
const GUARD = `UPDATE "schema_migrations" SET "name" = "name"
  WHERE "rowid" = (SELECT MIN("rowid") FROM "schema_migrations")
  AND NOT EXISTS (SELECT 1 FROM "schema_fence" WHERE "generation" > ?)`;

/**
 * Selects the processes with a recent heartbeat. A heartbeat far in the future does not count: the clock was set back after it.
 */
export function servingQuery(dialect: DialectName): string {
  return `SELECT "id", "release", "host", "process" FROM "schema_releases"
  WHERE ABS("seen" - ${DATABASE_NOW[dialect]}) < ${LAPSED_MILLISECONDS} ORDER BY "host", "process", "id"`;
}

export function servingOf({ id, release, host, process }: SqlRow): ServingProcess {
  return {
    id: String(id),
    release: String(release),
    host: String(host),
    process: Number(process),
  };
}

function heartbeatStep(dialect: DialectName, serving: ServingProcess): WriteStep {
  const { id, release, host, process } = serving;
  return {
    sql: `INSERT INTO "schema_releases" ("id", "release", "host", "process", "seen") VALUES (?, ?, ?, ?, ${DATABASE_NOW[dialect]})
  ON CONFLICT ("id") DO UPDATE SET "seen" = excluded."seen"`,
    values: [id, release, host, process],
  };
}

function endStep(id: string): WriteStep {
  return { sql: `DELETE FROM "schema_releases" WHERE "id" = ?`, values: [id] };
}

const POLL_MILLISECONDS = 500;

/** Waits until no process of an older release is running. Throws `StartRefusal` after `seconds`. */
export async function olderReleasesStopped(
  database: Pick<Database, "serving">,
  migrations: readonly string[],
  seconds: number,
): Promise<void> {
  const last = performance.now() + seconds * 1000;
  for (;;) {
    const older = await database.serving();
    if (older.length === 0) return;
    if (performance.now() >= last) throw stillServing(older, migrations, seconds);
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
}

/** `0001-initial on web-1 (process 42)` */
export function processNames(older: readonly ServingProcess[]): string {
  return older
    .map(({ release, host, process }) => `${release} on ${host} (process ${process})`)
    .join(", ");
}

/** Returns the recorded name of a release: the name of its last migration. */
export function releaseName(migrations: readonly Migration[]): string {
  return migrations.at(-1)?.name ?? "no migration";
}

function stillServing(
  older: readonly ServingProcess[],
  migrations: readonly string[],
  seconds: number,
): StartRefusal {
  const what = migrations.length === 1 ? "Migration" : "Migrations";
  return new StartRefusal(
    `${what} ${migrations.join(", ")} cannot be finished: an older release that could not live with it has gone on serving for ${seconds} s (${processNames(older)}). ` +
      'Stop it, then start this one again; or run "npm run migrate -- --finish", and it answers 503 from then on.',
  );
}
