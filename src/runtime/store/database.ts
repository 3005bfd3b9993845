/**
 * What the rest of the runtime knows of a database: statements with bound values, units of writes, and the errors of both.
 * Start here, then entity-store.ts, which keeps entities in tables, and list-sql.ts, which makes the statement of a list.
 * sqlite/ and postgres/ implement it, migrations/ changes its tables; open-database.ts chooses between them. Nothing in
 * this folder knows HTTP or custom code.
 */
import { OwnCodeFault } from "../base/custom-code.js";
import type { AppliedMigration, RecordedMigration, Migrator } from "./migrations/migration.js";

/** What a database column can hold, and what can be bound to a statement. */
export type SqlValue = string | number | bigint | null;

/** One row of a result, by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** One statement of a unit of writes. */
export interface WriteStep {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** How many rows it must change; left out, any number will do. */
  readonly changes?: number;
  /** True where it names its rows by a key, so that it changes as many as it must or none: a refusal leaves nothing to be undone. */
  readonly isKeyed?: boolean;
  /** The error that the unit is rejected with when it changes another number of rows. */
  readonly otherwise?: () => Error;
  /** True where it may change any number of rows: what belongs to an entity that is deleted (CHD-4). */
  readonly isOpenEnded?: boolean;
}

/** Where a database says once what is wrong with its storage, and when that is over: a logger. */
export interface StorageLog {
  error(message: string): void;
  info(message: string): void;
}

/** Names the file of a migration: `sqlite.sql`. */
export type DialectName = "sqlite" | "postgres";

/** What a driver has to know of migrations before it begins with them. */
export interface SchemaChange {
  /** SQLite: a table is made anew, for which foreign keys are switched off. */
  readonly isRebuilding: boolean;
  /** SQLite: hears once that another process keeps the file locked, and is waited for. */
  readonly onLocked?: (() => void) | undefined;
}

/** Statements that can find a page of a filtered and sorted list sooner than its own one. */
export interface SortedStatements {
  /** Counts the rows that pass the filters up to a limit; binds their values, the limit, an offset. Null: many are known to. */
  readonly few: string | null;
  /** Walks through the table in the order of the sort; its plan tells whether there is an index for that. */
  readonly walk: string;
  /** The page among the first rows of the sort; binds the filters' values, three times how many, a limit, an offset. */
  readonly ahead: string;
}

/** One page of such a list: its own statement, and the values that this binds. */
export interface SortedPage extends SortedStatements {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Counts the rows that pass filters. */
export interface CountStatements {
  /** Binds the values of the filters. */
  readonly count: string;
  /** Stops at a limit; binds an offset as well. */
  readonly few: string;
}

/** A process that serves, as it has recorded itself. */
export interface ServingProcess {
  readonly id: string;
  /** The name of its last migration. */
  readonly release: string;
  readonly host: string;
  readonly process: number;
}

/** What the service asks of a database; every driver keeps the same promises. */
export interface Database {
  readonly dialect: DialectName;
  /** What a user calls it: the name of its file, or of a server's database. */
  readonly name: string;
  /**
   * All rows of a query. Throws `ResultTooLarge` where they hold more than `bound` says, and may throw `RecipientGone`.
   */
  all(
    sql: string,
    values: readonly SqlValue[],
    bound?: RowBound,
    recipient?: Recipient,
  ): Promise<readonly SqlRow[]>;
  /** SQLite: the rows of a page, as `all` gives them for its `sql`. PostgreSQL plans such a list well by itself. */
  sortedPage?(
    page: SortedPage,
    bound?: RowBound,
    recipient?: Recipient,
  ): Promise<readonly SqlRow[]>;
  /** SQLite: how many rows a statement counts where they are few and known at once; null: it has to be run. */
  countFew?(counting: CountStatements, values: readonly SqlValue[]): number | null;
  /** The first row of a query, or undefined. May throw `RecipientGone`. */
  get(sql: string, values: readonly SqlValue[], recipient?: Recipient): Promise<SqlRow | undefined>;
  /** Writes all of the steps or none; resolves once they are durable. Throws `UniqueViolation`, `ReferenceViolation` and `StorageUnavailable`. */
  write(steps: readonly WriteStep[]): Promise<void>;
  /** The migrations on record as applied, oldest first; none in a new database. */
  migrations(): Promise<readonly AppliedMigration[]>;
  /** What is on record of them, those included that are half done. */
  history(): Promise<readonly RecordedMigration[]>;
  /** Does what changes the schema while no other process can; nobody is served meanwhile by this one. */
  migrating<T>(schema: SchemaChange, work: (migrator: Migrator) => Promise<T>): Promise<T>;
  /**
   * Records that this process serves, with the name of its last migration. From then on reads and writes throw
   * `StorageUnavailable` once a newer release has migrated the database so that this one would misread it.
   */
  serve(release: string): Promise<void>;
  /** The processes that serve now. */
  serving(): Promise<readonly ServingProcess[]>;
  /** Throws `StorageUnavailable` when the database no longer answers, or is no longer the one that was opened. */
  check(): Promise<void>;
  /** Where to tell of faults that are not only one request's. */
  reportTo?(log: StorageLog): void;
  /** Finishes what is queued and lets go of the database. */
  close(): Promise<void>;
}

/** Who waits for the rows of a query: those of different ones have turns, and nobody works for one who has gone. */
export interface Recipient {
  /** The same for all that one caller asks for. */
  readonly recipientKey: string;
  readonly isGone: boolean;
  /** Calls `tell` when it goes; returns how to take that back. */
  onGone(tell: () => void): () => void;
}

/** What each row of a statement of custom code counts beside its values: as much is kept of it, about. */
export const CUSTOM_ROW_BYTES = 100;

/** How much the rows of a query may hold together; one row is never too large, but of custom code's statements. */
export interface RowBound {
  /** As many as the query can give. */
  readonly rows: number;
  readonly bytes: number;
  /** True for a statement of custom code: it cannot write, is taken for slow, and whole numbers are bigints in its rows. */
  readonly isCustom?: boolean;
}

/** What is thrown where a statement of custom code would write. */
export function writeRefused(): OwnCodeFault {
  const message = "only reads, and would write";
  return new OwnCodeFault("context.sql", [{ field: "the statement", message }]);
}

/** The rows of a query hold more than they may. */
export class ResultTooLarge extends Error {
  override readonly name = "ResultTooLarge";

  constructor(readonly mostBytes: number) {
    super(`The rows hold more than ${mostBytes} bytes.`);
  }
}

/** Nobody waits for the rows of a query any more, and it was not carried out to its end. */
export class RecipientGone extends Error {
  override readonly name = "RecipientGone";
}

/** A write would have repeated a value that must be unique. */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";

  constructor(
    readonly table: string,
    readonly columns: readonly string[],
  ) {
    super(`${table} already has this ${columns.join(", ")}`);
  }
}

/** A write would have left a reference to something that does not exist. */
export class ReferenceViolation extends Error {
  override readonly name = "ReferenceViolation";
}

/** The storage cannot answer for now (busy, full, read-only, gone); the request may be tried again later. */
export class StorageUnavailable extends Error {
  override readonly name = "StorageUnavailable";
}

/** A statement took longer than it may, and was ended; another attempt would take as long. */
export class StatementTimeout extends StorageUnavailable {}

/** Another request changed or deleted the entity between the reading and the writing. */
export class WriteConflict extends Error {
  override readonly name: string = "WriteConflict";
}

/** Likewise, where code of the service's own took part: it may be the reason, and another attempt then ends alike. */
export class OwnCodeConflict extends WriteConflict {
  override readonly name = "OwnCodeConflict";
}

/** What a write of an entity that is no longer there as it was read is rejected with. */
export function changedSince(entity: string): WriteConflict {
  return new WriteConflict(`${entity} was changed by another transaction.`);
}

const MOST_ATTEMPTS = 6;
const FIRST_PAUSE_MILLISECONDS = 5;

/** Does its work again as long as it fails for a reason that passes, a bounded number of times, with growing random pauses. */
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
    // Random, so that those who met do not meet again.
    const longest = FIRST_PAUSE_MILLISECONDS * 2 ** attempt;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
  }
}
