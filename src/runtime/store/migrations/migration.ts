import type { SqlValue } from "../database.js";
import type {
  ColumnBounds,
  ForeignKey,
  HeldValue,
  StoredIndex,
  StoredTable,
  StoredValue,
} from "../storage-model.js";

/** One step of the schema's history, as a folder of `migrations` describes it. */
export interface Migration {
  readonly name: string;
  /** In the dialect of the database. */
  readonly script: string;
  /** The SHA-256 of the script, in hex. */
  readonly digest: string;
  /** What it does to the storage model; none where it was written by hand. */
  readonly steps: readonly MigrationStep[];
  /** What it was made on top of; empty where nothing is known of what it does. */
  readonly parents: readonly string[];
  /** How values are stored once it is applied; null where it says nothing of that. */
  readonly storage: StorageRecord | null;
  /** Older releases could not live with it: it waits until none serves. */
  readonly retiresOlder: boolean;
}

/** A storage model on record. */
export interface StorageRecord {
  readonly fingerprint: string;
  /** Compact JSON: at least the names of the tables that the migration makes. */
  readonly model: string;
}

/** A migration that the database has recorded as applied. */
export interface AppliedMigration {
  readonly name: string;
  readonly digest: string;
}

/** What is on record of a migration. */
export interface RecordedMigration extends AppliedMigration {
  /** Null: nothing was recorded. */
  readonly storage: StorageRecord | null;
  /** How many of its statements have been run where it is begun and not applied; otherwise null. */
  readonly done: number | null;
  /** The digests of the statements that have been run, in their order; those of an older runtime are missing. */
  readonly statements?: readonly string[];
  /** True where older releases can live with what has been done: with all of it, or with what is begun. */
  readonly isEarly?: boolean;
}

/**
 * `migration.json` of a migration's folder: what it does, as data. Beside it stand `sqlite.sql` and `postgres.sql`, the
 * scripts that do it.
 *
 * A script is divided by marker lines, which a sentence follows:
 *
 * - `-- check: <what must not be there>` a SELECT of the identifiers of rows that stand in the way. All checks run
 *   before anything is changed; any row refuses the migration.
 * - `-- run: <what it does>` one statement. SQLite runs all of a migration in one transaction, PostgreSQL each in a
 *   short one of its own, so that it is written to be run again.
 * - `-- batch: <what it does>` a statement that changes `:limit` rows at most; repeated until it changes none.
 * - `-- outside: <what it does>` PostgreSQL: a statement that no transaction may contain.
 * - `-- convert: <what it makes>` own code of the service makes columns of others: a SELECT, and an UPDATE of each row.
 *   It waits as what is marked `contract` does.
 * - `-- contract: <what it does>` PostgreSQL: one statement that has to wait until no older release serves any more.
 *
 * What stands before the first marker is a comment, or a script that is run as a whole where there is no marker.
 */
export interface MigrationFile {
  /** Of this description itself. */
  readonly format: 1;
  /** The migrations that it was made on top of: one, none for the first, more where branches were merged. */
  readonly parents: readonly string[];
  /** Of each parent, a SHA-256 of its files. */
  readonly parentDigests: Readonly<Record<string, string>>;
  readonly steps: readonly MigrationStep[];
  /** The fingerprint of the storage model that it and all that it was made on top of lead to. */
  readonly storage: string;
  /** Somebody wrote the scripts; the steps are what they say of them. */
  readonly handWritten?: boolean;
}

/**
 * One change of a storage model. A column is named by its path, which is also that of a member of an object in a JSON
 * column, and of what a list holds: `fax`, `deliveryAddress.state`, `lines[].price`, `tags[]`.
 */
export type MigrationStep =
  TableStep | ColumnStep | ValueStep | RowStep | IndexStep | ForeignKeyStep;

/** A table that is retired stands in the database, and nothing reads or writes it. */
export type TableStep =
  | { readonly step: "createTable"; readonly table: StoredTable }
  | { readonly step: "renameTable"; readonly table: string; readonly to: string }
  | { readonly step: "retireTable"; readonly table: string }
  | { readonly step: "restoreTable"; readonly table: string }
  | { readonly step: "dropTable"; readonly table: string };

interface OfColumn {
  readonly table: string;
  readonly path: string;
}

/** A column that is retired may be null, and nothing reads or writes it. */
export type ColumnStep =
  | (OfColumn & {
      readonly step: "addColumn";
      readonly column: StoredValue;
      readonly backfill: Backfill | null;
    })
  /** `to` is a name, not a path. */
  | (OfColumn & { readonly step: "renameColumn"; readonly to: string })
  | (OfColumn & { readonly step: "retireColumn" })
  /** Rows that were made in between have no value: they get that of `filled`; left out: they stay as they are. */
  | (OfColumn & { readonly step: "restoreColumn"; readonly filled?: FilledColumn })
  /** Of one that is retired. */
  | (OfColumn & { readonly step: "dropColumn" });

/** Of a column that stays. */
export type ValueStep =
  | (OfColumn & {
      readonly step: "convertColumn";
      readonly from: HeldValue;
      readonly to: HeldValue;
    })
  | (OfColumn & {
      readonly step: "setNullable";
      readonly nullable: boolean;
    })
  /** What it can be has changed; what is stored stays as it is, or the migration is refused. */
  | (OfColumn & {
      readonly step: "changeValues";
      /** Of an enum. */
      readonly values: readonly string[] | null;
      readonly bounds: ColumnBounds;
      /** Older versions show another value instead of one that is new (`inOlderVersions`). */
      readonly isShownInstead?: boolean;
    });

/** What own code of the service makes of what is retired, in every row: of a table, or of the objects inside a column (VER-2). */
export interface RowStep {
  readonly step: "convertRows";
  readonly table: string;
  /** `merchantsV1ToV2`: the pair of functions. */
  readonly pair: string;
  /** Paths, all in one object. */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Of an index. */
export type IndexStep =
  | { readonly step: "addIndex"; readonly table: string; readonly index: StoredIndex }
  | {
      readonly step: "renameIndex";
      readonly table: string;
      readonly index: string;
      readonly to: string;
    }
  | { readonly step: "dropIndex"; readonly table: string; readonly index: string };

/** Of a foreign key. */
export type ForeignKeyStep =
  | { readonly step: "addForeignKey"; readonly table: string; readonly foreignKey: ForeignKey }
  | {
      readonly step: "renameForeignKey";
      readonly table: string;
      readonly foreignKey: string;
      readonly to: string;
    }
  | { readonly step: "dropForeignKey"; readonly table: string; readonly foreignKey: string };

/** A column as it is wanted, and what rows get in it; null is for members inside JSON, which are not there. */
export interface FilledColumn {
  readonly column: StoredValue;
  readonly backfill: Backfill | null;
}

/** What rows hold that were there before: a value as the column holds it, or what a function of the user makes of them. */
export type Backfill =
  { readonly value: string | number | boolean } | { readonly converted: string };

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
