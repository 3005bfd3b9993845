/**
 * SQLite: one connection that reads and writes, its file (files.ts), writes that share a commit (group-commit.ts), and
 * processes for long reads and large writes (long-statements.ts). read-plan.ts recognizes long reads.
 */
import { mkdirSync } from "node:fs";
import { basename, dirname } from "node:path";

import { StartRefusal } from "../../base/errors.js";
import {
  withRetries,
  StorageUnavailable,
  writeRefused,
  type Database,
  type Recipient,
  type SqlRow,
  type RowBound,
  type SchemaChange,
  type ServingProcess,
  type SortedPage,
  type CountStatements,
  type SqlValue,
  type StorageLog,
  type WriteStep,
} from "../database.js";
import type { AppliedMigration, RecordedMigration, Migrator } from "../migrations/migration.js";
import { ReleaseLease, LATEST_FENCE, servingOf, servingQuery } from "../releases.js";
import {
  isLocked,
  isReadOnlyError,
  resultCode,
  sqliteError,
  connectSqlite,
  READ_ONLY,
  type SqliteConnection,
} from "./module.js";
import { SqliteFile, markCreated, refuseLostFile, refuseLostTables } from "./files.js";
import { GroupCommit } from "./group-commit.js";
import { createSqliteHistory, migrateSqlite, readSqliteHistory } from "./migrations.js";
import { isShort, customPlan, SortedPages } from "./read-plan.js";
import { BoundedRows, statementCache, type StatementCache } from "./statements.js";

export interface SqliteOptions {
  /** The limit of a request, before which a long statement ends; default 30. */
  readonly requestSeconds?: number;
  /** How long a write waits for the lock of another process; default 5000. */
  readonly lockMilliseconds?: number;
}

/** In memory, without a file. */
export const MEMORY = ":memory:";
const NOT_A_DATABASE = 26;
const REQUEST_SECONDS = 30;
const LOCK_MILLISECONDS = 5000;
const MOST_READS = 8;
/** Processes that start at once wait for each other. */
const WAIT_FOR_LOCKS = "PRAGMA busy_timeout = 5000";
/** Between attempts the process receives signals. */
const WAIT_A_SECOND = "PRAGMA busy_timeout = 1000";
/** A running service must not block the event loop for a lock. */
const NEVER_WAIT = "PRAGMA busy_timeout = 0";
const PRAGMAS = [
  "PRAGMA journal_mode = WAL",
  "PRAGMA synchronous = FULL",
  // About 16 MB of log: a checkpoint copies a page once, however often it was written.
  "PRAGMA wal_autocheckpoint = 4000",
  // A cache of 16 MB, since every index is written at another place.
  "PRAGMA cache_size = -16000",
  // The statement journal of a write with triggers would be a file, which takes as long as the write.
  "PRAGMA temp_store = MEMORY",
  "PRAGMA foreign_keys = ON",
  "PRAGMA trusted_schema = OFF",
];
const WRITE_NOTHING = `UPDATE "schema_migrations" SET "name" = "name" WHERE rowid = 0`;
const HAS_HISTORY = `SELECT 1 FROM sqlite_master WHERE name = 'schema_migrations'`;
const HAS_MIGRATIONS = `SELECT 1 FROM "schema_migrations" LIMIT 1`;

/** Opens a file, whose folder is created if needed, or `:memory:`. Throws `StartRefusal`. */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Database> {
  try {
    if (path !== MEMORY) {
      mkdirSync(dirname(path), { recursive: true });
      refuseLostFile(path);
    }
    const connection = await connectSqlite(path);
    prepareConnection(connection, path);
    return new SqliteDatabase(connection, path, options);
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    throw new StartRefusal(refusalText(path, error), { cause: error });
  }
}

function prepareConnection(connection: SqliteConnection, path: string): void {
  try {
    connection.exec(WAIT_FOR_LOCKS);
    if (connection.prepare(HAS_HISTORY).get() === undefined) refuseLostTables(path);
    for (const pragma of PRAGMAS) connection.exec(pragma);
    createSqliteHistory(connection);
    refuseReadOnly(connection);
    if (path !== MEMORY && connection.prepare(HAS_MIGRATIONS).get() !== undefined)
      markCreated(path);
    // The first statement creates the -wal and -shm files.
    connection.prepare(HAS_HISTORY).get();
    connection.exec(NEVER_WAIT);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Throws if the file cannot be written. A lock of another process does not count. */
function refuseReadOnly(connection: SqliteConnection): void {
  try {
    connection.exec(WRITE_NOTHING);
  } catch (error) {
    if (!isLocked(error)) throw error;
  }
}

function refusalText(path: string, error: unknown): string {
  if (resultCode(error) === NOT_A_DATABASE) {
    return `${path} is not a SQLite database. Name another file in DATABASE_URL, or move this one away.`;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return `The database ${path} cannot be opened: ${reason}.`;
}

/** One connection: short reads run at once, long ones elsewhere, and writes through the group commit. */
class SqliteDatabase implements Database {
  readonly dialect = "sqlite";
  readonly name: string;
  private readonly statements: StatementCache;
  private readonly bounded = new BoundedRows();
  private readonly commits: GroupCommit;
  /** Null for a database in memory. */
  private readonly file: SqliteFile | null;
  private readonly sorted: SortedPages | null;
  private readonly lease: ReleaseLease;

  constructor(
    private readonly connection: SqliteConnection,
    path: string,
    options: SqliteOptions,
  ) {
    const { requestSeconds = REQUEST_SECONDS, lockMilliseconds = LOCK_MILLISECONDS } = options;
    this.name = basename(path);
    const file = path === MEMORY ? null : new SqliteFile(connection, path, requestSeconds);
    this.file = file;
    this.sorted =
      file && new SortedPages(file, (sql, values, bound) => this.rowsHere(sql, values, bound));
    this.statements = statementCache(connection);
    const fence = (): SqlRow | undefined => this.statements.of(LATEST_FENCE).get();
    this.lease = new ReleaseLease({
      dialect: "sqlite",
      write: async (steps) => this.commits.write(steps),
      get: fence,
    });
    this.commits = new GroupCommit({
      statements: this.statements,
      checkFiles: () => file?.check(),
      checkRelease: () => this.lease.generation === null || this.lease.judge(fence()),
      writeLarge: async (steps) => file?.writeLarge([...this.lease.guard(), ...steps]),
      onCommit: () => file?.committed(),
      onFault: (fault) => file?.report(fault),
      waitMilliseconds: lockMilliseconds,
    });
  }

  all(
    sql: string,
    values: readonly SqlValue[],
    bound?: RowBound,
    recipient?: Recipient,
  ): Promise<readonly SqlRow[]> {
    const read = () => this.rows(sql, values, bound, recipient);
    if (bound?.isCustom !== true) return this.readRows(read);
    return this.readRows(async () => {
      try {
        return await read();
      } catch (error) {
        throw isReadOnlyError(error) ? writeRefused() : error;
      }
    });
  }

  sortedPage(
    page: SortedPage,
    bound?: RowBound,
    recipient?: Recipient,
  ): Promise<readonly SqlRow[]> {
    return this.readRows(() => {
      this.file?.checkKnown();
      const rows = this.sorted?.rows(page, bound);
      return rows ?? this.rows(page.sql, page.values, bound, recipient);
    });
  }

  countFew({ count, few }: CountStatements, values: readonly SqlValue[]): number | null {
    const { file } = this;
    file?.checkKnown();
    if (!file?.mayTakeLong(file.planOf(count))) return null;
    return this.sorted?.count(few, values) ?? null;
  }

  async get(
    sql: string,
    values: readonly SqlValue[],
    recipient?: Recipient,
  ): Promise<SqlRow | undefined> {
    const rows = (): readonly SqlRow[] | Promise<readonly SqlRow[]> =>
      this.rows(sql, values, undefined, recipient);
    try {
      const row = this.isOneRow(sql) ? this.statements.of(sql).get(...values) : (await rows())[0];
      if (!this.lease.holds) await this.lease.checkDatabase();
      return row;
    } catch (error) {
      return (await this.readAgain(error, rows))[0];
    }
  }

  write(steps: readonly WriteStep[]): Promise<void> {
    return this.commits.write(steps, this.file?.isLarge(steps));
  }

  reportTo(log: StorageLog): void {
    this.file?.reportTo(log);
    this.lease.log = log;
  }

  async migrations(): Promise<readonly AppliedMigration[]> {
    const rows = await this.all(
      `SELECT "name", "digest" FROM "schema_migrations" ORDER BY "name"`,
      [],
    );
    return rows.map((row) => ({ name: String(row["name"]), digest: String(row["digest"]) }));
  }

  async history(): Promise<readonly RecordedMigration[]> {
    return readSqliteHistory(this.connection);
  }

  async migrating<T>(schema: SchemaChange, work: (migrator: Migrator) => Promise<T>): Promise<T> {
    // Nobody is served yet, so blocking for another process is fine.
    this.connection.exec(WAIT_A_SECOND);
    // For a new index, a whole table is sorted.
    this.connection.exec("PRAGMA temp_store = FILE");
    try {
      const result = await migrateSqlite(this.connection, schema, work);
      this.file?.migrated();
      return result;
    } finally {
      this.connection.exec("PRAGMA temp_store = MEMORY");
      this.connection.exec(NEVER_WAIT);
    }
  }

  async serve(release: string): Promise<void> {
    if (this.file !== null) await this.lease.begin(release);
  }

  async serving(): Promise<readonly ServingProcess[]> {
    return (await this.all(servingQuery("sqlite"), [])).map(servingOf);
  }

  async check(): Promise<void> {
    await this.lease.checkDatabase();
    this.file?.check();
    await this.get("SELECT 1", []);
    this.file?.checkUsable();
  }

  async close(): Promise<void> {
    await this.lease.end();
    await this.commits.drain();
    await this.file?.close();
    this.connection.close();
  }

  private async readRows(
    read: () => readonly SqlRow[] | Promise<readonly SqlRow[]>,
  ): Promise<readonly SqlRow[]> {
    try {
      const found = read();
      const rows = found instanceof Promise ? await found : found;
      if (!this.lease.holds) await this.lease.checkDatabase();
      return rows;
    } catch (error) {
      return this.readAgain(error, read);
    }
  }

  /** The fast path, for most reads by identifier. */
  private isOneRow(sql: string): boolean {
    const { file } = this;
    if (file === null) return true;
    file.checkKnown();
    return file.planOf(sql).reach === "few";
  }

  private rows(
    sql: string,
    values: readonly SqlValue[],
    bound?: RowBound,
    recipient?: Recipient,
  ): readonly SqlRow[] | Promise<readonly SqlRow[]> {
    const { file } = this;
    if (file === null) return this.rowsHere(sql, values, bound);
    file.checkKnown();
    const plan = bound?.isCustom === true ? customPlan() : file.planOf(sql);
    if (isShort(plan, values)) return this.rowsHere(sql, values, bound);
    if (file.mayTakeLong(plan))
      return file.read(plan, { sql, values, bound: bound ?? null }, recipient);
    const started = performance.now();
    const rows = this.rowsHere(sql, values, bound);
    plan.milliseconds = performance.now() - started;
    return rows;
  }

  private rowsHere(
    sql: string,
    values: readonly SqlValue[],
    bound: RowBound | undefined,
  ): readonly SqlRow[] {
    const { bounded, connection } = this;
    const statement = this.statements.of(sql);
    if (bound === undefined) return statement.all(...values);
    if (bound.isCustom !== true) return bounded.read(statement, values, bound);
    // In memory, or without the program for long statements, custom statements run here and have no time limit.
    connection.exec(READ_ONLY);
    try {
      return bounded.read(statement, values, bound);
    } finally {
      connection.exec("PRAGMA query_only = OFF");
    }
  }

  /** Reads meet a short lock while another process opens or closes the database. */
  private async readAgain(
    error: unknown,
    read: () => readonly SqlRow[] | Promise<readonly SqlRow[]>,
  ): Promise<readonly SqlRow[]> {
    try {
      const rows = isLocked(error) && (await withRetries(async () => read(), isLocked, MOST_READS));
      // A newer release may have changed the tables.
      await this.lease.checkDatabase();
      if (rows !== false) return rows;
      throw error;
    } catch (last) {
      throw this.fault(last);
    }
  }

  private fault(error: unknown): unknown {
    const fault = sqliteError(error);
    if (fault instanceof StorageUnavailable) this.file?.report(fault);
    return fault;
  }
}
