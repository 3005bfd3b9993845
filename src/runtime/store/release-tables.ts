import type { DialectName, SqlRow, ServingProcess, WriteStep } from "./database.js";

/** The processes that serve, and the migrations after which releases without them can serve no more. */
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

/** A process that was last seen so long ago has no lease: it looks before it shows what it has read. */
export const LAPSED_MILLISECONDS = 7000;
/** Rows of processes that were killed. */
const FORGOTTEN_MILLISECONDS = 86_400_000;

/** SQL: the time by the clock of the database, in milliseconds. */
export const DATABASE_NOW = {
  sqlite: "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
  postgres: "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
} as const;

/** The number of the last migration that retired older releases; no row before the first. */
export const LATEST_FENCE = `SELECT "generation" FROM "schema_fence" ORDER BY "generation" DESC LIMIT 1`;

/** Records a migration that retires older releases. Binds its name. */
export const RAISE_FENCE = `INSERT INTO "schema_fence" ("generation", "migration")
  SELECT COALESCE(MAX("generation"), 0) + 1, CAST(? AS TEXT) FROM "schema_fence"`;

/** Forgets the processes that ended without a word long ago. */
export function forgetStep(dialect: DialectName): WriteStep {
  const sql = `DELETE FROM "schema_releases" WHERE "seen" < ${DATABASE_NOW[dialect]} - ${FORGOTTEN_MILLISECONDS}`;
  return { sql, values: [] };
}

/** Changes one row, or none where a migration after this one has retired older releases. */
export const GUARD = `UPDATE "schema_migrations" SET "name" = "name"
  WHERE "rowid" = (SELECT MIN("rowid") FROM "schema_migrations")
  AND NOT EXISTS (SELECT 1 FROM "schema_fence" WHERE "generation" > ?)`;

/** The processes whose heartbeat is young; after a clock was set back, that of one that was killed is not. */
export function servingQuery(dialect: DialectName): string {
  return `SELECT "id", "release", "host", "process" FROM "schema_releases"
  WHERE ABS("seen" - ${DATABASE_NOW[dialect]}) < ${LAPSED_MILLISECONDS} ORDER BY "host", "process", "id"`;
}

/** One row of `servingQuery`. */
export function servingOf({ id, release, host, process }: SqlRow): ServingProcess {
  return {
    id: String(id),
    release: String(release),
    host: String(host),
    process: Number(process),
  };
}

/** A heartbeat. */
export function beatStep(dialect: DialectName, serving: ServingProcess): WriteStep {
  const { id, release, host, process } = serving;
  return {
    sql: `INSERT INTO "schema_releases" ("id", "release", "host", "process", "seen") VALUES (?, ?, ?, ?, ${DATABASE_NOW[dialect]})
  ON CONFLICT ("id") DO UPDATE SET "seen" = excluded."seen"`,
    values: [id, release, host, process],
  };
}

/** The last word of a process. */
export function endStep(id: string): WriteStep {
  return { sql: `DELETE FROM "schema_releases" WHERE "id" = ?`, values: [id] };
}
