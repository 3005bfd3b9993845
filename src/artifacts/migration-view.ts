import type { StorageModel } from "#kernel/store/storage-model";
import type { SqlText } from "../naming/encoders.js";
import { printTables } from "../storage/print-tables.js";
import type { SqlDialect } from "../storage/sql-dialect.js";

/** What `service/migration.sql.hbs` sees. */
export interface MigrationView {
  /** A blank line stands between them. */
  readonly blocks: readonly { readonly lines: readonly { readonly text: SqlText }[] }[];
}

/** The tables of a service that has none yet, for SQLite. */
export function sqliteMigrationView(storage: StorageModel): MigrationView {
  return migrationView(storage, "sqlite");
}

/** Likewise, for PostgreSQL. */
export function postgresMigrationView(storage: StorageModel): MigrationView {
  return migrationView(storage, "postgres");
}

function migrationView(storage: StorageModel, dialect: SqlDialect): MigrationView {
  const blocks = printTables(storage, dialect).map((lines) => ({
    lines: lines.map((text) => ({ text })),
  }));
  return { blocks };
}
