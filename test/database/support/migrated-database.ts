import { plainRows } from "../../support/plain-rows.js";
import {
  applyMigrations,
  type MigrationReport,
  type MigrationOptions,
} from "#runtime/store/migrations/migrations";
import type { Database, SqlRow, SqlValue } from "#runtime/store/database";
import { openDatabase } from "#runtime/store/open-database";

/** Opens a database as a service does, while `work` uses it. */
export async function withDatabase<T>(
  url: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ url, connections: 2, requestSeconds: 30, name: "store" });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Applies a folder's migrations. */
export function migrate(
  url: string,
  folder: URL,
  options: MigrationOptions = {},
): Promise<MigrationReport> {
  return withDatabase(url, (database) => applyMigrations(database, folder, options));
}

/** Why migrations are refused; throws where they are not. */
export async function migrationRefusal(
  url: string,
  folder: URL,
  options: MigrationOptions = {},
): Promise<string> {
  const outcome = await migrate(url, folder, options).catch((error: unknown) => error);
  if (outcome instanceof Error && outcome.name === "StartRefusal") return outcome.message;
  throw new Error("it was not refused", { cause: outcome });
}

/** One statement that changes rows. */
export function change(url: string, sql: string, values: readonly SqlValue[] = []): Promise<void> {
  return withDatabase(url, (database) => database.write([{ sql, values }]));
}

/** The rows of a query. */
export function rows(url: string, sql: string): Promise<readonly SqlRow[]> {
  return withDatabase(url, async (database) => plainRows(await database.all(sql, [])));
}

/** Tables, columns, indexes, triggers and functions: equal for databases of equal structure. */
const STRUCTURE = {
  sqlite: `SELECT "name", "sql" FROM sqlite_schema WHERE "tbl_name" NOT LIKE 'schema@_%' ESCAPE '@' ORDER BY "name"`,
  postgres: `SELECT "table_name" || '.' || "column_name" AS "name", "data_type" || ' ' || "is_nullable" || ' ' || COALESCE("column_default", '') AS "sql"
    FROM information_schema.columns WHERE "table_schema" = current_schema() AND "table_name" NOT LIKE 'schema@_%' ESCAPE '@'
    UNION ALL SELECT "indexname", replace("indexdef", current_schema() || '.', '') FROM pg_indexes
    WHERE "schemaname" = current_schema() AND "tablename" NOT LIKE 'schema@_%' ESCAPE '@'
    UNION ALL SELECT "routine_name", 'function' FROM information_schema.routines WHERE "routine_schema" = current_schema()
    UNION ALL SELECT "trigger_name", 'trigger' FROM information_schema.triggers WHERE "trigger_schema" = current_schema()
    ORDER BY 1`,
};

const TABLES = {
  sqlite: `SELECT "name" FROM sqlite_schema WHERE "type" = 'table' AND "name" NOT LIKE 'schema@_%' ESCAPE '@'`,
  postgres: `SELECT "tablename" AS "name" FROM pg_tables WHERE "schemaname" = current_schema() AND "tablename" NOT LIKE 'schema@_%' ESCAPE '@'`,
};

/** All that there is in a database, but for the times of its history. */
export function contentOf(url: string): Promise<unknown> {
  return withDatabase(url, async (database) => {
    const found = await database.all(`${TABLES[database.dialect]} ORDER BY 1`, []);
    const names = found.map(({ name }) => String(name));
    const all = names.map(async (name) =>
      plainRows(await database.all(`SELECT * FROM "${name}" ORDER BY 1`, [])),
    );
    const tables = await Promise.all(all);
    return {
      rows: Object.fromEntries(names.map((name, index) => [name, tables[index]])),
      history: await database.history(),
      structure: plainRows(await database.all(STRUCTURE[database.dialect], [])),
    };
  });
}
