/** Migrations of a service's database: the command `npm run migrate`, and the start. */

import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import type { FastifyBaseLogger } from "fastify";

import { StartRefusal } from "../base/errors.js";
import { checkMadeFor } from "../base/package.js";
import type { ServiceRegistry } from "../http/settings.js";
import type { Database } from "../store/database.js";
import {
  laterMigrations,
  readMigrations,
  statementsToRun,
  waits,
} from "../store/migrations/folder.js";
import type {
  Migration,
  RecordedMigration,
  MigrationListener,
} from "../store/migrations/migration.js";
import {
  applyMigrations,
  type MigrationOptions,
  type MigrationReport,
} from "../store/migrations/migrations.js";
import { changedMigrations, migrationState } from "../store/migrations/state.js";
import {
  isPostgresUrl,
  openDatabase,
  sqlitePath,
  type DatabaseOptions,
} from "../store/open-database.js";
import { processNames } from "../store/releases.js";
import { MEMORY } from "../store/sqlite/sqlite.js";
import { readEnvironment } from "./environment.js";

type Variables = Readonly<Record<string, string | undefined>>;

const USAGE = `npm run migrate                  applies the steps that older releases can live with, while they serve.
npm run migrate -- --finish      applies everything, once no older release serves any more.
npm run migrate -- --status      lists the migrations with their state: applied, pending, prepared, half done, unknown or changed.
npm run migrate -- --rehearse    applies everything to a copy, which is deleted again; reports time, rows and size.`;
const FLAGS = {
  status: { type: "boolean", default: false },
  rehearse: { type: "boolean", default: false },
  finish: { type: "boolean", default: false },
} as const;

/** Migrates the database of a service, or reports the pending migrations. The exit code is 1 if a start would be refused. */
export async function migrate(
  registry: ServiceRegistry,
  given: readonly string[],
  environment: Variables,
): Promise<void> {
  try {
    const { values } = readFlags(given);
    checkMadeFor(registry.madeFor);
    const options = optionsOf(registry, environment);
    const later = await laterMigrations(registry.migrations);
    if (later.length > 0)
      print(
        `Made after this release was built, and ignored until "npm run build": ${later.join(", ")}.`,
      );
    if (values.status) await printStatus(registry, options);
    else if (values.rehearse) await rehearse(registry, options);
    else await apply(registry, options, values.finish);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

function readFlags(given: readonly string[]): ReturnType<typeof parse> {
  try {
    return parse(given);
  } catch (error) {
    throw new StartRefusal(USAGE, { cause: error });
  }
}

function parse(given: readonly string[]) {
  return parseArgs({ args: [...given], options: FLAGS });
}

function optionsOf({ settings }: ServiceRegistry, environment: Variables): DatabaseOptions {
  const { databaseUrl: url, databaseConnections: connections } = readEnvironment(
    environment,
    settings.service,
  );
  if (url === `sqlite:${MEMORY}`) {
    throw new StartRefusal("The database is in memory: it is new with every start.");
  }
  const { service: name, limits } = settings;
  return { url, connections, requestSeconds: limits.requestSeconds, name };
}

async function apply(
  { migrations, convert }: ServiceRegistry,
  options: DatabaseOptions,
  isFinishing: boolean,
): Promise<void> {
  const database = await openDatabase(options);
  try {
    const tell: MigrationListener = ({ migration, number, of, what, milliseconds }) =>
      print(`${migration}  ${number}/${of}  ${seconds(milliseconds)}  ${what}`);
    const onLocked = (): void =>
      print(`Another process keeps ${database.name} locked: this waits for up to 5 minutes.`);
    const options = { isFinishing, tell, onLocked, convert: convert ?? null };
    printReport(await applyMigrations(database, migrations, options));
  } finally {
    await database.close();
  }
}

function printReport({ applied, waiting, begun }: MigrationReport): void {
  if (applied.length > 0) print(`Applied: ${applied.join(", ")}.`);
  if (begun.length > 0) print(`A newer release has begun: ${begun.join(", ")}.`);
  if (waiting.length > 0) {
    print(
      `Older releases can go on serving. When none does, "npm run migrate -- --finish" applies the rest of ${waiting.join(", ")}.`,
    );
  } else if (applied.length === 0) print("The database has all migrations.");
}

async function printStatus(
  { migrations: folder }: ServiceRegistry,
  options: DatabaseOptions,
): Promise<void> {
  const { dialect, history } = await readRecord(options);
  const migrations = await readMigrations(folder, dialect);
  const { applied, pending, undone, unknown, begun } = migrationState(migrations, history);
  const changed = changedMigrations(migrations, history, dialect).map(({ name }) => name);
  for (const {
    migration: { name },
  } of applied) {
    printState(changed.includes(name) ? "changed" : "applied", name);
  }
  for (const { name } of undone)
    printState("undone", `${name}  not needed: taken back by a later one`);
  for (const { migration, done } of pending) printState(...pendingState(migration, done));
  for (const name of unknown) printState("unknown", name);
  for (const name of begun) printState("begun", `${name}  by a newer release`);
  if (changed.length + pending.length + unknown.length > 0) process.exitCode = 1;
}

function pendingState({ name, script }: Migration, done: number | null): [string, string] {
  if (done === null) return ["pending", name];
  const statements = statementsToRun(script);
  const later = statements.filter(waits).length;
  const left = statements.length - done;
  if (left > later) return ["half done", `${name}  ${done} of ${statements.length} statements`];
  return ["prepared", `${name}  the rest waits until no older release serves`];
}

/** Reads the recorded migrations. Does not create a missing SQLite file. */
async function readRecord(
  options: DatabaseOptions,
): Promise<{ dialect: "sqlite" | "postgres"; history: readonly RecordedMigration[] }> {
  const isFile = !isPostgresUrl(options.url);
  if (isFile && !existsSync(sqlitePath(options.url))) return { dialect: "sqlite", history: [] };
  const database = await openDatabase(options);
  try {
    return { dialect: database.dialect, history: await database.history() };
  } finally {
    await database.close();
  }
}

function printState(state: string, what: string): void {
  print(`${state.padEnd(9)}  ${what}`);
}

async function rehearse(
  { migrations: folder, convert }: ServiceRegistry,
  options: DatabaseOptions,
): Promise<void> {
  const { dialect, history } = await readRecord(options);
  const { pending } = migrationState(await readMigrations(folder, dialect), history);
  const half = pending.find(({ done }) => done !== null);
  if (half !== undefined) {
    throw new StartRefusal(
      `Migration ${half.migration.name} is half done: a rehearsal starts from the state before it. "npm run migrate" goes on with it.`,
    );
  }
  const tell: MigrationListener = async ({ migration, what, milliseconds, rows }, bytes) => {
    const changed = rows === null ? "" : `${rows} ${rows === 1 ? "row" : "rows"}  `;
    const size = `${((await bytes()) / 1_048_576).toFixed(1)} MiB`;
    print(`${migration}  ${seconds(milliseconds)}  ${changed}${size}  ${what}`);
  };
  const started = performance.now();
  const { applied } = await rehearseOn(options, folder, {
    isFinishing: true,
    tell,
    convert: convert ?? null,
  });
  print(
    applied.length === 0
      ? "The database has all migrations: there was nothing to rehearse."
      : `Rehearsed on a copy, in ${seconds(performance.now() - started)} with the copying: ${applied.join(", ")}. The database itself was not changed.`,
  );
}

async function rehearseOn(
  options: DatabaseOptions,
  folder: URL,
  migrating: MigrationOptions,
): Promise<MigrationReport> {
  if (isPostgresUrl(options.url)) {
    const { rehearsePostgres } = await import("../store/postgres/migrations.js");
    return rehearsePostgres(options, folder, migrating);
  }
  const path = sqlitePath(options.url);
  if (!existsSync(path)) throw new StartRefusal(`There is no database ${path} to copy.`);
  const { rehearseSqlite } = await import("../store/sqlite/migrations.js");
  return rehearseSqlite(path, folder, migrating);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const WAIT_SECONDS = 30;

const BEGUN =
  "a newer release has migrated the database, or has begun to: this one can live with what was done so far";

const LOCKED =
  "a migration waits for another process that keeps the database locked: for 5 minutes, then this start is refused";

const LATER =
  'migrations that were made after this release was built are ignored: "npm run build" makes a release that has them';

/** The settings of the environment for a start. */
interface MigrateAtStartOptions {
  readonly migrateAtStart?: boolean;
  readonly migrateWaitSeconds?: number;
}

/** Applies pending migrations and registers this process. Returns the number of migrations. Throws `StartRefusal`. */
export async function migrateAtStart(
  database: Database,
  { migrations: folder, convert }: Pick<ServiceRegistry, "migrations" | "convert">,
  { migrateAtStart: isApplying = true, migrateWaitSeconds = WAIT_SECONDS }: MigrateAtStartOptions,
  log: FastifyBaseLogger,
): Promise<number> {
  const later = await laterMigrations(folder);
  if (later.length > 0) log.warn({ migrations: later }, LATER);
  const { applied, begun, known } = await applyMigrations(database, folder, {
    isApplying,
    isServing: true,
    waitSeconds: migrateWaitSeconds,
    onWait: (older) =>
      log.warn({ older: processNames(older) }, "a migration waits for an older release to stop"),
    onLocked: () => log.warn({ database: database.name }, LOCKED),
    convert: convert ?? null,
    tell: (event) => log.debug(event, "a statement of a migration was run"),
  });
  if (applied.length > 0) log.info({ applied }, "migrations applied");
  if (begun.length > 0) log.warn({ begun }, BEGUN);
  return known;
}
