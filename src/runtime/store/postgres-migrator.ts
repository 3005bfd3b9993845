import { StartRefusal } from "../base/errors.js";
import type { Migration, RecordedMigration } from "./migration.js";
import { convertRows, fillSearch, type RunPart } from "./migration-reads.js";
import { asSubquery, statementsToRun, waits, type MigrationStatement } from "./migration-script.js";
import {
  MOST_IDENTIFIERS,
  type FoundRow,
  type FoundRows,
  type MigrationEvent,
  type MigrationRun,
  type Migrator,
  type RowConverter,
} from "./migrator.js";
import { sqlState } from "./postgres-errors.js";
import {
  HISTORY_TABLES,
  readHistory,
  readProgress,
  recordApplied,
  recordBegun,
  recordRetired,
  recordStep,
  recordWithdrawn,
} from "./postgres-history.js";
import type { PostgresClient } from "./postgres-module.js";
import { numbered } from "./postgres-statements.js";
import { inTransaction, patiently, pause } from "./postgres-transaction.js";
import { servingQuery } from "./release-tables.js";
import { unaskedChanges, UnaskedChange, type RowCounts } from "./row-counts.js";

const OWN_TABLES = `FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  LEFT JOIN pg_stat_xact_user_tables AS s ON s.relid = c.oid
  WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')`;
/** What this transaction has added to each table: what others do meanwhile is not counted. */
const ADDED = `SELECT c.relname AS "table", COALESCE(s.n_tup_ins - s.n_tup_del, 0) AS "rows" ${OWN_TABLES}
  ORDER BY c.relname`;
const BYTES = `SELECT COALESCE(SUM(pg_total_relation_size(c.oid)), 0) AS "bytes" ${OWN_TABLES}`;
/** undefined_table, undefined_column */
const NOT_THERE = ["42P01", "42703"];
const INDEX =
  /^\s*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?("(?:[^"]|"")+"|\w+)/im;
const INVALID = `SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid`;
/** A batch holds its rows for about so long, and whoever wants to change one of them waits. */
const BATCH_MILLISECONDS = 50;
const BATCH_ROWS = { first: 200, fewest: 50, most: 10_000 } as const;

/** Between two looks at the leases of older releases. */
const RETIRING_MILLISECONDS = 100;

/** Another process has done this statement, or does it. */
class Overtaken extends Error {}

/** Changes the schema in a PostgreSQL database, over one connection: each statement, and the record of it, is one transaction. */
export class PostgresMigrator implements Migrator {
  /** Migrations that have retired older releases in this run. */
  private readonly retired = new Set<string>();

  constructor(private readonly client: PostgresClient) {}

  history(): Promise<readonly RecordedMigration[]> {
    return readHistory(async (text) => (await this.client.query({ text })).rows);
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
      if (NOT_THERE.includes(sqlState(error) ?? "")) return null;
      throw error;
    }
  }

  async run(migration: Migration, run: MigrationRun): Promise<void> {
    const statements = statementsToRun(migration.script);
    const later = statements.filter(waits);
    const early = statements.length - later.length;
    for (;;) {
      // Looked up each time: another process may have gone on where this one was slow.
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

  /** Older releases may start no more; those that serve find out, or lose their lease. */
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
   * What own code converts can fail where nothing could be looked for before. So all that older releases could not live
   * with is one transaction then; where it fails, they may start again.
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

  /** How many rows it changed, where that is known. */
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
        await patiently(async () => this.outside(statement));
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

  /** A transaction that notes the statement, and refuses what it does to rows unasked. */
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
    const changes = unaskedChanges(migration, before, await this.added());
    if (changes.length > 0) throw new UnaskedChange(changes);
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

  /** An index whose making was interrupted is there, but not valid. */
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
    // Of several statements at once there are several results.
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

/** One statement of a migration, and how many come before it. */
interface Step {
  readonly migration: Migration;
  readonly statement: MigrationStatement;
  readonly done: number;
  /** How many of all come before those that older releases cannot live with. */
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
