import { statfsSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";

import { StartRefusal } from "../../base/errors.js";
import {
  StorageUnavailable,
  type Recipient,
  type SqlRow,
  type StorageLog,
  type WriteStep,
  StorageReport,
} from "../database.js";
import { ReleaseRetired } from "../releases.js";
import { checkChanges } from "../write-sql.js";
import { isDamaged, isLocked, sqliteError, type SqliteConnection } from "./module.js";
import { DatabaseLocked } from "./group-commit.js";
import { LongStatements, rowsOf, workersHere, statementProgram } from "./long-statements.js";
import { LongReads, type ReadPlan } from "./read-plan.js";
import type { ReadOrder } from "./statements.js";

/** The shortest time between two probes. */
const PROBE_MILLISECONDS = 1000;
/** A disk with less space counts as full. */
const LEAST_FREE_BYTES = 1_048_576;
/** Writes a page without a change of value. */
const PROBE = `UPDATE "schema_migrations" SET "applied_date" = "applied_date" WHERE rowid = 1`;
/** Tables with row numbers, which a search index and some of its tables lack. */
const TABLES = `SELECT "name" FROM pragma_table_list
  WHERE "schema" = 'main' AND "type" IN ('table', 'shadow') AND NOT "wr" ORDER BY "name"`;

/** Probes whether a database file can be read and written, for `/readyz`. */
class SqliteProbe {
  private probed = -PROBE_MILLISECONDS;
  private unwritable: unknown = null;
  private damage: StorageUnavailable | null = null;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly path: string,
    /** Called with each fault of SQLite that a probe finds. */
    private readonly report: (fault: StorageUnavailable) => void,
  ) {}

  /** Throws if a table is damaged or nothing can be written. A lock is not a fault. */
  check(): void {
    const now = performance.now();
    if (now - this.probed >= PROBE_MILLISECONDS) {
      this.probed = now;
      this.unwritable = this.probe();
    }
    const fault = this.damage ?? this.unwritable;
    if (fault !== null) throw fault;
  }

  /** A transaction succeeded. */
  committed(): void {
    this.unwritable = null;
  }

  /** A request has met a fault. Damage stays known until a restart. */
  met(fault: StorageUnavailable): void {
    if (isDamaged(fault)) this.damage = fault;
    else {
      this.unwritable = fault;
      this.probed = performance.now();
    }
  }

  /** Null without a fault. */
  private probe(): unknown {
    try {
      this.readEnds();
      this.connection.prepare(PROBE).run();
      return this.fullDisk();
    } catch (error) {
      if (isLocked(error)) return null;
      const fault = sqliteError(error);
      if (fault instanceof StorageUnavailable) this.report(fault);
      return fault;
    }
  }

  /** Reads the first and last row of each table, which are few pages. */
  private readEnds(): void {
    for (const { name } of this.connection.prepare(TABLES).all())
      for (const end of ["min", "max"])
        this.connection.prepare(`SELECT ${end}(rowid) FROM "${String(name)}"`).get();
  }

  /** A single page may still fit on a full disk. */
  private fullDisk(): StorageUnavailable | null {
    const { bavail, blocks, bsize } = statfsSync(this.path);
    if (blocks === 0 || bavail * bsize >= LEAST_FREE_BYTES) return null;
    return new StorageUnavailable(`The disk of ${this.path} is full.`);
  }
}

/** A statement ends a little before its request. */
const MILLISECONDS_OF_A_SECOND = 900;
/** A larger unit is written by another process. */
const MOST_ROWS = 500;
/** A statement that took longer leaves a process for others. */
const SLOW_MILLISECONDS = 100;
const PROGRAM_MISSING =
  "@rulebound/runtime is not installed where the bundle runs: the service blocks while a long-running query runs.";
const FIND_DAMAGE = "PRAGMA integrity_check(1)";

/** A database file, apart from its connection: its faults, and the processes for long-running statements. */
export class SqliteFile {
  private readonly files: SqliteFiles;
  private readonly reads: LongReads;
  /** Null if the program is missing; then everything runs in this process. */
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

  reportTo(log: StorageLog): void {
    this.troubles.log = log;
    if (this.program === null) log.error(PROGRAM_MISSING);
  }

  /** After a migration: from now on a start without this file is refused. */
  migrated(): void {
    this.reads.clear();
    markCreated(this.path);
  }

  /** Throws `StorageUnavailable` if the files were replaced or deleted. */
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

  /** For reads: checks the files only if they were gone before. Throws `StorageUnavailable` if they still are. */
  checkKnown(): void {
    if (this.isGone) this.check();
  }

  checkUsable(): void {
    this.probe.check();
  }

  planOf(sql: string): ReadPlan {
    return this.reads.of(sql);
  }

  mayTakeLong(plan: ReadPlan): boolean {
    return this.program !== null && this.reads.mayTakeLong(plan);
  }

  /** All rows of a long statement. */
  async read(plan: ReadPlan, order: ReadOrder, recipient?: Recipient): Promise<readonly SqlRow[]> {
    this.check();
    const isSlow = (plan.milliseconds ?? 0) > SLOW_MILLISECONDS;
    const outcome = await this.readers.read(order, { isSlow, recipient });
    plan.milliseconds = outcome.milliseconds;
    return rowsOf(outcome);
  }

  /** Whether a unit changes too many rows for the event loop. */
  isLarge(steps: readonly WriteStep[]): boolean {
    if (this.program === null) return false;
    if (steps.length > MOST_ROWS) return true;
    return steps.some((step) => step.isOpenEnded === true && this.changesMany(step));
  }

  /** Writes a unit in another process. */
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

  committed(): void {
    this.probe.committed();
    this.troubles.ended("The database can be written again.", "locked", "unwritable", "overloaded");
  }

  /** Reports a fault once for all requests that meet it. */
  report(fault: StorageUnavailable): void {
    const { troubles, path } = this;
    // The lease reports it.
    if (fault instanceof ReleaseRetired) return;
    if (fault instanceof DatabaseGone) {
      this.isGone = true;
      troubles.reportTrouble("files", fault.message);
    } else if (fault instanceof DatabaseLocked || isLocked(fault)) {
      const locked = "Another process keeps the database locked, or a large deletion of this one";
      troubles.reportTrouble(
        "locked",
        `${locked}: until it is free, writes to ${path} return 503.`,
      );
    } else if (isDamaged(fault)) {
      this.probe.met(fault);
      if (troubles.began("damaged")) void this.reportDamage(fault);
    } else if (fault.cause === undefined) troubles.reportTrouble("overloaded", fault.message);
    else {
      troubles.reportTrouble(
        "unwritable",
        `The database ${path} cannot be used now: ${fault.message}.`,
      );
      this.probe.met(fault);
    }
  }

  /** Ends the processes, and writes a checkpoint, which not every driver does itself. */
  async close(): Promise<void> {
    await Promise.all([this.readers.close(), this.writer.close()]);
    try {
      this.connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // The -wal file keeps the writes for the next start.
    }
  }

  private changesMany({ sql, values }: WriteStep): boolean {
    const { table, find, places } = changedRows(sql);
    if (this.reads.rowsOf(table) <= MOST_ROWS) return false;
    try {
      return this.connection.prepare(find).get(...values.slice(-places)) !== undefined;
    } catch {
      // The next write meets and reports the same fault.
      return true;
    }
  }

  /** SQLite names the page only after a check of all pages. */
  private async reportDamage({ message }: StorageUnavailable): Promise<void> {
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

  /** SQLite knows a table by its first page. */
  private named(found: string): string {
    const text = found.replace(/\s+/g, " ");
    const page = /Tree (\d+)/.exec(text)?.[1];
    if (page === undefined) return text;
    const query = "SELECT name FROM sqlite_master WHERE rootpage = ?";
    return `${text} (${String(this.connection.prepare(query).get(Number(page))?.["name"])})`;
  }
}

/** Composes a query that finds a row if a step changes many; the condition binds the last values of the step. */
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

/** SQLite keeps all three files as long as a connection is open. */
const SUFFIXES = ["", "-wal", "-shm"];
/** The suffix of the marker next to a database. */
export const MARKER = ".created";
const COARSEST_CLOCK_MILLISECONDS = 2500;

/** The identity of a file. */
interface Identity {
  readonly dev: number;
  readonly ino: number;
}

/** An opened database file. */
export interface OpenedFile {
  readonly path: string;
  readonly identity: string;
}

/** The files of an open database were replaced or deleted: writes would be lost. */
class DatabaseGone extends StorageUnavailable {}

class SqliteFiles {
  private readonly opened: readonly (Identity | null)[];
  private readonly folder: string;
  /** The change time of the folder when all files were last found. */
  private unchangedSince = 0;

  constructor(private readonly path: string) {
    this.opened = SUFFIXES.map((suffix) => identityOf(path + suffix));
    this.folder = dirname(path);
  }

  /** The main file. */
  get database(): OpenedFile {
    const [database] = this.opened;
    return { path: this.path, identity: `${database?.dev}:${database?.ino}` };
  }

  /** Throws `DatabaseGone`, until the same files are back. */
  check(): void {
    // Creating or deleting a file changes its folder, so the folder alone is usually enough.
    const changed = statSync(this.folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (changed === this.unchangedSince && changed > 0) return;
    this.checkEach();
    // Some file systems have change times in steps of two seconds.
    if (Date.now() - changed > COARSEST_CLOCK_MILLISECONDS) this.unchangedSince = changed;
  }

  private checkEach(): void {
    for (const [index, suffix] of SUFFIXES.entries()) {
      const opened = this.opened[index] ?? null;
      if (opened === null) continue;
      const found = identityOf(this.path + suffix);
      if (found !== null && found.ino === opened.ino && found.dev === opened.dev) continue;
      throw new DatabaseGone(
        `The database file ${this.path}${suffix} was removed or replaced while the service was running: ` +
          "every request that needs it is answered with 503. Put that very file back; or stop the service, restore a backup and start it again.",
      );
    }
  }
}

/** Refuses to create a database in place of a lost one. Throws `StartRefusal`. */
export function refuseLostFile(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? null;
  if (size !== null && size > 0) return;
  if (existsSync(path + MARKER)) throw lostDatabase(path, size === null ? "is gone" : "is empty");
}

/** Refuses a database that has lost its tables. Throws `StartRefusal`. */
export function refuseLostTables(path: string): void {
  if (existsSync(path + MARKER)) throw lostDatabase(path, "has none of its tables");
}

/**
 * Refuses to create a database next to another one: the default file is named after the service, so a renamed service would
 * seem to have lost its data. Throws `StartRefusal`.
 */
export function refuseOtherFile(path: string): void {
  // A lost database has a refusal of its own.
  if (existsSync(path) || existsSync(path + MARKER)) return;
  const folder = dirname(path);
  const others = databasesIn(folder);
  const [other] = others;
  if (other === undefined) return;
  throw new StartRefusal(
    `There is no database ${path}, and there is another one next to it: ${others.join(", ")}. The default file is called ` +
      `like the service, whose name may have changed. To go on with ${other}, set DATABASE_URL=sqlite:${folder}/${other}, or ` +
      `rename all files that begin with ${other}. To begin with an empty database, move them away.`,
  );
}

function databasesIn(folder: string): readonly string[] {
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const names = files.map(({ name }) => name).filter((name) => name.endsWith(".db"));
    return names.sort();
  } catch {
    // The start creates the folder, or reports why it cannot.
    return [];
  }
}

/** From now on a start without this file is refused. */
export function markCreated(path: string): void {
  if (existsSync(path + MARKER)) return;
  const name = basename(path);
  writeFileSync(
    path + MARKER,
    `${name} was created here. While this file is next to it, the service does not start without ${name},\n` +
      "so that a lost database is not mistaken for a new one. Delete both to begin with an empty one.\n",
  );
}

function lostDatabase(path: string, what: string): StartRefusal {
  return new StartRefusal(
    `The database ${path} ${what}, and there was one before. Restore it from a backup; ` +
      `or delete ${path}${MARKER} to begin with an empty one.`,
  );
}

function identityOf(path: string): Identity | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}
