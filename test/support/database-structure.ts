import type { ScriptDatabase } from "./run-script.js";

/** What a database consists of, a line each, sorted; the order of columns and what a column begins with say nothing. */
export type Structure = readonly string[];

/** The structure of a database of SQLite. A default is how it fills a new column, and stays behind. */
export async function sqliteStructure(database: ScriptDatabase): Promise<Structure> {
  const tables = await database.all("SELECT name FROM sqlite_master WHERE type = 'table'");
  const columns = await database.all(
    `SELECT m.name AS "table", c.name, c.type, c."notnull", c.pk FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'`,
  );
  const keys = await database.all(
    `SELECT m.name AS "table", k."from", k."table" AS "other", k."to", k.on_delete FROM sqlite_master m, pragma_foreign_key_list(m.name) k WHERE m.type = 'table'`,
  );
  const indexes = await database.all(
    "SELECT name, sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL",
  );
  return lines({ tables, columns, keys, indexes });
}

/** The structure of a schema of PostgreSQL. */
export async function postgresStructure(database: ScriptDatabase): Promise<Structure> {
  const columns = await database.all(
    `SELECT table_name, column_name, data_type, is_nullable, collation_name, column_default
     FROM information_schema.columns WHERE table_schema = current_schema()`,
  );
  const keys = await database.all(
    `SELECT conrelid::regclass::text AS "table", conname, pg_get_constraintdef(oid) AS definition, convalidated
     FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND contype <> 'n'`,
  );
  const indexes = await database.all(
    `SELECT c.relname, replace(pg_get_indexdef(c.oid), ' ' || quote_ident(current_schema()) || '.', ' ') AS definition, i.indisvalid
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = current_schema()::regnamespace`,
  );
  const routines = await database.all(
    `SELECT proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
     UNION ALL SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgrelid IN (
       SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace)`,
  );
  return lines({ columns, keys, indexes, routines });
}

function lines(found: Readonly<Record<string, readonly object[]>>): Structure {
  return Object.entries(found)
    .flatMap(([what, rows]) => rows.map((row) => `${what} ${JSON.stringify(Object.values(row))}`))
    .sort();
}
