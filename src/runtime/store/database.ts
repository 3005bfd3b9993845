import { OwnCodeFault } from "../base/custom-code.js";
import type { AppliedMigration, RecordedMigration, Migrator } from "./migrations/migration.js";

/**
 * The interface between the runtime and a database: statements with bound values, units of writes, and their errors. Start here,
 * then entity-store.ts, which stores entities in tables, and list-sql.ts, which composes the statements of lists. sqlite/ and
 * postgres/ implement the interface, migrations/ changes the tables, and open-database.ts chooses the driver. Nothing in this
 * folder handles HTTP requests. Custom code runs here only in functions that callers pass in.
 */

export type SqlValue = string | number | bigint | null;

/** One row of a result, by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** One statement of a unit of writes. */
export interface WriteStep {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** The number of rows that it must change. If absent, any number is fine. */
  readonly changes?: number;
  /** True if it selects its rows by a key, so that it changes the required number or none: a failure leaves nothing to undo. */
  readonly isKeyed?: boolean;
  /** The error if it changes another number of rows. */
  readonly otherwise?: () => Error;
  /** True if it may change a large number of rows, such as all children of a deleted entity (CHD-4). */
  readonly isOpenEnded?: boolean;
}

/** The log for faults of the storage, which are reported once and not for every request. */
export interface StorageLog {
  error(message: string): void;
  info(message: string): void;
}

/** Also the name of a migration's script: `sqlite.sql`. */
export type DialectName = "sqlite" | "postgres";

export interface SchemaChange {
  /** SQLite: a script rebuilds or drops a table, for which foreign keys are switched off. */
  readonly isRebuilding: boolean;
  /** SQLite: called once if another process has locked the file, so that the migration has to wait. */
  readonly onLocked?: (() => void) | undefined;
}

/** Statements that may find a page of a filtered and sorted list faster than its normal one. */
export interface SortedStatements {
  /**
   * Counts the rows that pass the filters up to a limit; binds their values, the limit, an offset. Null means that many are
   * assumed to pass.
   */
  readonly few: string | null;
  /** Never run: the plan of this statement shows whether an index provides the order of the sort. */
  readonly walk: string;
  /**
   * The page among the first rows of the sort. Binds the values of the filters, the number of these rows (three times), a limit,
   * an offset.
   */
  readonly ahead: string;
}

export interface SortedPage extends SortedStatements {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export interface CountStatements {
  /** Binds the values of the filters. */
  readonly count: string;
  /** Stops at a limit; also binds the limit and an offset. */
  readonly few: string;
}

export interface ServingProcess {
  readonly id: string;
  /** The name of its last migration. */
  readonly release: string;
  readonly host: string;
  readonly process: number;
}

/** The operations of a database, which all drivers implement with the same guarantees. */
export interface Database {
  readonly dialect: DialectName;
  /** The name for users: of the file, or of the database on a server. */
  readonly name: string;
  /** Reads all rows of a query. Throws `ResultTooLarge` if they exceed `bound`, and may throw `RecipientGone`. */
  all(
    sql: string,
    values: readonly SqlValue[],
    bound?: RowBound,
    recipient?: Recipient,
  ): Promise<readonly SqlRow[]>;
  /** SQLite: reads the rows of a page, the same as `all` for its `sql`. PostgreSQL plans such lists well by itself. */
  sortedPage?(
    page: SortedPage,
    bound?: RowBound,
    recipient?: Recipient,
  ): Promise<readonly SqlRow[]>;
  /** SQLite: counts at once if the rows are few and `count` may take long. Null means that `count` has to be run. */
  countFew?(counting: CountStatements, values: readonly SqlValue[]): number | null;
  /** Reads the first row of a query. May throw `RecipientGone`. */
  get(sql: string, values: readonly SqlValue[], recipient?: Recipient): Promise<SqlRow | undefined>;
  /**
   * Writes all steps or none, and resolves once they are durable. Throws `UniqueViolation`, `ReferenceViolation`,
   * `StorageUnavailable`, and the `otherwise` of a step.
   */
  write(steps: readonly WriteStep[]): Promise<void>;
  /** Reads the applied migrations, in the order of their names; empty for a new database. */
  migrations(): Promise<readonly AppliedMigration[]>;
  /** Reads all recorded migrations, including half applied ones. */
  history(): Promise<readonly RecordedMigration[]>;
  /** Runs `work` while no other process can change the schema. Call it only while this process handles no requests. */
  migrating<T>(schema: SchemaChange, work: (migrator: Migrator) => Promise<T>): Promise<T>;
  /**
   * Records this process as a running one, with the name of its last migration. From then on, reads and writes throw
   * `StorageUnavailable` once a newer release has migrated the database so that this release would misread it.
   */
  serve(release: string): Promise<void>;
  serving(): Promise<readonly ServingProcess[]>;
  /** Throws `StorageUnavailable` if the database does not respond, cannot be written, or is not the one that was opened. */
  check(): Promise<void>;
  /** Sets the log for faults that concern more than one request. */
  reportTo?(log: StorageLog): void;
  /** Finishes queued writes, on PostgreSQL within a time limit, and closes the database. */
  close(): Promise<void>;
}

/**
 * The client that waits for the rows of a query. Only SQLite uses it: clients take turns with long statements, and that of a
 * disconnected client is ended.
 */
export interface Recipient {
  /** Identifies the caller: all requests of one caller have the same key. */
  readonly recipientKey: string;
  readonly isGone: boolean;
  /** Calls `tell` when the client disconnects. Returns a function that cancels this. */
  onGone(tell: () => void): () => void;
}

/** The approximate memory of a row of a custom statement, in addition to its values. */
export const CUSTOM_ROW_BYTES = 100;

/** The limit of a query's rows in total. A single row is never too large, except for custom statements. */
export interface RowBound {
  /** The largest number of rows that the query can return. */
  readonly rows: number;
  readonly bytes: number;
  /** True for a statement of custom code: it cannot write, counts as slow, and returns whole numbers as bigints. */
  readonly isCustom?: boolean;
}

export function writeRefused(): OwnCodeFault {
  const message = "only reads, and would write";
  return new OwnCodeFault("context.sql", [{ field: "the statement", message }]);
}

export class ResultTooLarge extends Error {
  override readonly name = "ResultTooLarge";

  constructor(readonly mostBytes: number) {
    super(`The rows hold more than ${mostBytes} bytes.`);
  }
}

/** The client disconnected before its query had finished. */
export class RecipientGone extends Error {
  override readonly name = "RecipientGone";
}

export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";

  constructor(
    readonly table: string,
    readonly columns: readonly string[],
  ) {
    super(`${table} already has this ${columns.join(", ")}`);
  }
}

/** A write would have left a reference to an entity that does not exist. */
export class ReferenceViolation extends Error {
  override readonly name = "ReferenceViolation";
}

/** The storage is busy, full, read-only or gone; the request may be retried later. */
export class StorageUnavailable extends Error {
  override readonly name = "StorageUnavailable";
}

/** A statement exceeded its time limit and was ended; another attempt may take as long. */
export class StatementTimeout extends StorageUnavailable {}

/** The write conflicts with that of another request: an entity has changed since it was read, or a reference has no target. */
export class WriteConflict extends Error {
  override readonly name: string = "WriteConflict";
}

/** A conflict in a request with custom code. If that code caused it, another attempt fails in the same way. */
export class OwnCodeConflict extends WriteConflict {
  override readonly name = "OwnCodeConflict";
}

export function changedSince(entity: string): WriteConflict {
  return new WriteConflict(`${entity} was changed by another transaction.`);
}

const MOST_ATTEMPTS = 6;
const FIRST_PAUSE_MILLISECONDS = 5;

/** Retries work with growing random pauses while `mayPass` is true of its error, up to `most` attempts in total. */
export async function withRetries<T>(
  work: () => Promise<T>,
  mayPass: (error: unknown) => boolean,
  most = MOST_ATTEMPTS,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= most || !mayPass(error)) throw error;
    }
    // Random, so that attempts that collided do not collide again.
    const longest = FIRST_PAUSE_MILLISECONDS * 2 ** attempt;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
  }
}

type StorageTrouble = "locked" | "files" | "unwritable" | "damaged" | "overloaded";

/** Reports the beginning and the end of each trouble once, and not for every request. */
export class StorageReport {
  /** Null before there is a log; a trouble that begins before that is not reported. */
  log: StorageLog | null = null;
  private readonly known = new Set<StorageTrouble>();

  /** Returns true unless the trouble had begun before. */
  began(trouble: StorageTrouble): boolean {
    if (this.known.has(trouble)) return false;
    this.known.add(trouble);
    return true;
  }

  reportTrouble(trouble: StorageTrouble, message: string): void {
    if (this.began(trouble)) this.log?.error(message);
  }

  /** Forgets the troubles, and logs the message if one of them had begun. */
  ended(message: string, ...troubles: readonly StorageTrouble[]): void {
    if (this.known.size === 0) return;
    const over = troubles.filter((trouble) => this.known.delete(trouble));
    if (over.length > 0) this.log?.info(message);
  }
}
