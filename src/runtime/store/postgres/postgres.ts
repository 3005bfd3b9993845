/**
 * The driver for PostgreSQL: its connections and their use (pool.ts), kinds of statements and their preparation (statements.ts),
 * units of writes (writers.ts), and migrations while releases are running (migrations.ts, history.ts).
 */
import { StartRefusal } from "../../base/errors.js";
import {
  withRetries,
  StorageUnavailable,
  ResultTooLarge,
  writeRefused,
  type Database,
  type SqlRow,
  type RowBound,
  type SchemaChange,
  type ServingProcess,
  type StorageLog,
  type SqlValue,
  type WriteStep,
} from "../database.js";
import type { AppliedMigration, RecordedMigration, Migrator } from "../migrations/migration.js";
import { ReleaseLease, servingOf, servingQuery } from "../releases.js";
import {
  checkServer,
  configOf,
  newClient,
  CONVERTED_TYPES,
  timesOf,
  type PostgresOptions,
  loadPostgres,
  type PostgresClient,
  type PostgresModule,
  type PostgresResult,
} from "./client.js";
import {
  isConnectionLoss,
  isTransient,
  isReadOnly,
  isUnwritable,
  postgresError,
  sqlState,
} from "./errors.js";
import { createPostgresHistory, readApplied, readPostgresHistory } from "./history.js";
import { migratePostgres } from "./migrations.js";
import { PostgresPool } from "./pool.js";
import {
  boundedQuery,
  type BoundedQueryClass,
  LOOKUP,
  PostgresStatements,
  SLOW,
  type StatementShape,
  type StatementUse,
} from "./statements.js";
import { PostgresWriters, RETIRED_STATE } from "./writers.js";

/** How long reads are retried while the server is gone. */
const READ_AGAIN_MILLISECONDS = 1000;
/** A connection counts as dead if it is silent for this long after the time-out of statements. */
const SILENT_MILLISECONDS = 5000;
/** The limit of the readiness check. */
const CHECK_MILLISECONDS = 2000;
/** After a write has found the disk full, the service is not ready for this time, unless another write succeeds. */
const UNWRITABLE_MILLISECONDS = 10_000;
/** insufficient_privilege */
const NOT_ALLOWED = "42501";
/** Advisory locks of a session outlive its transactions. */
const RESET = "ROLLBACK; SELECT pg_advisory_unlock_all()";
const WRITABLE = "SHOW transaction_read_only";
/** No table has this name, so that the check does not wait behind statements of a table. */
const READINESS = { table: "/readyz", kind: LOOKUP };
/** Without a table, so that no table's statements wait behind it. */
const CUSTOM_SQL: StatementUse = { table: "", kind: SLOW };

/** The server must be reachable. Throws `StartRefusal`. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const module = loadPostgres();
  await checkServer(module, options);
  return new PostgresDatabase(module, options);
}

/** Reads and writes share one pool. */
class PostgresDatabase implements Database {
  readonly dialect = "postgres";
  readonly name: string;
  private readonly statements = new PostgresStatements();
  private readonly pool: PostgresPool;
  private readonly writers: PostgresWriters;
  private readonly lease = new ReleaseLease({
    dialect: "postgres",
    write: async (steps) => this.writeNow(steps),
    get: async (sql) => (await this.readNow(sql, [])).rows[0],
  });
  private readonly open: () => PostgresClient;
  private readonly BoundedQuery: BoundedQueryClass;
  private checking: Promise<void> | null = null;
  /** When a write last failed because the server cannot write. */
  private unwritableAt = -Infinity;

  constructor(module: PostgresModule, options: PostgresOptions) {
    this.BoundedQuery = boundedQuery(module.Query);
    const config = configOf(options);
    this.name = newClient(module, config).database ?? "";
    const times = timesOf(options);
    const open = (): PostgresClient => newClient(module, { ...config, ...times, pipeline: true });
    const silentMilliseconds = times.statement_timeout + SILENT_MILLISECONDS;
    this.pool = new PostgresPool(open, options.connections, silentMilliseconds);
    this.writers = new PostgresWriters(this.pool, this.statements);
    // Without time-outs, since migrations of large tables take long.
    this.open = () => newClient(module, config);
  }

  async all(
    sql: string,
    values: readonly SqlValue[],
    bound?: RowBound,
  ): Promise<readonly SqlRow[]> {
    return (await this.read(sql, values, bound)).rows;
  }

  async get(sql: string, values: readonly SqlValue[]): Promise<SqlRow | undefined> {
    return (await this.read(sql, values)).rows[0];
  }

  async write(steps: readonly WriteStep[]): Promise<void> {
    this.lease.check();
    await this.writeNow(steps);
    // The heartbeat of the lease proves less: its row is small.
    this.unwritableAt = -Infinity;
  }

  private async writeNow(steps: readonly WriteStep[]): Promise<void> {
    try {
      await withRetries(async () => this.writers.write(steps), isTransient);
    } catch (error) {
      if (isUnwritable(error)) this.unwritableAt = performance.now();
      // A division by zero in a statement of custom code has the same state.
      if (sqlState(error) === RETIRED_STATE) await this.lease.checkDatabase();
      throw await this.faultOf(error);
    }
  }

  reportTo(log: StorageLog): void {
    this.lease.log = log;
  }

  async serve(release: string): Promise<void> {
    await this.lease.begin(release).catch((error: unknown) => {
      throw sqlState(error) === NOT_ALLOWED ? refusedTables(error) : error;
    });
    this.writers.keepWithin(this.lease.generation ?? 0);
  }

  async serving(): Promise<readonly ServingProcess[]> {
    await this.makeTables();
    return (await this.all(servingQuery("postgres"), [])).map(servingOf);
  }

  migrations(): Promise<readonly AppliedMigration[]> {
    return readApplied((sql) => this.all(sql, []));
  }

  history(): Promise<readonly RecordedMigration[]> {
    return readPostgresHistory((sql) => this.all(sql, []));
  }

  migrating<T>(_schema: SchemaChange, work: (migrator: Migrator) => Promise<T>): Promise<T> {
    return migratePostgres(this.open, work);
  }

  /** Concurrent checks share one query. */
  async check(): Promise<void> {
    await this.lease.checkDatabase();
    this.checking ??= this.again(async () => this.look()).finally(() => (this.checking = null));
    await this.checking;
  }

  async close(): Promise<void> {
    await this.lease.end();
    await this.pool.close();
  }

  /** Databases of earlier releases of the generator lack some of these tables. */
  private async makeTables(): Promise<void> {
    const row = await this.get(`SELECT to_regclass('schema_fence') IS NOT NULL AS "isThere"`, []);
    if (row?.["isThere"] === 1) return;
    const client = this.open();
    try {
      await client.connect();
      await createPostgresHistory(client);
    } catch (error) {
      throw refusedTables(error);
    } finally {
      await client.end();
    }
  }

  /** A statement that does not fit the tables may be one of a retired release. */
  private async faultOf(error: unknown): Promise<unknown> {
    const fault = postgresError(error);
    if (fault === error && sqlState(error) !== null) await this.lease.checkDatabase();
    return fault;
  }

  private async look(): Promise<void> {
    if (performance.now() - this.unwritableAt < UNWRITABLE_MILLISECONDS)
      throw new StorageUnavailable(
        "The server could not store what was written last: its disk may be full.",
      );
    const shape = this.statements.of(WRITABLE);
    const connection = await this.pool.lend(READINESS);
    const late = setTimeout(() => connection.drop(), CHECK_MILLISECONDS);
    try {
      const { rows } = await connection.ask(shape.with([]));
      if (rows[0]?.["transaction_read_only"] === "off") return;
      connection.drop();
      throw new StorageUnavailable("The server is read-only.");
    } finally {
      clearTimeout(late);
      this.pool.giveBack(connection);
    }
  }

  private async read(
    sql: string,
    values: readonly SqlValue[],
    bound?: RowBound,
  ): Promise<PostgresResult> {
    this.lease.check();
    try {
      const result = await this.readNow(sql, values, bound);
      if (!this.lease.holds) await this.lease.checkDatabase();
      return result;
    } catch (error) {
      throw await this.faultOf(error);
    }
  }

  private async readNow(
    sql: string,
    values: readonly SqlValue[],
    bound?: RowBound,
  ): Promise<PostgresResult> {
    if (bound?.isCustom === true)
      return this.again(async () => this.readCustom(sql, values, bound));
    const shape = this.statements.ofRead(sql, values);
    try {
      return await this.send(shape, values, bound);
    } catch (error) {
      if (mayReadAgain(error)) return this.again(async () => this.send(shape, values, bound));
      throw postgresError(error);
    }
  }

  private send(
    shape: StatementShape,
    values: readonly SqlValue[],
    bound?: RowBound,
  ): Promise<PostgresResult> {
    const statement = shape.with(values);
    if (bound === undefined) return this.pool.read(shape, statement);
    const query = new this.BoundedQuery(statement, bound);
    return this.pool.read(shape, query).then((result) => {
      if (query.isTooLarge) throw new ResultTooLarge(bound.bytes);
      return result;
    });
  }

  /** Runs in a read-only transaction that is rolled back, which also undoes SET. */
  private async readCustom(
    text: string,
    values: readonly SqlValue[],
    bound: RowBound,
  ): Promise<PostgresResult> {
    const connection = await this.pool.lend(CUSTOM_SQL);
    try {
      await connection.ask({ text: "BEGIN READ ONLY" });
      const options = { queryMode: "extended", types: CONVERTED_TYPES } as const;
      // There may be millions of further rows, and only closing the connection stops them.
      const drop = (): void => connection.drop();
      const query = new this.BoundedQuery({ text, values, ...options }, bound, drop);
      const answer = connection.ask(query);
      await Promise.allSettled([answer, connection.ask({ text: RESET })]);
      if (query.isTooLarge) throw new ResultTooLarge(bound.bytes);
      return await answer;
    } catch (error) {
      throw isReadOnly(error) ? writeRefused() : error;
    } finally {
      this.pool.giveBack(connection);
    }
  }

  /** Reads are safe to retry on another connection, which may be lost as well. */
  private async again<T>(read: () => Promise<T>): Promise<T> {
    const last = performance.now() + READ_AGAIN_MILLISECONDS;
    try {
      return await withRetries(read, (error) => mayReadAgain(error) && performance.now() < last);
    } catch (error) {
      throw postgresError(error);
    }
  }
}

function refusedTables(error: unknown): StartRefusal {
  const reason = error instanceof Error ? error.message : String(error);
  return new StartRefusal(
    `The user of DATABASE_URL cannot use "schema_releases" and "schema_fence": ${reason}. ` +
      'Let "npm run migrate" make them as the owner of the other tables, then GRANT SELECT, INSERT, UPDATE, DELETE on the first and SELECT on the second.',
    { cause: error },
  );
}

function mayReadAgain(error: unknown): boolean {
  return isTransient(error) || isConnectionLoss(error);
}
