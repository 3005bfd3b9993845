import { setTimeout as pause } from "node:timers/promises";
import { randomUUID } from "node:crypto";

import { StartRefusal } from "../../base/errors.js";
import {
  unexpectedRowChanges,
  UnexpectedRowChange,
  type RowCounts,
  convertRows,
  fillSearch,
  type RunPart,
  migrationState,
} from "../migrations/state.js";
import {
  asSubquery,
  statementsToRun,
  waits,
  type MigrationStatement,
  readMigrations,
} from "../migrations/folder.js";
import {
  type Migration,
  type RecordedMigration,
  MOST_IDENTIFIERS,
  type FoundRow,
  type FoundRows,
  type MigrationEvent,
  type MigrationRun,
  type Migrator,
  type RowConverter,
} from "../migrations/migration.js";
import {
  applyMigrations,
  type MigrationOptions,
  type MigrationReport,
} from "../migrations/migrations.js";
import { servingQuery } from "../releases.js";
import { type PostgresClient, connectPostgres, type PostgresOptions } from "./client.js";
import { isTransient, sqlState } from "./errors.js";
import {
  HISTORY_TABLES,
  readPostgresHistory,
  readProgress,
  recordApplied,
  recordBegun,
  recordRetired,
  recordStep,
  recordWithdrawn,
  createPostgresHistory,
} from "./history.js";
import { numbered } from "./statements.js";

/** A statement that waits for a table lock blocks all others behind it, so it waits briefly and retries. */
const LOCK_MILLISECONDS = 200;
const PATIENCE_MILLISECONDS = 300_000;
const LONGEST_PAUSE_MILLISECONDS = 2000;
const LOCK_NOT_AVAILABLE = "55P03";

/** Runs a short transaction, and retries while a lock is taken. */
async function inTransaction<T>(client: PostgresClient, work: () => Promise<T>): Promise<T> {
  return retryLocked(async () => {
    await client.query({ text: "BEGIN" });
    try {
      await client.query({ text: `SET LOCAL lock_timeout = ${LOCK_MILLISECONDS}` });
      const result = await work();
      await client.query({ text: "COMMIT" });
      return result;
    } catch (error) {
      // On a lost connection the server rolls back; the first error is reported.
      await client.query({ text: "ROLLBACK" }).catch(() => undefined);
      throw error;
    }
  });
}

/** Retries conflicts and lock time-outs for up to 5 minutes, with growing random pauses. */
async function retryLocked<T>(work: () => Promise<T>): Promise<T> {
  const last = performance.now() + PATIENCE_MILLISECONDS;
  for (let longest = 20; ; longest = Math.min(2 * longest, LONGEST_PAUSE_MILLISECONDS)) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() > last) throw error;
    }
    await pause(Math.random() * longest);
  }
}

function isLockTimeout(error: unknown): boolean {
  return isTransient(error) || sqlState(error) === LOCK_NOT_AVAILABLE;
}

/** How often a migrating process renews its row. */
const RENEWAL_MILLISECONDS = 3000;
/** A process that has not renewed its row for this long counts as gone. */
const SILENT_SECONDS = 15;
const LONGEST_LOCK_PAUSE_MILLISECONDS = 500;
const NO_SUCH_FUNCTION = "42883";
/** An advisory lock key, unlikely to be used by others in the same database. */
const KEY = `726511000000000 + CAST(CAST(CAST('"schema_lock"' AS regclass) AS oid) AS BIGINT)`;
const LOCK = `SELECT pg_try_advisory_lock(${KEY}) AS locked`;
const UNLOCK = `SELECT pg_advisory_unlock(${KEY})`;
/**
 * Takes the lock row if it is free or its holder is gone: the row was not renewed in time, or we now have the holder's advisory
 * lock. Behind a pooler both may share a connection, so the advisory lock alone proves nothing.
 */
const TAKE = `INSERT INTO "schema_lock" AS held ("id", "holder", "backend", "renewed_date")
  VALUES (1, $1, pg_backend_pid(), clock_timestamp())
  ON CONFLICT ("id") DO UPDATE
  SET "holder" = excluded."holder", "backend" = excluded."backend", "renewed_date" = excluded."renewed_date"
  WHERE held."renewed_date" < clock_timestamp() - interval '${SILENT_SECONDS} seconds'
    OR (CAST($2 AS BIGINT) = 1 AND held."backend" <> excluded."backend")`;
const RENEW = `UPDATE "schema_lock" SET "renewed_date" = clock_timestamp() WHERE "holder" = $1`;
const RELEASE = `DELETE FROM "schema_lock" WHERE "holder" = $1`;

/**
 * Runs work while no other process migrates. The advisory lock is free as soon as its process dies; the row helps behind poolers,
 * where the lock is not reliable. Waits as long as another process continues.
 */
async function whileLocked<T>(
  client: PostgresClient,
  open: () => PostgresClient,
  work: () => Promise<T>,
): Promise<T> {
  const holder = randomUUID();
  const isLocked = await take(client, holder);
  const renewal = new Renewal(open, holder);
  try {
    return await work();
  } finally {
    await renewal.end();
    await client.query({ text: RELEASE, values: [holder] }).catch(() => undefined);
    if (isLocked) await client.query({ text: UNLOCK }).catch(() => undefined);
  }
}

/** Waits for the lock row. Returns whether the holder also has the advisory lock. */
async function take(client: PostgresClient, holder: string): Promise<boolean> {
  for (;;) {
    const isLocked = await tryLock(client);
    const values = [holder, isLocked ? 1 : 0];
    const { rowCount } = await client.query({ text: TAKE, values });
    if (rowCount === 1) return isLocked;
    if (isLocked) await client.query({ text: UNLOCK });
    await pause(Math.random() * LONGEST_LOCK_PAUSE_MILLISECONDS);
  }
}

async function tryLock(client: PostgresClient): Promise<boolean> {
  try {
    const { rows } = await client.query({ text: LOCK });
    return rows[0]?.["locked"] === 1;
  } catch (error) {
    if (sqlState(error) === NO_SUCH_FUNCTION) return false;
    throw error;
  }
}

/** Renews the row over a connection of its own, since the other one may be busy. */
class Renewal {
  private client: Promise<PostgresClient> | null = null;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly open: () => PostgresClient,
    private readonly holder: string,
  ) {
    // A failed renewal does no harm: the next owner sees the progress.
    this.timer = setInterval(() => void this.renew().catch(() => undefined), RENEWAL_MILLISECONDS);
  }

  async end(): Promise<void> {
    clearInterval(this.timer);
    const client = await this.client?.catch(() => null);
    await client?.end();
  }

  private async renew(): Promise<void> {
    this.client ??= this.connect();
    const client = await this.client;
    await client.query({ text: RENEW, values: [this.holder] });
  }

  private async connect(): Promise<PostgresClient> {
    const client = this.open();
    await client.connect();
    return client;
  }
}

const SCHEMA_TABLES = `FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  LEFT JOIN pg_stat_xact_user_tables AS s ON s.relid = c.oid
  WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')`;
/** The rows that this transaction has added to each table, minus those that it has deleted. */
const ADDED = `SELECT c.relname AS "table", COALESCE(s.n_tup_ins - s.n_tup_del, 0) AS "rows" ${SCHEMA_TABLES}
  ORDER BY c.relname`;
const BYTES = `SELECT COALESCE(SUM(pg_total_relation_size(c.oid)), 0) AS "bytes" ${SCHEMA_TABLES}`;
/** undefined_table, undefined_column */
const MISSING = ["42P01", "42703"];
const INDEX =
  /^\s*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?("(?:[^"]|"")+"|\w+)/im;
const INVALID = `SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid`;
/** The approximate duration of a batch, which locks its rows. */
const BATCH_MILLISECONDS = 50;
const BATCH_ROWS = { first: 200, fewest: 50, most: 10_000 } as const;

/** Between two checks of the leases of older releases. */
const RETIRING_MILLISECONDS = 100;

/** Another process runs this statement, or has run it. */
class Overtaken extends Error {}

/**
 * Changes the schema over one connection. A statement and its record are one transaction, unless the statement runs in parts or
 * outside of transactions.
 */
class PostgresMigrator implements Migrator {
  /** Migrations of this run that have retired older releases. */
  private readonly retired = new Set<string>();

  constructor(private readonly client: PostgresClient) {}

  history(): Promise<readonly RecordedMigration[]> {
    return readPostgresHistory(async (text) => (await this.client.query({ text })).rows);
  }

  async find(sql: string): Promise<FoundRows | null> {
    const found = asSubquery(sql);
    const rows = await this.rows(`SELECT * FROM ${found} LIMIT ${MOST_IDENTIFIERS}`);
    if (rows === null) return null;
    if (rows.length === 0) return { count: 0, identifiers: [] };
    const counted = await this.rows(`SELECT COUNT(*) AS "count" FROM ${found}`);
    const identifiers = rows.map((row) => String(Object.values(row)[0]));
    return { count: Number(counted?.[0]?.["count"]), identifiers };
  }

  async rows(text: string): Promise<readonly FoundRow[] | null> {
    try {
      return (await this.client.query({ text })).rows;
    } catch (error) {
      if (MISSING.includes(sqlState(error) ?? "")) return null;
      throw error;
    }
  }

  async run(migration: Migration, run: MigrationRun): Promise<void> {
    const statements = statementsToRun(migration.script);
    const later = statements.filter(waits);
    const early = statements.length - later.length;
    for (;;) {
      // Read each time, because another process may have continued.
      const done = await readProgress(this.client, migration);
      if (done === null) return;
      const statement = statements[done];
      if (statement === undefined) await this.record(migration);
      else if (done >= early && !run.isFinishing) return;
      else {
        const step = { migration, statement, done, early, of: statements.length };
        if (done >= early) await this.retireOlder(step);
        const isConverting = done === early && later.some(({ kind }) => kind === "convert");
        await (isConverting ? this.atOnce(step, later, run) : this.step(step, run));
      }
    }
  }

  async record(migration: Migration): Promise<void> {
    await inTransaction(this.client, async () => recordApplied(this.client, migration));
  }

  /** Keeps older releases from starting, and waits until running ones have stopped or have no recent heartbeat. */
  private async retireOlder(step: Step): Promise<void> {
    const { migration } = step;
    if (this.retired.has(migration.name)) return;
    const recorded = inTransaction(this.client, async () => recordRetired(this.client, migration));
    await recorded.catch((error: unknown) => {
      throw refused(step, error);
    });
    this.retired.add(migration.name);
    const text = servingQuery("postgres");
    while ((await this.client.query({ text })).rows.length > 0) await pause(RETIRING_MILLISECONDS);
  }

  private async bytes(): Promise<number> {
    return Number((await this.client.query({ text: BYTES })).rows[0]?.["bytes"]);
  }

  /**
   * Runs in one transaction all statements that waited for older releases, because a conversion by custom code can fail in ways
   * that no check finds before. If the transaction fails, older releases may start again.
   */
  private async atOnce(
    step: Step,
    statements: readonly MigrationStatement[],
    { tell, convert = null }: MigrationRun,
  ): Promise<void> {
    const { migration, early, of } = step;
    const events: MigrationEvent[] = [];
    const work = async (): Promise<void> => {
      events.length = 0;
      for (const [index, statement] of statements.entries()) {
        const done = early + index;
        if (!(await recordStep(this.client, migration, { statement, done }))) throw new Overtaken();
        const started = performance.now();
        const rows = await this.executed(statement, convert);
        const milliseconds = performance.now() - started;
        const { what } = statement;
        events.push({ migration: migration.name, what, number: done + 1, of, milliseconds, rows });
      }
    };
    try {
      await inTransaction(this.client, () => this.guarded(migration, work));
    } catch (error) {
      if (error instanceof Overtaken) return;
      await inTransaction(this.client, () => recordWithdrawn(this.client, migration, early));
      this.retired.delete(migration.name);
      throw unfinished(migration, error);
    }
    for (const event of events) await tell(event, () => this.bytes());
  }

  private async step(step: Step, { tell, convert = null }: MigrationRun): Promise<void> {
    const { migration, statement, done, of } = step;
    const started = performance.now();
    const rows = await this.perform(step, convert).catch((error: unknown) => {
      if (error instanceof Overtaken) return undefined;
      throw refused(step, error);
    });
    if (rows === undefined) return;
    const milliseconds = performance.now() - started;
    const { what } = statement;
    const event = { migration: migration.name, what, number: done + 1, of, milliseconds, rows };
    await tell(event, () => this.bytes());
  }

  /** The number of changed rows, if known. */
  private async perform(step: Step, convert: RowConverter | null): Promise<number | null> {
    const { statement, migration } = step;
    switch (statement.kind) {
      case "batch": {
        await recordBegun(this.client, migration, step.early);
        const rows = await this.batches(step);
        await this.counted(step, async () => null);
        return rows;
      }
      case "fill":
      case "refill": {
        await recordBegun(this.client, migration, step.early);
        const rows = await this.fill(statement.sql, (work) =>
          inTransaction(this.client, () => this.guarded(migration, work)),
        );
        await this.counted(step, async () => null);
        return rows;
      }
      case "outside":
        await recordBegun(this.client, migration, step.early);
        await retryLocked(async () => this.outside(statement));
        return this.counted(step, async () => null);
      case "convert":
      case "check":
      case "read":
      case "run":
      case "contract":
        return this.counted(step, async () => this.executed(statement, convert));
    }
  }

  private async executed(
    { kind, sql }: MigrationStatement,
    convert: RowConverter | null,
  ): Promise<number | null> {
    if (kind === "refill") return this.fill(sql);
    if (kind !== "convert") return this.changed(sql);
    return convertRows(this, sql, convert, async (text, values) =>
      this.client.query({ text, values }),
    );
  }

  /** A transaction that records the statement, and refuses unexpected changes of rows. */
  private counted<T>(step: Step, work: () => Promise<T>): Promise<T> {
    const { migration, statement, done } = step;
    return inTransaction(this.client, async () => {
      await recordBegun(this.client, migration, step.early);
      if (!(await recordStep(this.client, migration, { statement, done }))) throw new Overtaken();
      return this.guarded(migration, work);
    });
  }

  private async guarded<T>(migration: Migration, work: () => Promise<T>): Promise<T> {
    const before = await this.added();
    const result = await work();
    const changes = unexpectedRowChanges(migration, before, await this.added());
    if (changes.length > 0) throw new UnexpectedRowChange(changes);
    return result;
  }

  private async batches({ migration, statement }: Step): Promise<number> {
    let limit: number = BATCH_ROWS.first;
    for (let rows = 0; ;) {
      const sql = statement.sql.replaceAll(":limit", String(limit));
      const started = performance.now();
      const changed = await inTransaction(this.client, async () =>
        this.guarded(migration, async () => this.changed(sql)),
      );
      if (changed === null) throw new Error("a batch is one statement that changes rows");
      if (changed === 0) return rows;
      rows += changed;
      const milliseconds = performance.now() - started;
      const wanted = milliseconds < BATCH_MILLISECONDS ? 2 * limit : Math.round(limit / 2);
      limit = Math.min(BATCH_ROWS.most, Math.max(BATCH_ROWS.fewest, wanted));
    }
  }

  private fill(sql: string, part: RunPart = (work) => work()): Promise<number> {
    return fillSearch(this, sql, {
      dialect: "postgres",
      change: async (text, values) => this.client.query({ text: numbered(text), values }),
      part,
    });
  }

  /** An interrupted CREATE INDEX CONCURRENTLY leaves an invalid index. */
  private async outside({ sql }: MigrationStatement): Promise<void> {
    const name = INDEX.exec(sql)?.[1];
    if (name !== undefined) {
      const { rows } = await this.client.query({ text: INVALID, values: [name] });
      if (rows.length > 0) {
        await this.client.query({ text: `DROP INDEX CONCURRENTLY IF EXISTS ${name}` });
      }
    }
    await this.client.query({ text: sql });
  }

  private async changed(text: string): Promise<number | null> {
    // Several statements have several results.
    const { rowCount = null } = await this.client.query({ text });
    return rowCount;
  }

  private async added(): Promise<RowCounts> {
    const { rows } = await this.client.query({ text: ADDED });
    return new Map(
      rows
        .map((row): [string, number] => [String(row["table"]), Number(row["rows"])])
        .filter(([table]) => !HISTORY_TABLES.includes(table)),
    );
  }
}

/** A statement of a migration, and its index. */
interface Step {
  readonly migration: Migration;
  readonly statement: MigrationStatement;
  readonly done: number;
  /** The number of statements that older releases can continue with. */
  readonly early: number;
  readonly of: number;
}

function unfinished({ name }: Migration, error: unknown): StartRefusal {
  const reason = error instanceof Error ? error.message : String(error);
  return new StartRefusal(
    `Migration ${name} could not be finished: ${reason}. The steps that older releases can live with stay applied, so those releases can be started again.`,
    { cause: error },
  );
}

function refused({ migration: { name }, statement, done, of }: Step, error: unknown): StartRefusal {
  const reason = error instanceof Error ? error.message : String(error);
  const isUntouched = done === 0 && statement.kind === "run";
  return new StartRefusal(
    isUntouched
      ? `Migration ${name} could not be applied, and nothing of it was: ${reason}.`
      : `Migration ${name} stopped at statement ${done + 1} of ${of} (${statement.what}): ${reason}. The earlier statements stay applied, and the next start continues from there. Until then this statement and those after it can be corrected in migrations/${name}/postgres.sql.`,
    { cause: error },
  );
}

const CURRENT_SCHEMA = `SELECT quote_ident(current_schema()) AS "name"`;
/** The columns that both schemas have in common. */
const SHARED_COLUMNS = `SELECT quote_ident(copied.table_name) AS "table", string_agg(quote_ident(copied.column_name), ', ') AS "columns"
  FROM information_schema.columns AS copied JOIN information_schema.columns AS original USING (table_name, column_name)
  WHERE copied.table_schema = current_schema() AND quote_ident(original.table_schema) = $1
    AND original.is_generated = 'NEVER' AND NOT (CAST(copied.table_name AS TEXT) = ANY (CAST($2 AS TEXT[])))
  GROUP BY copied.table_name ORDER BY copied.table_name`;
const FOREIGN_KEYS = `SELECT quote_ident(c.relname) AS "table", quote_ident(k.conname) AS "key"
  FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = current_schema() AND k.contype = 'f'`;

/** Applies migrations to a copy of the tables in a temporary schema. Throws `StartRefusal`. */
export async function rehearsePostgres(
  options: PostgresOptions,
  folder: URL,
  migrating: MigrationOptions,
): Promise<MigrationReport> {
  const client = await connectPostgres(options);
  const schema = `rehearsal_${randomUUID().replaceAll("-", "")}`;
  try {
    const migrations = await readMigrations(folder, "postgres");
    const { applied } = migrationState(migrations, await new PostgresMigrator(client).history());
    const original = String((await client.query({ text: CURRENT_SCHEMA })).rows[0]?.["name"]);
    await client.query({ text: `CREATE SCHEMA ${schema}` });
    await client.query({ text: `SET search_path TO ${schema}` });
    await createTables(
      client,
      applied.map(({ migration }) => migration),
    );
    await copyRows(client, original);
    return await applyMigrations(asDatabase(client, options.name), folder, migrating);
  } finally {
    // It does not exist if creating it was refused.
    await client.query({ text: `DROP SCHEMA IF EXISTS ${schema} CASCADE` }).catch(() => undefined);
    await client.end();
  }
}

function asDatabase(client: PostgresClient, name: string): Parameters<typeof applyMigrations>[0] {
  const migrator = new PostgresMigrator(client);
  return {
    dialect: "postgres",
    name,
    history: () => migrator.history(),
    migrating: (_schema, work) => work(migrator),
    serve: async () => undefined,
    serving: async () => [],
  };
}

/** Runs the applied migrations again, so that indexes have the names that later migrations refer to. */
async function createTables(client: PostgresClient, applied: readonly Migration[]): Promise<void> {
  await createPostgresHistory(client);
  const migrator = new PostgresMigrator(client);
  for (const migration of applied) {
    await migrator.run(migration, { isFinishing: true, tell: () => undefined });
  }
}

async function copyRows(client: PostgresClient, original: string): Promise<void> {
  const values = [original, `{${HISTORY_TABLES.join(",")}}`];
  const { rows: tables } = await client.query({ text: SHARED_COLUMNS, values });
  const keys = (await client.query({ text: FOREIGN_KEYS })).rows;
  // Foreign keys are checked after all rows, since tables refer to each other.
  await alterKeys(client, keys, "DEFERRABLE INITIALLY DEFERRED");
  await client.query({ text: "BEGIN" });
  // Hand-written migrations may have inserted rows.
  for (const { table } of tables) await client.query({ text: `TRUNCATE ${table} CASCADE` });
  for (const { table, columns } of tables) {
    const text = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${original}.${table}`;
    await client.query({ text });
  }
  await client.query({ text: "COMMIT" });
  await alterKeys(client, keys, "NOT DEFERRABLE");
  for (const { table } of tables) await client.query({ text: `ANALYZE ${table}` });
}

async function alterKeys(
  client: PostgresClient,
  keys: readonly Readonly<Record<string, unknown>>[],
  how: string,
): Promise<void> {
  for (const { table, key } of keys) {
    await client.query({
      text: `ALTER TABLE ${String(table)} ALTER CONSTRAINT ${String(key)} ${how}`,
    });
  }
}

/** No time-outs: a statement on a large table takes long. */
const NO_TIMES =
  "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = 0";

/** `open` returns a connection that nobody else uses. */
export async function migratePostgres<T>(
  open: () => PostgresClient,
  work: (migrator: Migrator) => Promise<T>,
): Promise<T> {
  const client = open();
  await client.connect();
  try {
    await client.query({ text: NO_TIMES });
    await createPostgresHistory(client);
    return await whileLocked(client, open, () => work(new PostgresMigrator(client)));
  } finally {
    await client.end();
  }
}
