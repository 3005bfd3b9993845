import { setTimeout as pause } from "node:timers/promises";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { StartRefusal } from "../../base/errors.js";
import {
  unexpectedRowChanges,
  UnexpectedRowChange,
  type RowCounts,
  convertRows,
  fillSearch,
} from "../migrations/state.js";
import type { SchemaChange } from "../database.js";
import { asSubquery, isCheck, readScript, type MigrationStatement } from "../migrations/folder.js";
import {
  type Migration,
  type RecordedMigration,
  MOST_IDENTIFIERS,
  type FoundRow,
  type FoundRows,
  type MigrationRun,
  type Migrator,
  type RowConverter,
} from "../migrations/migration.js";
import {
  applyMigrations,
  type MigrationOptions,
  type MigrationReport,
} from "../migrations/migrations.js";
import { RAISE_FENCE, RELEASE_TABLES, servingQuery } from "../releases.js";
import { isLocked, connectSqlite, type SqliteConnection } from "./module.js";
import { openSqlite } from "./sqlite.js";

/** Applies migrations to a temporary copy of a file. Throws `StartRefusal`. */
export async function rehearseSqlite(
  path: string,
  folder: URL,
  options: MigrationOptions,
): Promise<MigrationReport> {
  const place = mkdtempSync(join(tmpdir(), "rehearsal-"));
  try {
    const copy = join(place, basename(path));
    const connection = await connectSqlite(path);
    try {
      connection.prepare("VACUUM INTO ?").run(copy);
    } finally {
      connection.close();
    }
    const database = await openSqlite(copy);
    try {
      // Running processes use the original file, not the copy.
      await database.write([{ sql: `DELETE FROM "schema_releases"`, values: [] }]);
      return await applyMigrations(database, folder, options);
    } finally {
      await database.close();
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const HISTORY = `CREATE TABLE IF NOT EXISTS "schema_migrations" (
  "name" TEXT PRIMARY KEY NOT NULL,
  "digest" TEXT NOT NULL,
  "applied_date" TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS "schema_storage" (
  "name" TEXT PRIMARY KEY NOT NULL,
  "fingerprint" TEXT NOT NULL,
  "model" TEXT NOT NULL
);
${RELEASE_TABLES.join(";\n")}`;
const RECORD = `INSERT INTO "schema_migrations" ("name", "digest", "applied_date")
  VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
  ON CONFLICT ("name") DO UPDATE SET "digest" = excluded."digest"`;
const RECORD_STORAGE = `INSERT OR REPLACE INTO "schema_storage" ("name", "fingerprint", "model")
  VALUES (?, ?, ?)`;
const RECORDED = `SELECT "name", "digest", "fingerprint", "model",
  EXISTS (SELECT 1 FROM "schema_fence" WHERE "migration" = "name") AS "retires"
  FROM "schema_migrations" LEFT JOIN "schema_storage" USING ("name") ORDER BY "name"`;
/** Excludes the shadow tables of full-text indexes. */
const TABLES = `SELECT "name" FROM pragma_table_list WHERE "schema" = 'main' AND "type" = 'table'
  AND substr("name", 1, 7) <> 'sqlite_' AND "name" NOT IN ('schema_migrations', 'schema_storage', 'schema_releases', 'schema_fence')`;
const MISSING = /^no such (?:table|column)/;
const CHANGES = "SELECT total_changes() AS changes";
const BYTES = `SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`;
const DANGLING = `SELECT "table", COUNT(*) AS rows FROM pragma_foreign_key_check() GROUP BY "table"`;
/** Inside a single transaction, batches have no advantage. */
const NO_LIMIT = "-1";
/** Attempts of one second each, since a migration of another process takes longer than a write: 5 minutes. */
const MOST_ATTEMPTS = 300;
/** The pause between two checks of the leases of older releases. */
const RETIRING_MILLISECONDS = 100;

export function createSqliteHistory(connection: SqliteConnection): void {
  connection.exec(HISTORY);
}

/** Returns the recorded migrations, ordered by name. */
export function readSqliteHistory(connection: SqliteConnection): readonly RecordedMigration[] {
  return connection
    .prepare(RECORDED)
    .all()
    .map(({ name, digest, fingerprint, model, retires }) => ({
      // The effects of a hand-written migration are unknown.
      isEarly: model !== null && retires === 0,
      name: String(name),
      digest: String(digest),
      storage: model === null ? null : { fingerprint: String(fingerprint), model: String(model) },
      done: null,
    }));
}

/**
 * Runs `work` in one transaction, which excludes all other writers: a run of migrations is applied completely or not at all.
 */
export async function migrateSqlite<T>(
  connection: SqliteConnection,
  { isRebuilding, onLocked }: SchemaChange,
  work: (migrator: Migrator) => Promise<T>,
): Promise<T> {
  // Inside a transaction this pragma has no effect. Without it, dropping a table can delete the children of its rows.
  if (isRebuilding) connection.exec("PRAGMA foreign_keys = OFF");
  try {
    await begin(connection, onLocked);
    const result = await work(new SqliteMigrator(connection));
    if (isRebuilding) refuseDangling(connection);
    connection.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(connection);
    throw error;
  } finally {
    if (isRebuilding) connection.exec("PRAGMA foreign_keys = ON");
  }
}

async function begin(connection: SqliteConnection, onLocked?: () => void): Promise<void> {
  for (let wait = 1; ; wait += 1) {
    try {
      connection.exec("BEGIN IMMEDIATE");
      return;
    } catch (error) {
      if (!isLocked(error) || wait >= MOST_ATTEMPTS) throw error;
      if (wait === 1) onLocked?.();
    }
    // Lets the process handle a signal to stop.
    await new Promise(setImmediate);
  }
}

function rollBack(connection: SqliteConnection): void {
  try {
    connection.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back by itself, or the transaction never began. The original error is the one to report.
  }
}

function refuseDangling(connection: SqliteConnection): void {
  const [first] = connection.prepare(DANGLING).all();
  if (first === undefined) return;
  throw new StartRefusal(
    `The migrations would leave ${first["rows"]} references of the table ${first["table"]} that point to something that does not exist, so that nothing was changed.`,
  );
}

class SqliteMigrator implements Migrator {
  constructor(private readonly connection: SqliteConnection) {}

  async history(): Promise<readonly RecordedMigration[]> {
    return readSqliteHistory(this.connection);
  }

  async find(sql: string): Promise<FoundRows | null> {
    const found = asSubquery(sql);
    const first = await this.rows(`SELECT * FROM ${found} LIMIT ${MOST_IDENTIFIERS}`);
    if (first === null) return null;
    if (first.length === 0) return { count: 0, identifiers: [] };
    const counted = this.connection.prepare(`SELECT COUNT(*) AS count FROM ${found}`).get();
    const identifiers = first.map((row) => String(Object.values(row)[0]));
    return { count: Number(counted?.["count"]), identifiers };
  }

  async rows(sql: string): Promise<readonly FoundRow[] | null> {
    try {
      return this.connection.prepare(sql).all();
    } catch (error) {
      if (error instanceof Error && MISSING.test(error.message)) return null;
      throw error;
    }
  }

  async run(
    migration: Migration,
    { tell, isFinishing, convert = null }: MigrationRun,
  ): Promise<void> {
    if (migration.retiresOlder) {
      if (!isFinishing) return;
      await this.retireOlder(migration);
    }
    const statements = readScript(migration.script).filter((statement) => !isCheck(statement));
    const before = this.counts();
    for (const [index, statement] of statements.entries()) {
      const started = performance.now();
      const rows = await this.perform(migration, statement, convert);
      const milliseconds = performance.now() - started;
      const { what } = statement;
      const [number, of] = [index + 1, statements.length];
      const event = { migration: migration.name, what, number, of, milliseconds, rows };
      await tell(event, async () => this.bytes());
    }
    const changes = unexpectedRowChanges(migration, before, this.counts());
    if (changes.length > 0) throw refused(migration, new UnexpectedRowChange(changes));
    await this.record(migration);
  }

  /** Retires older releases, and waits until their leases have expired: this transaction blocks their heartbeats. */
  private async retireOlder({ name }: Migration): Promise<void> {
    this.connection.prepare(RAISE_FENCE).run(name);
    const query = this.connection.prepare(servingQuery("sqlite"));
    while (query.get() !== undefined) await pause(RETIRING_MILLISECONDS);
  }

  async record({ name, digest, storage }: Migration): Promise<void> {
    this.connection.prepare(RECORD).run(name, digest);
    if (storage === null) return;
    this.connection.prepare(RECORD_STORAGE).run(name, storage.fingerprint, storage.model);
  }

  private bytes(): number {
    return Number(this.connection.prepare(BYTES).get()?.["bytes"]);
  }

  /** Returns the number of changed rows. */
  private async perform(
    migration: Migration,
    { kind, sql }: MigrationStatement,
    convert: RowConverter | null,
  ): Promise<number> {
    const before = this.changes();
    try {
      if (kind === "convert") {
        return await convertRows(this, sql, convert, async (update, values) =>
          this.connection.prepare(update).run(...values),
        );
      }
      if (kind === "fill" || kind === "refill") {
        return await fillSearch(this, sql, {
          dialect: "sqlite",
          change: async (insert, values) => this.connection.prepare(insert).run(...values),
          part: (work) => work(),
        });
      }
      this.connection.exec(kind === "batch" ? sql.replaceAll(":limit", NO_LIMIT) : sql);
    } catch (error) {
      throw refused(migration, error);
    }
    return this.changes() - before;
  }

  private changes(): number {
    return Number(this.connection.prepare(CHANGES).get()?.["changes"]);
  }

  private counts(): RowCounts {
    const names = this.connection.prepare(TABLES).all();
    return new Map(
      names.map(({ name }) => {
        const table = `"${String(name).replaceAll('"', '""')}"`;
        const row = this.connection.prepare(`SELECT COUNT(*) AS count FROM ${table}`).get();
        return [String(name), Number(row?.["count"])];
      }),
    );
  }
}

function refused({ name }: Migration, error: unknown): StartRefusal {
  const reason = error instanceof Error ? error.message : String(error);
  return new StartRefusal(
    `Migration ${name} could not be applied, and nothing of it was: ${reason}.`,
    { cause: error },
  );
}
