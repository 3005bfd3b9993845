/**
 * Applies migrations, on either database. migration.ts declares a migration, folder.ts reads its folder, and state.ts compares
 * migrations with the recorded ones. ../releases.ts has the wait for older releases.
 */
import { StartRefusal } from "../../base/errors.js";
import type { Database, ServingProcess } from "../database.js";
import { olderReleasesStopped, releaseName } from "../releases.js";
import { checkStorage } from "../storage-model.js";
import { readMigrations, isCheck, readScript, rebuildsTables, waits } from "./folder.js";
import type {
  Migration,
  MigrationStep,
  FoundRows,
  MigrationListener,
  MigrationRun,
  Migrator,
  RowConverter,
} from "./migration.js";
import {
  unreadRows,
  migrationState,
  refuseChanged,
  refuseUnapplied,
  refuseSkipped,
  refuseUnknown,
  type MigrationState,
} from "./state.js";

/** Whether two migrations touch the same table. A hand-written one may touch any. */
function sharesTables(one: Migration, other: Migration): boolean {
  const tables = tablesOf(other);
  const isByHand = one.steps.length === 0 || other.steps.length === 0;
  return isByHand || [...tablesOf(one)].some((table) => tables.has(table));
}

function tablesOf({ steps }: Migration): ReadonlySet<string> {
  return new Set(steps.flatMap(tableNames));
}

function tableNames(step: MigrationStep): readonly string[] {
  switch (step.step) {
    case "createTable":
      return [step.table.name, ...step.table.foreignKeys.map(({ table }) => table)];
    case "renameTable":
      return [step.table, step.to];
    case "addForeignKey":
      return [step.table, step.foreignKey.table];
    default:
      return [step.table];
  }
}

/** The migrations after a run, by name. */
export interface MigrationReport {
  readonly applied: readonly string[];
  /** Migrations whose rest waits until no older release is running: `npm run migrate -- --finish`. */
  readonly waiting: readonly string[];
  /** Migrations of a newer release with which this release can run at the same time. */
  readonly begun: readonly string[];
  /** The number of migrations of this release, without those that are never run. */
  readonly known: number;
}

type MigratedDatabase = Pick<
  Database,
  "dialect" | "name" | "history" | "migrating" | "serve" | "serving"
>;

export interface MigrationOptions {
  /** False refuses a database that lacks a migration; default true. */
  readonly isApplying?: boolean;
  /** False postpones the part that would stop older releases. Default true. */
  readonly isFinishing?: boolean;
  /** True to record the process as a running one. */
  readonly isServing?: boolean;
  /** How long to wait for older releases to stop before the start is refused. By default it does not wait, and they respond with 503. */
  readonly waitSeconds?: number | null;
  /** Called once with the releases that it waits for. */
  readonly onWait?: (older: readonly ServingProcess[]) => void;
  /** SQLite: called once if another process has the file locked. */
  readonly onLocked?: () => void;
  readonly tell?: MigrationListener;
  readonly convert?: RowConverter | null;
}

/** Applies the missing migrations in order of their names. Throws `StartRefusal`. */
export async function applyMigrations(
  database: MigratedDatabase,
  folder: URL,
  options: MigrationOptions = {},
): Promise<MigrationReport> {
  const migrations = await readMigrations(folder, database.dialect);
  const report = await applyAll({ database, migrations, options });
  if (options.isServing === true) {
    await database.serve(releaseName(migrations));
    // From now on newer releases wait for this process; one may have migrated before.
    await compare(database, migrations, database);
  }
  return report;
}

interface MigrationTask {
  readonly database: MigratedDatabase;
  readonly migrations: readonly Migration[];
  readonly options: MigrationOptions;
}

async function applyAll(wanted: MigrationTask): Promise<MigrationReport> {
  const { database, migrations, options } = wanted;
  const { isApplying = true, isFinishing = true, waitSeconds = null } = options;
  // Also creates the table of serving processes, which databases of earlier generators lack.
  const serving = await database.serving();
  const found = await compare(database, migrations, database);
  const { pending, recordedAnew } = found;
  if (pending.length + recordedAnew.length === 0) return reportOf(migrations, found);
  if (!isApplying) refuseUnapplied(found, database);
  // No release uses a new database yet.
  const isRetiring =
    found.applied.length > 0 && pending.some(({ migration }) => migration.retiresOlder);
  const older = isRetiring ? serving : [];
  if (older.length === 0) return run(wanted, isFinishing || database.dialect === "sqlite");
  if (!isFinishing || waitSeconds === null) return run(wanted, isFinishing);
  const prepared = await run(wanted, false);
  if (prepared.waiting.length === 0) return prepared;
  options.onWait?.(older);
  await olderReleasesStopped(database, prepared.waiting, waitSeconds);
  const finished = await run(wanted, true);
  return { ...finished, applied: [...prepared.applied, ...finished.applied] };
}

async function run(
  { database, migrations, options }: MigrationTask,
  isFinishing: boolean,
): Promise<MigrationReport> {
  const { tell = () => undefined, convert = null, onLocked } = options;
  const { pending } = await compare(database, migrations, database);
  const isRebuilding = pending.some(({ migration }) => rebuildsTables(migration.script));
  return database.migrating({ isRebuilding, onLocked }, async (migrator) => {
    // Another process may have applied them since.
    const state = await compare(database, migrations, migrator);
    for (const migration of state.recordedAnew) await migrator.record(migration);
    // No release uses a new database yet.
    const isNew = state.applied.length === 0;
    const run = { isFinishing: isFinishing || isNew, tell, convert };
    const runner = new MigrationRunner(migrator, run);
    const waiting = await runner.all(state.pending);
    return reportOf(migrations, { ...state, waiting });
  });
}

function reportOf(
  { length }: readonly Migration[],
  {
    pending,
    undone,
    begun,
    waiting = [],
  }: MigrationState & { readonly waiting?: readonly Migration[] },
): MigrationReport {
  const left = new Set(waiting.map(({ name }) => name));
  const applied = pending.map(({ migration: { name } }) => name).filter((name) => !left.has(name));
  // Migrations that are never run are never recorded.
  return { applied, waiting: [...left], begun, known: length - undone.length };
}

/** Throws `StartRefusal` if the release and the database do not fit. */
async function compare(
  database: Pick<Database, "dialect" | "name">,
  migrations: readonly Migration[],
  record: Pick<Migrator, "history">,
): Promise<MigrationState & { readonly recordedAnew: readonly Migration[] }> {
  const history = await record.history();
  const state = migrationState(migrations, history);
  const recordedAnew = state.applied
    .filter(({ migration, recorded }) => checkStorage(database, migration, recorded))
    .map(({ migration }) => migration);
  const isAnew = ({ name }: Migration): boolean => recordedAnew.some((one) => one.name === name);
  refuseChanged(
    migrations.filter((migration) => !isAnew(migration)),
    history,
    database,
  );
  refuseUnknown(state, database);
  refuseSkipped(state, database);
  return { ...state, recordedAnew };
}

/** Runs migrations under the lock. */
class MigrationRunner {
  constructor(
    private readonly migrator: Migrator,
    private readonly options: MigrationRun & { readonly convert: RowConverter | null },
  ) {}

  /** Returns the migrations with a part that waits for older releases. */
  async all(pending: MigrationState["pending"]): Promise<readonly Migration[]> {
    const { isFinishing } = this.options;
    const waiting: Migration[] = [];
    await this.checkAhead(pending);
    for (const { migration, done } of pending) {
      const isEarly = waiting.some((before) => sharesTables(migration, before));
      if (!isEarly) {
        await this.check(migration, done);
        await this.run(migration);
      }
      if (isEarly || (migration.retiresOlder && !isFinishing)) waiting.push(migration);
    }
    return waiting;
  }

  /** Runs checks before any change, on rows that no earlier migration can touch. */
  private async checkAhead(pending: MigrationState["pending"]): Promise<void> {
    const migrations = pending.map(({ migration }) => migration);
    for (const [index, { migration, done }] of pending.entries()) {
      const isFirst = migrations
        .slice(0, index)
        .every((before) => !sharesTables(migration, before));
      if (isFirst) await this.check(migration, done, { isAhead: true });
    }
  }

  /** `done` is the number of statements that were run, or null. */
  private async check(
    migration: Migration,
    done: number | null,
    { isAhead = false } = {},
  ): Promise<void> {
    const statements = readScript(migration.script);
    const checks = statements.filter(isCheck);
    const late = statements.filter(waits).length;
    // The check was written for values that have been replaced by then.
    if (done !== null && done > statements.length - checks.length - late) return;
    for (const { kind, sql, what } of checks) {
      const { convert } = this.options;
      const looked =
        kind === "read" ? unreadRows(this.migrator, sql, convert) : this.migrator.find(sql);
      const found = await looked
        .then((rows) => {
          // Ahead of earlier migrations, or after a half applied one, the table or column may have another name or be missing.
          if (rows === null && done === null && !isAhead) {
            throw new Error("there is no such table or column");
          }
          return rows;
        })
        .catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          const check = `Migration ${migration.name} could not check (${what}): ${reason}.`;
          throw new StartRefusal(check, { cause: error });
        });
      if (found === null || found.count === 0) continue;
      const state = done === null ? "Nothing of it was done" : "It stays half done";
      // Custom code can be corrected.
      const own =
        found.reason && `${found.reason}. Correct the functions in src/custom/conversions, or `;
      throw new StartRefusal(
        `Migration ${migration.name} cannot be applied, because ${violations(what, found)}. ${state}: ${own ?? ""}` +
          "change them with the release that serves now, then start this one again. Rows that it does not show have to be changed " +
          'in the database: "npx generator explain migrations" has the statements.',
      );
    }
  }

  private async run(migration: Migration): Promise<void> {
    try {
      await this.migrator.run(migration, this.options);
    } catch (error) {
      // New rows may violate a check by now; these are reported.
      const history = await this.migrator.history().catch(() => []);
      const recorded = history.find(({ name }) => name === migration.name);
      if (recorded !== undefined) await this.check(migration, recorded.done);
      throw error;
    }
  }
}

/** `2 rows violate it (orders with the same number): a, b` */
function violations(what: string, { count, identifiers }: FoundRows): string {
  const rest = count - identifiers.length;
  const rows = count === 1 ? "1 row violates" : `${count} rows violate`;
  const more = rest > 0 ? ` and ${rest} more` : "";
  return `${rows} it (${what.replace(/[.:]$/, "")}): ${identifiers.join(", ")}${more}`;
}
