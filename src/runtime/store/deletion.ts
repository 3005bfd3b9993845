import { closeSync, existsSync, openSync, readSync, rmSync } from "node:fs";

import type { CommonFields } from "../base/common-fields.js";
import { StartRefusal } from "../base/errors.js";
import type { WriteStep, Database } from "./database.js";
import { readMigrations } from "./migrations/folder.js";
import { HISTORY_TABLES } from "./postgres/history.js";
import { isLocked } from "./sqlite/errors.js";
import { MARKER } from "./sqlite/files.js";
import { connectSqlite } from "./sqlite/module.js";

/** The steps of a deletion, and the stamps of entities that no longer refer to the deleted one (CHD-4). */
export interface Deletion {
  readonly steps: readonly WriteStep[];
  readonly stamps: CommonFields;
  /** The refusal, if others still refer to it. */
  readonly inUse: Error | null;
}

/** The first bytes of every SQLite file. */
const HEADER = Buffer.from("SQLite format 3\0");

/** The marker is deleted first: if only the marker were left, the next start would report a lost database. */
const SUFFIXES = [MARKER, "", "-wal", "-shm", "-journal"];

/** Deletes a SQLite file with its -wal, -shm and marker. Throws `StartRefusal`. */
export async function deleteSqlite(path: string): Promise<readonly string[]> {
  if (existsSync(path)) {
    refuseOtherFile(path);
    await refuseInUse(path);
  }
  const there = SUFFIXES.map((suffix) => path + suffix).filter((file) => existsSync(file));
  for (const file of there) rmSync(file);
  return there;
}

/** An empty file is a new database. */
function refuseOtherFile(path: string): void {
  const start = Buffer.alloc(HEADER.length);
  const file = openSync(path, "r");
  const length = readSync(file, start);
  closeSync(file);
  if (length === 0 || start.equals(HEADER)) return;
  throw new StartRefusal(`${path} is not a SQLite database. Nothing was deleted.`);
}

/** Throws if another process has the database open, which would continue on deleted files. */
async function refuseInUse(path: string): Promise<void> {
  const connection = await connectSqlite(path);
  try {
    connection.exec("PRAGMA locking_mode = EXCLUSIVE");
    connection.exec("BEGIN EXCLUSIVE");
    connection.exec("ROLLBACK");
  } catch (error) {
    // A damaged file may be deleted.
    if (!isLocked(error)) return;
    throw new StartRefusal(
      `Another process has ${path} open: stop the service first. Nothing was deleted.`,
      { cause: error },
    );
  } finally {
    connection.close();
  }
}

/** The part of a recorded storage model that is read. */
interface NamedTables {
  readonly tables: readonly { readonly name: string }[];
}

interface DeletedTables {
  readonly deleted: readonly string[];
  /** They belong to another service. */
  readonly left: readonly string[];
}

/**
 * Deletes the tables of a service from a PostgreSQL database, which others may share: the recorded ones, or else those of its
 * migrations.
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

/** A migration is recorded only once it is applied. */
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
  // Written by a service, or read from its own folder.
  return JSON.parse(text) as NamedTables;
}
