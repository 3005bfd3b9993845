import { closeSync, existsSync, openSync, readSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";

import { readAuthentication } from "../auth/authentication.js";
import { StartRefusal } from "../base/errors.js";
import type { ServiceRegistry, ServiceSettings } from "../http/settings.js";
import { readEnvironment, type Environment } from "../service/environment.js";
import type { Database } from "../store/database.js";
import { readMigrations } from "../store/migrations/folder.js";
import { isPostgresUrl, openDatabase, sqlitePath } from "../store/open-database.js";
import { HISTORY_TABLES } from "../store/postgres/history.js";
import { MARKER } from "../store/sqlite/files.js";
import { isLocked, connectSqlite } from "../store/sqlite/module.js";
import { MEMORY } from "../store/sqlite/sqlite.js";
import { openSigningKeys, signToken } from "./credentials.js";

type Variables = Readonly<Record<string, string | undefined>>;

/** Deletes the database of a service in development if its name is given, and prints the deleted files or tables. */
export async function resetDatabase(
  registry: ServiceRegistry,
  given: readonly string[],
  environment: Variables,
): Promise<void> {
  try {
    process.stdout.write(`${await reset(registry, given, environment)}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function reset(
  registry: ServiceRegistry,
  given: readonly string[],
  variables: Variables,
): Promise<string> {
  if (variables["NODE_ENV"] === "production") {
    throw new StartRefusal("NODE_ENV is production, and db:reset is for development only.");
  }
  const environment = readEnvironment(variables, registry.settings.service);
  return isPostgresUrl(environment.databaseUrl)
    ? resetPostgres(registry, given, environment)
    : resetSqlite(given, sqlitePath(environment.databaseUrl));
}

async function resetSqlite(given: readonly string[], path: string): Promise<string> {
  if (path === MEMORY) {
    throw new StartRefusal("The database is in memory: it is gone when the service stops.");
  }
  refuseOtherName(given, basename(path));
  const deleted = await deleteSqlite(path);
  if (deleted.length === 0) return `There is no database ${path}: nothing was deleted.`;
  return `Deleted ${deleted.join(", ")}. The next start makes a new database.`;
}

async function resetPostgres(
  { settings, migrations }: ServiceRegistry,
  given: readonly string[],
  { databaseUrl: url, databaseConnections: connections }: Environment,
): Promise<string> {
  const { service: name, limits } = settings;
  const { requestSeconds } = limits;
  const database = await openDatabase({ url, connections, requestSeconds, name });
  try {
    refuseOtherName(given, database.name);
    const { deleted, left } = await deleteTables(database, migrations);
    const others =
      left.length === 0 ? "" : ` Tables of other programs were left: ${left.join(", ")}.`;
    return deleted.length === 0
      ? `The database ${database.name} has no tables of ${name}: nothing was deleted.${others}`
      : `Deleted from the database ${database.name}: ${deleted.join(", ")}.${others} The next start creates them again.`;
  } finally {
    await database.close();
  }
}

function refuseOtherName(given: readonly string[], name: string): void {
  const [first, ...others] = given;
  if (first === name && others.length === 0) return;
  const what =
    first === undefined || others.length > 0
      ? "It deletes a database and everything in it, and asks for its name"
      : `The database is called ${name}, and not ${first}`;
  throw new StartRefusal(`${what}: npm run db:reset -- ${name}`);
}

/** The first bytes of every SQLite file. */
const HEADER = Buffer.from("SQLite format 3\0");

/** The marker is deleted first: if only the marker were left, the next start would report a lost database. */
const SUFFIXES = [MARKER, "", "-wal", "-shm", "-journal"];

/** Deletes a SQLite file with its -wal, -shm and marker. Throws `StartRefusal`. */
async function deleteSqlite(path: string): Promise<readonly string[]> {
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
async function deleteTables(database: Database, migrations: URL): Promise<DeletedTables> {
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

const FOLDER = ".keys";
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

const USAGE =
  "npm run token -- [--subject <text>] [--role <name>]... [--claim <name>=<value>]... [--expires 30m]";

/** Prints a development token, and on stderr the setting with which the service accepts it. */
export async function printToken(
  settings: ServiceSettings,
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  try {
    const { file, token } = await makeToken(settings, given, environment);
    if (environment["AUTH_KEYS"] !== file) {
      const advice = `Start the service with AUTH_KEYS=${file}, or write that into .env`;
      process.stderr.write(`${advice}, to have it accepted.\n`);
    }
    process.stdout.write(`${token}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exitCode = 1;
  }
}

async function makeToken(
  settings: ServiceSettings,
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ file: string; token: string }> {
  const { values } = parseArgs({
    args: [...given],
    options: {
      subject: { type: "string", default: "developer" },
      role: { type: "string", multiple: true, default: [] },
      claim: { type: "string", multiple: true, default: [] },
      expires: { type: "string", default: "1h" },
    },
  });
  const claims = Object.fromEntries(values.claim.map(claimOf));
  const authentication = readAuthentication(environment, settings.authentication);
  if (authentication.scheme === "none") {
    throw new StartRefusal(
      "This service takes no tokens: service.yaml says `scheme: none`, or AUTH_SCHEME does.",
    );
  }
  const seconds = secondsOf(values.expires);
  const keys = await openSigningKeys(FOLDER);
  const own = { subject: values.subject, roles: values.role, claims, seconds };
  return { file: keys.file, token: await signToken(keys, authentication, own) };
}

/** Reads `org=acme`. */
function claimOf(text: string): readonly [path: string, value: string] {
  const end = text.indexOf("=");
  if (end > 0) return [text.slice(0, end), text.slice(end + 1)];
  throw new StartRefusal(`--claim must be a name, = and a value, and is "${text}".`);
}

function secondsOf(text: string): number {
  const [, count = "", unit = ""] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? 0);
  if (seconds > 0) return seconds;
  throw new StartRefusal(`--expires must be a number followed by s, m, h or d, and is "${text}".`);
}
