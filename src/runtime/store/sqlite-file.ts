import type { StorageUnavailable } from "./database.js";
import type { Recipient, SqlRow, StorageLog, WriteStep } from "./database.js";
import { DatabaseLocked } from "./group-commit.js";
import { LongReads } from "./long-reads.js";
import { LongStatements, rowsOf, workersHere } from "./long-statements.js";
import type { ReadPlan } from "./read-plan.js";
import { ReleaseRetired } from "./release-lease.js";
import { isDamaged, isLocked } from "./sqlite-errors.js";
import { DatabaseGone, markCreated, SqliteFiles } from "./sqlite-files.js";
import type { SqliteConnection } from "./sqlite-module.js";
import { SqliteProbe } from "./sqlite-probe.js";
import type { ReadOrder } from "./statement-order.js";
import { statementProgram } from "./statement-worker.js";
import { StorageReport } from "./storage-report.js";
import { checkChanges } from "./write-steps.js";

/** A statement is ended a little before the request that waits for it. */
const MILLISECONDS_OF_A_SECOND = 900;
/** A unit that has more steps, or changes more rows than this, is written by another process. */
const MOST_ROWS = 500;
/** What took longer leaves a process free for others. */
const SLOW_MILLISECONDS = 100;
const PROGRAM_MISSING =
  "@rulebound/runtime is not installed where the bundle runs: the service blocks while a long-running query runs.";
const FIND_DAMAGE = "PRAGMA integrity_check(1)";

/** What a database in a file has beside its connection: what can happen to the file, and processes that share it. */
export class SqliteFile {
  private readonly files: SqliteFiles;
  private readonly reads: LongReads;
  /** Null where the program of other processes is missing: then everything is run here. */
  private readonly program = statementProgram();
  private readonly readers: LongStatements;
  private readonly writer: LongStatements;
  private readonly troubles = new StorageReport();
  private isGone = false;
  private readonly probe: SqliteProbe;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly path: string,
    requestSeconds: number,
  ) {
    const milliseconds = requestSeconds * MILLISECONDS_OF_A_SECOND;
    this.files = new SqliteFiles(path);
    this.reads = new LongReads(connection);
    this.probe = new SqliteProbe(connection, path, (fault) => this.report(fault));
    const { program } = this;
    const options = { file: this.files.database, milliseconds, program: program ?? "" };
    this.readers = new LongStatements({ ...options, workers: workersHere() });
    this.writer = new LongStatements({ ...options, workers: 1 });
  }

  /** Where to tell of faults. */
  reportTo(log: StorageLog): void {
    this.troubles.log = log;
    if (this.program === null) log.error(PROGRAM_MISSING);
  }

  /** The schema has changed, and from now on a start without this database is refused. */
  migrated(): void {
    this.reads.forget();
    markCreated(this.path);
  }

  /** Throws `StorageUnavailable` where the files are no longer those that were opened. */
  check(): void {
    try {
      this.files.check();
    } catch (error) {
      if (error instanceof DatabaseGone) this.report(error);
      throw error;
    }
    if (!this.isGone) return;
    this.isGone = false;
    this.troubles.ended("The files of the database are back.", "files");
  }

  /** Likewise, once that is known: reads do not look at the files. */
  checkKnown(): void {
    if (this.isGone) this.check();
  }

  /** Throws where it cannot be read or written. */
  checkUsable(): void {
    this.probe.check();
  }

  /** How far a statement reads. */
  planOf(sql: string): ReadPlan {
    return this.reads.of(sql);
  }

  /** Whether it may take long. */
  mayTakeLong(plan: ReadPlan): boolean {
    return this.program !== null && this.reads.mayTakeLong(plan);
  }

  /** All rows of a statement that may take long: one look at the files costs it nothing. */
  async read(plan: ReadPlan, order: ReadOrder, recipient?: Recipient): Promise<readonly SqlRow[]> {
    this.check();
    const isSlow = (plan.milliseconds ?? 0) > SLOW_MILLISECONDS;
    const outcome = await this.readers.read(order, { isSlow, recipient });
    plan.milliseconds = outcome.milliseconds;
    return rowsOf(outcome);
  }

  /** Whether a unit changes so many rows that nobody should stand still for it. */
  isLarge(steps: readonly WriteStep[]): boolean {
    if (this.program === null) return false;
    if (steps.length > MOST_ROWS) return true;
    return steps.some((step) => step.isOpenEnded === true && this.changesMany(step));
  }

  /** Writes a unit with another connection; reads go on meanwhile. */
  async writeLarge(steps: readonly WriteStep[]): Promise<void> {
    const ordered = steps.map(({ sql, values, changes }) => ({
      sql,
      values,
      ...(changes !== undefined && { changes }),
    }));
    const outcome = await this.writer.run({ kind: "write", steps: ordered });
    if (outcome.kind !== "mismatch") return;
    const step = steps[outcome.step];
    if (step !== undefined) checkChanges(step, outcome.changed);
  }

  /** A transaction went well. */
  committed(): void {
    this.probe.committed();
    this.troubles.ended("The database can be written again.", "locked", "unwritable", "overloaded");
  }

  /** Tells of a fault, once for all requests that meet it. */
  report(fault: StorageUnavailable): void {
    const { troubles, path } = this;
    // The lease has reported it.
    if (fault instanceof ReleaseRetired) return;
    if (fault instanceof DatabaseGone) {
      this.isGone = true;
      troubles.tell("files", fault.message);
    } else if (fault instanceof DatabaseLocked || isLocked(fault)) {
      const locked = "Another process keeps the database locked, or a large deletion of this one";
      troubles.tell("locked", `${locked}: until it is free, writes to ${path} return 503.`);
    } else if (isDamaged(fault)) {
      this.probe.met(fault);
      if (troubles.began("damaged")) void this.tellDamage(fault);
    } else if (fault.cause === undefined) troubles.tell("overloaded", fault.message);
    else {
      troubles.tell("unwritable", `The database ${path} cannot be used now: ${fault.message}.`);
      this.probe.met(fault);
    }
  }

  /** Ends the processes, and puts what is in the log into the database: not every driver does so by itself. */
  async close(): Promise<void> {
    await Promise.all([this.readers.close(), this.writer.close()]);
    try {
      this.connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // It stays in the log, where the next start finds it.
    }
  }

  private changesMany({ sql, values }: WriteStep): boolean {
    const { table, find, places } = changedRows(sql);
    if (this.reads.rowsOf(table) <= MOST_ROWS) return false;
    try {
      return this.connection.prepare(find).get(...values.slice(-places)) !== undefined;
    } catch {
      // Whoever writes it meets the same fault, and tells of it.
      return true;
    }
  }

  /** Which page it is, SQLite says only when it looks at all of them. */
  private async tellDamage({ message }: StorageUnavailable): Promise<void> {
    const found =
      this.program === null
        ? ""
        : await this.readers
            .read({ sql: FIND_DAMAGE, values: [], bound: null }, { isSlow: true })
            .then(
              (outcome) => String(outcome.cells[0]?.[0]),
              (error: unknown) => String(error),
            );
    this.troubles.log?.error(
      `The database file ${this.path} is damaged: ${message}; ${this.named(found)}. Requests that need ` +
        "the damaged part return 503. Stop the service and restore a backup.",
    );
  }

  /** SQLite names a table by its first page. */
  private named(found: string): string {
    const text = found.replace(/\s+/g, " ");
    const page = /Tree (\d+)/.exec(text)?.[1];
    if (page === undefined) return text;
    const query = "SELECT name FROM sqlite_master WHERE rootpage = ?";
    return `${text} (${String(this.connection.prepare(query).get(Number(page))?.["name"])})`;
  }
}

/** The rows that a step changes, whose condition binds the last values: whether there are many. */
function changedRows(sql: string): {
  readonly table: string;
  readonly find: string;
  readonly places: number;
} {
  const table = /^(?:DELETE FROM|UPDATE) "?(\w+)/.exec(sql)?.[1] ?? "";
  const condition = sql.slice(sql.search(/\sWHERE\s/));
  const find = `SELECT 1 FROM "${table}"${condition} LIMIT 1 OFFSET ${MOST_ROWS}`;
  return { table, find, places: condition.split("?").length - 1 };
}
