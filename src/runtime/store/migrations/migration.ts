import type { SqlValue } from "../database.js";
import type {
  ColumnBounds,
  ForeignKey,
  HeldValue,
  StoredIndex,
  StoredTable,
  StoredValue,
} from "../storage-model.js";

/** A folder of `migrations`. */
export interface Migration {
  readonly name: string;
  /** In the dialect of the database. */
  readonly script: string;
  /** The SHA-256 of the script, in hex. */
  readonly digest: string;
  /** Its changes of the storage model; empty if they are unknown. */
  readonly steps: readonly MigrationStep[];
  /** Its parents; empty for the first migration and for hand-written ones. */
  readonly parents: readonly string[];
  /** The storage model after it; null if it does not record one. */
  readonly storage: StorageRecord | null;
  /** True if a part of it must wait until no older release is running. */
  readonly retiresOlder: boolean;
}

export interface StorageRecord {
  readonly fingerprint: string;
  /** Compact JSON, at least with the names of the tables. */
  readonly model: string;
}

export interface AppliedMigration {
  readonly name: string;
  readonly digest: string;
}

export interface RecordedMigration extends AppliedMigration {
  readonly storage: StorageRecord | null;
  /** The number of statements that were run, if it is half applied. */
  readonly done: number | null;
  /** The digests of the statements that were run; an older runtime recorded none. */
  readonly statements?: readonly string[];
  /** Whether older releases can continue with what has been done. */
  readonly isEarly?: boolean;
}

/**
 * `migration.json` of a migration's folder: its changes, as data. The scripts that make them are next to it, in `sqlite.sql` and
 * `postgres.sql`.
 *
 * A script is divided by marker lines, each with a sentence:
 *
 * - `-- check: <what must not exist>` a SELECT of the identifiers of rows that violate the check. All checks of a migration run
 *   before its first change; a single row refuses the migration.
 * - `-- read: <what must not exist>` a SELECT of values that the runtime checks, such as for a format. It runs like a `check`.
 * - `-- run: <what it does>` one statement. SQLite runs all statements of a migration in one transaction. PostgreSQL runs each
 *   in a short transaction of its own, so that the statement must be safe to run again.
 * - `-- batch: <what it does>` a statement that changes `:limit` rows at most. PostgreSQL repeats it until it changes none, and
 *   SQLite runs it once without a limit.
 * - `-- fill: <what it fills>` a SELECT of texts for a search table. `refill` fills what is missing, and waits.
 * - `-- outside: <what it does>` PostgreSQL: a statement that cannot run inside a transaction.
 * - `-- convert: <what it makes>` custom code computes columns from other columns: a SELECT, and an UPDATE of each row. It waits
 *   like a `contract` statement.
 * - `-- contract: <what it does>` PostgreSQL: one statement that has to wait until no older release is running.
 *
 * Lines before the first marker must be comments. A script without markers is run as a whole.
 */
export interface MigrationFile {
  /** The version of this format. */
  readonly format: 1;
  /** One parent, none for the first migration, several after a merge of branches. */
  readonly parents: readonly string[];
  /** The SHA-256 of the files of each parent. */
  readonly parentDigests: Readonly<Record<string, string>>;
  readonly steps: readonly MigrationStep[];
  /** The fingerprint of the resulting storage model. */
  readonly storage: string;
  /** The scripts are hand-written, and their author has stated the steps. */
  readonly handWritten?: boolean;
}

/**
 * One change of a storage model. A path names a column, a member of an object in a JSON column, or the items of a list: `fax`,
 * `deliveryAddress.state`, `lines[].price`, `tags[]`.
 */
export type MigrationStep =
  TableStep | ColumnStep | ValueStep | RowStep | IndexStep | ForeignKeyStep;

/** A retired table still exists, but nothing uses it. */
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

/** A retired column may be null, and nothing uses it. */
export type ColumnStep =
  | (OfColumn & {
      readonly step: "addColumn";
      readonly column: StoredValue;
      readonly backfill: Backfill | null;
    })
  /** `to` is a name, not a path. */
  | (OfColumn & { readonly step: "renameColumn"; readonly to: string })
  | (OfColumn & { readonly step: "retireColumn" })
  /** `filled` is the value for rows that were inserted while the column was retired. */
  | (OfColumn & { readonly step: "restoreColumn"; readonly filled?: FilledColumn })
  /** Only retired columns are dropped. */
  | (OfColumn & { readonly step: "dropColumn" });

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
  /** Changes the rules of a column. Stored values stay, or the migration is refused. */
  | (OfColumn & {
      readonly step: "changeValues";
      readonly values: readonly string[] | null;
      readonly bounds: ColumnBounds;
      /** Older versions show another value for a new one (`inOlderVersions`). */
      readonly isShownInstead?: boolean;
    });

/** Fills columns in every row of a table, or in the objects of a column, from those of another version (VER-2). */
export interface RowStep {
  readonly step: "convertRows";
  readonly table: string;
  /** `merchantsV1ToV2`: the pair of functions. */
  readonly pair: string;
  /** Paths, all in one object. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** `toOlder` makes columns of an older version. Missing: `toNewer` makes those of a newer one. */
  readonly isBack?: true;
}

export type IndexStep =
  | { readonly step: "addIndex"; readonly table: string; readonly index: StoredIndex }
  | {
      readonly step: "renameIndex";
      readonly table: string;
      readonly index: string;
      readonly to: string;
    }
  | { readonly step: "dropIndex"; readonly table: string; readonly index: string };

export type ForeignKeyStep =
  | { readonly step: "addForeignKey"; readonly table: string; readonly foreignKey: ForeignKey }
  | {
      readonly step: "renameForeignKey";
      readonly table: string;
      readonly foreignKey: string;
      readonly to: string;
    }
  | { readonly step: "dropForeignKey"; readonly table: string; readonly foreignKey: string };

/** A new column, and its value for existing rows; null for members of JSON, which stay absent. */
export interface FilledColumn {
  readonly column: StoredValue;
  readonly backfill: Backfill | null;
}

/** The value of existing rows: a constant, or the result of a function of the user. */
export type Backfill =
  { readonly value: string | number | boolean } | { readonly converted: string };

/** Rows that violate a check. */
export interface FoundRows {
  readonly count: number;
  /** The first of them. */
  readonly identifiers: readonly string[];
  /** The error of custom code for the first row. */
  readonly reason?: string;
}

export type FoundRow = Readonly<Record<string, unknown>>;

/** The line after the marker of a statement that converts or checks rows by custom code. */
export interface RowRule {
  /** `merchantsV1ToV2`: the pair of functions that custom code exports. */
  readonly pair: string;
  /**
   * The JSON column with the converted objects, which are at `path`: `["[]"]` for a list. If absent, the row itself is converted.
   */
  readonly column?: string;
  readonly path?: readonly string[];
  /** Types by name: the type of a column, or a form such as `decimal 2`. */
  readonly from: Readonly<Record<string, string>>;
  readonly to: Readonly<Record<string, string>>;
  /** Further rules for scalar targets. */
  readonly rules: Readonly<Record<string, ValueRule>>;
  /** `toOlder` converts them, and not `toNewer`. */
  readonly isBack?: true;
}

/** The kind of a value, and its rules: the values of an enum, `maxLength`, `maximum`. */
export interface ValueRule {
  readonly form: string;
  readonly isRequired: boolean;
  readonly values?: readonly string[];
  readonly scale?: number;
  readonly bounds: ColumnBounds;
}

/** A migration needs functions that this release no longer has. */
export class MissingPair extends Error {
  constructor(pair: string) {
    super(`this release has no ${pair}: start the one that came with it first`);
  }
}

/** Converts rows by the custom code of this release. */
export type RowConverter = (rule: RowRule, row: FoundRow) => readonly SqlValue[];

export interface MigrationEvent {
  readonly migration: string;
  readonly what: string;
  /** 1 is the first. */
  readonly number: number;
  readonly of: number;
  readonly milliseconds: number;
  /** The number of changed rows; null if unknown. */
  readonly rows: number | null;
}

/** Called after each statement; can ask for the size of the database. */
export type MigrationListener = (
  event: MigrationEvent,
  bytes: () => Promise<number>,
) => void | Promise<void>;

export interface MigrationRun {
  /** True to also run the part that waits for older releases. */
  readonly isFinishing: boolean;
  readonly tell: MigrationListener;
  readonly convert?: RowConverter | null;
}

/** Changes the schema. Only one process at a time has one. */
export interface Migrator {
  /** The recorded migrations, by name. */
  history(): Promise<readonly RecordedMigration[]>;
  /** Null means that the statement reads a table or column that does not exist. */
  find(sql: string): Promise<FoundRows | null>;
  /** Null means that the statement reads a table or column that does not exist. */
  rows(sql: string): Promise<readonly FoundRow[] | null>;
  /** Runs the rest of a migration, without the part that waits unless `isFinishing`, and records the progress. */
  run(migration: Migration, run: MigrationRun): Promise<void>;
  /** Replaces the recorded storage of an applied migration by an equivalent one. */
  record(migration: Migration): Promise<void>;
}

export const MOST_IDENTIFIERS = 20;
