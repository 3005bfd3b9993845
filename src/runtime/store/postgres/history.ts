import { withRetries, type SqlRow, type SqlValue } from "../database.js";
import { statementDigest, type MigrationStatement } from "../migrations/folder.js";
import type { AppliedMigration, Migration, RecordedMigration } from "../migrations/migration.js";
import { RAISE_FENCE, RELEASE_TABLES } from "../releases.js";
import type { PostgresClient } from "./client.js";
import { isTransient, sqlState } from "./errors.js";
import { numbered } from "./statements.js";

const TABLES = [
  `CREATE TABLE IF NOT EXISTS "schema_migrations" (
  "name" TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  "digest" TEXT NOT NULL,
  "applied_date" TEXT NOT NULL
)`,
  `CREATE TABLE IF NOT EXISTS "schema_storage" (
  "name" TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  "fingerprint" TEXT NOT NULL,
  "model" TEXT NOT NULL
)`,
  `CREATE TABLE IF NOT EXISTS "schema_progress" (
  "name" TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  "digest" TEXT NOT NULL,
  "done" BIGINT NOT NULL,
  "early" BIGINT NOT NULL
)`,
  `CREATE TABLE IF NOT EXISTS "schema_statements" (
  "name" TEXT COLLATE "C" NOT NULL,
  "number" BIGINT NOT NULL,
  "digest" TEXT NOT NULL,
  PRIMARY KEY ("name", "number")
)`,
  `CREATE TABLE IF NOT EXISTS "schema_lock" (
  "id" BIGINT PRIMARY KEY NOT NULL,
  "holder" TEXT NOT NULL,
  "backend" BIGINT NOT NULL,
  "renewed_date" TIMESTAMPTZ NOT NULL
)`,
  ...RELEASE_TABLES,
];
/** The tables of the history, which no migration changes. */
export const HISTORY_TABLES = [
  "schema_migrations",
  "schema_storage",
  "schema_progress",
  "schema_statements",
  "schema_lock",
  "schema_releases",
  "schema_fence",
];

const APPLIED = `SELECT "name", "digest" FROM "schema_migrations" ORDER BY "name"`;
const STORAGE = `SELECT "name", "fingerprint", "model" FROM "schema_storage"`;
const RETIRING = `SELECT "migration" AS "name" FROM "schema_fence"`;
const PROGRESS = `SELECT "name", "digest", "done", "early" FROM "schema_progress"`;
const STATEMENTS = `SELECT "name", "digest" FROM "schema_statements" ORDER BY "name", "number"`;
const NO_SUCH_TABLE = "42P01";
/** Two processes created the same table: unique_violation in the catalog, duplicate_table, duplicate_object. */
const CREATED_CONCURRENTLY = ["23505", "42P07", "42710"];

/** Older releases cannot continue from the first statement on. */
const NEVER_EARLY = -1;

type Ask = (sql: string) => Promise<readonly SqlRow[]>;

export async function readApplied(ask: Ask): Promise<readonly AppliedMigration[]> {
  const rows = await emptyIfMissing(ask(APPLIED));
  return rows.map(({ name, digest }) => ({ name: String(name), digest: String(digest) }));
}

/** All recorded migrations, by name. */
export async function readPostgresHistory(ask: Ask): Promise<readonly RecordedMigration[]> {
  const applied = await readApplied(ask);
  const storage = await byName(ask, STORAGE);
  const progress = await byName(ask, PROGRESS);
  const retiring = await byName(ask, RETIRING);
  const statements = await emptyIfMissing(ask(STATEMENTS));
  const recorded = applied.map((migration) => {
    const stored = storage.get(migration.name);
    return {
      ...migration,
      storage: stored
        ? { fingerprint: String(stored["fingerprint"]), model: String(stored["model"]) }
        : null,
      done: null,
      // The steps of a hand-written migration are unknown.
      isEarly: stored !== undefined && !retiring.has(migration.name),
    };
  });
  const isApplied = new Set(applied.map(({ name }) => name));
  const begun = [...progress].filter(([name]) => !isApplied.has(name));
  return [
    ...recorded,
    ...begun.map(([name, row]) => ({
      name,
      digest: String(row["digest"]),
      storage: null,
      done: Number(row["done"]),
      statements: statements
        .filter((statement) => statement["name"] === name)
        .map(({ digest }) => String(digest)),
      isEarly: Number(row["done"]) <= Number(row["early"]),
    })),
  ].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Creates the missing tables. */
export async function createPostgresHistory(client: PostgresClient): Promise<void> {
  for (const text of TABLES)
    await withRetries(async () => client.query({ text }), isCreatedConcurrently);
}

/** The number of statements that have been run; null if the migration is applied. */
export async function readProgress(
  client: PostgresClient,
  { name }: Migration,
): Promise<number | null> {
  const { rows } = await client.query({
    text: `SELECT (SELECT "done" FROM "schema_progress" WHERE "name" = $1) AS "done",
      EXISTS (SELECT 1 FROM "schema_migrations" WHERE "name" = $1) AS "applied"`,
    values: [name],
  });
  return rows[0]?.["applied"] === 1 ? null : Number(rows[0]?.["done"] ?? 0);
}

/** `early` is the number of statements that older releases can continue with. */
export async function recordBegun(
  client: PostgresClient,
  { name, digest }: Migration,
  early: number,
): Promise<void> {
  await alter(
    client,
    `INSERT INTO "schema_progress" ("name", "digest", "done", "early") VALUES ($1, $2, 0, $3)
    ON CONFLICT ("name") DO UPDATE SET "digest" = excluded."digest", "early" = excluded."early"
    WHERE "schema_progress"."digest" <> excluded."digest" AND "schema_progress"."early" <> $4`,
    [name, digest, early, NEVER_EARLY],
  );
}

/**
 * Retires older releases: from the commit on they cannot start, and each of their transactions fails. Waits for transactions
 * that have checked before.
 */
export async function recordRetired(client: PostgresClient, migration: Migration): Promise<void> {
  await alter(client, `LOCK TABLE "schema_fence" IN ACCESS EXCLUSIVE MODE`, []);
  await alter(client, numbered(RAISE_FENCE), [migration.name]);
  await recordBegun(client, migration, NEVER_EARLY);
  const text = `UPDATE "schema_progress" SET "early" = $2 WHERE "name" = $1`;
  await alter(client, text, [migration.name, NEVER_EARLY]);
}

/** Lets older releases start again, because nothing incompatible with them was done. */
export async function recordWithdrawn(
  client: PostgresClient,
  { name }: Migration,
  early: number,
): Promise<void> {
  // The number stays, since releases that have seen it have stopped.
  await alter(client, `UPDATE "schema_fence" SET "migration" = '' WHERE "migration" = $1`, [name]);
  const text = `UPDATE "schema_progress" SET "early" = $2 WHERE "name" = $1`;
  await alter(client, text, [name, early]);
}

/** Records one more statement. False if another process has run it. */
export async function recordStep(
  client: PostgresClient,
  { name }: Migration,
  { statement, done }: { readonly statement: MigrationStatement; readonly done: number },
): Promise<boolean> {
  const text = `UPDATE "schema_progress" SET "done" = $3 WHERE "name" = $1 AND "done" = $2`;
  if ((await alter(client, text, [name, done, done + 1])) !== 1) return false;
  const note = `INSERT INTO "schema_statements" ("name", "number", "digest") VALUES ($1, $2, $3)`;
  await alter(client, note, [name, done, statementDigest(statement)]);
  return true;
}

export async function recordApplied(
  client: PostgresClient,
  { name, digest, storage }: Migration,
): Promise<void> {
  await alter(client, `DELETE FROM "schema_progress" WHERE "name" = $1`, [name]);
  await alter(client, `DELETE FROM "schema_statements" WHERE "name" = $1`, [name]);
  await alter(
    client,
    `INSERT INTO "schema_migrations" ("name", "digest", "applied_date") VALUES ($1, $2, $3)
  ON CONFLICT ("name") DO UPDATE SET "digest" = excluded."digest"`,
    [name, digest, new Date().toISOString()],
  );
  if (storage === null) return;
  await alter(
    client,
    `INSERT INTO "schema_storage" ("name", "fingerprint", "model") VALUES ($1, $2, $3)
  ON CONFLICT ("name") DO UPDATE SET "fingerprint" = excluded."fingerprint", "model" = excluded."model"`,
    [name, storage.fingerprint, storage.model],
  );
}

async function alter(
  client: PostgresClient,
  text: string,
  values: readonly SqlValue[],
): Promise<number | null> {
  return (await client.query({ text, values })).rowCount;
}

async function byName(ask: Ask, sql: string): Promise<ReadonlyMap<string, SqlRow>> {
  const rows = await emptyIfMissing(ask(sql));
  return new Map(rows.map((row) => [String(row["name"]), row]));
}

/** A new database has none of the tables, and one of an older release lacks some. */
async function emptyIfMissing(asked: Promise<readonly SqlRow[]>): Promise<readonly SqlRow[]> {
  try {
    return await asked;
  } catch (error) {
    if (sqlState(error) === NO_SUCH_TABLE) return [];
    throw error;
  }
}

function isCreatedConcurrently(error: unknown): boolean {
  return isTransient(error) || CREATED_CONCURRENTLY.includes(sqlState(error) ?? "");
}
