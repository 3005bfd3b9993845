import type { Database } from "./database.js";
import { readMigrations } from "./migration-folder.js";
import { HISTORY_TABLES } from "./postgres-history.js";

/** All that is read of a storage model on record. */
interface NamedTables {
  readonly tables: readonly { readonly name: string }[];
}

/** What became of the tables of a database. */
export interface DeletedTables {
  readonly deleted: readonly string[];
  /** They are not this service's. */
  readonly left: readonly string[];
}

/**
 * Deletes the tables of a service from a database of a PostgreSQL server: those on record, or those of its migrations
 * where nothing is on record. Others may share the database.
 */
export async function deleteTables(database: Database, migrations: URL): Promise<DeletedTables> {
  const found = await database.all(
    `SELECT "tablename" FROM "pg_tables" WHERE "schemaname" = current_schema() ORDER BY "tablename"`,
    [],
  );
  const tables = found.map((row) => String(row["tablename"]));
  const recorded = tables.includes("schema_storage") ? await recordedModels(database) : [];
  const isWhole = recorded.length > 0 && !(await isHalfDone(database));
  const known = isWhole ? recorded : [...recorded, ...(await currentModels(database, migrations))];
  const own = new Set([...HISTORY_TABLES, ...known.flatMap(tableNames)]);
  const deleted = tables.filter((name) => own.has(name));
  if (deleted.length > 0) {
    const names = deleted.map((name) => `"${name.replaceAll('"', '""')}"`).join(", ");
    await database.write([{ sql: `DROP TABLE ${names}`, values: [] }]);
  }
  return { deleted, left: tables.filter((name) => !own.has(name)) };
}

function tableNames({ tables }: NamedTables): readonly string[] {
  return tables.map(({ name }) => name);
}

/** What a migration has made so far is on record once it is applied. */
async function isHalfDone(database: Database): Promise<boolean> {
  return (await database.history()).some(({ done }) => done !== null);
}

async function recordedModels(database: Database): Promise<readonly NamedTables[]> {
  const rows = await database.all(`SELECT "model" FROM "schema_storage"`, []);
  return rows.map((row) => modelOf(String(row["model"])));
}

async function currentModels(database: Database, migrations: URL): Promise<readonly NamedTables[]> {
  const known = await readMigrations(migrations, database.dialect);
  return known.flatMap(({ storage }) => (storage === null ? [] : [modelOf(storage.model)]));
}

function modelOf(text: string): NamedTables {
  // A service wrote it, or read it from its own folder.
  return JSON.parse(text) as NamedTables;
}
