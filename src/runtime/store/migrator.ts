import type { SqlValue } from "./database.js";
import type { Migration, RecordedMigration } from "./migration.js";
import type { ColumnBounds } from "./storage-model.js";

/** Rows that stand in the way of a migration. */
export interface FoundRows {
  readonly count: number;
  /** Of the first ones. */
  readonly identifiers: readonly string[];
  /** What own code says of the first one; left out: a database has found them. */
  readonly reason?: string;
}

/** A row that a check looks at, by column name. */
export type FoundRow = Readonly<Record<string, unknown>>;

/** What own code makes of what is retired in a row: the line after the marker of a statement that converts, or checks. */
export interface RowRule {
  /** `merchantsV1ToV2`: the pair of functions, as own code exports it. */
  readonly pair: string;
  /** Where the objects are: in a column of JSON, and in it at `["[]"]`; left out: the row itself is the object. */
  readonly column?: string;
  readonly path?: readonly string[];
  /** By name, how values are held: the type of a column, or `decimal 2`. */
  readonly from: Readonly<Record<string, string>>;
  readonly to: Readonly<Record<string, string>>;
  /** What the schema asks besides of those of `to` that are neither lists nor objects. */
  readonly rules: Readonly<Record<string, ValueRule>>;
}

/** The kind of a value, and what its reader asks: the values of an enum, `maxLength`, `maximum`. */
export interface ValueRule {
  readonly form: string;
  readonly isRequired: boolean;
  readonly values?: readonly string[];
  readonly scale?: number;
  readonly bounds: ColumnBounds;
}

/** A migration needs functions that this release has no longer. */
export class MissingPair extends Error {
  constructor(pair: string) {
    super(`this release has no ${pair}: start the one that came with it first`);
  }
}

/** Converts rows by the service's own code, which each release brings along. */
export type RowConverter = (rule: RowRule, row: FoundRow) => readonly SqlValue[];

/** A statement of a migration that has been run. */
export interface MigrationEvent {
  readonly migration: string;
  readonly what: string;
  /** Of how many: 1 is the first. */
  readonly number: number;
  readonly of: number;
  readonly milliseconds: number;
  /** How many it changed; null where the database does not say. */
  readonly rows: number | null;
}

/** Hears of each statement that has been run, and can ask how large the database then is. */
export type MigrationListener = (
  event: MigrationEvent,
  bytes: () => Promise<number>,
) => void | Promise<void>;

/** How far to run a migration. */
export interface MigrationRun {
  /** Also what has to wait until no older release serves any more. */
  readonly isFinishing: boolean;
  readonly tell: MigrationListener;
  /** What the service's own code converts; null: nothing. */
  readonly convert?: RowConverter | null;
}

/** Changes the schema of a database; only one process has it at a time. */
export interface Migrator {
  /** What is on record, by name; nothing in a new database. */
  history(): Promise<readonly RecordedMigration[]>;
  /** The rows of a check; null where it reads what is not there yet, or no longer. */
  find(sql: string): Promise<FoundRows | null>;
  /** The rows of a query; null where it reads what is not there yet, or no longer. */
  rows(sql: string): Promise<readonly FoundRow[] | null>;
  /** Runs what has not been run of a migration, each statement with a record of it. */
  run(migration: Migration, run: MigrationRun): Promise<void>;
  /** Puts another storage on record for a migration that is applied: it means the same. */
  record(migration: Migration): Promise<void>;
}

/** How many identifiers a refusal shows. */
export const MOST_IDENTIFIERS = 20;
