import type {
  ColumnBounds,
  ForeignKey,
  HeldValue,
  StoredIndex,
  StoredTable,
  StoredValue,
} from "./storage-model.js";

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
