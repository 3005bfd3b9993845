import { StartRefusal } from "../base/errors.js";
import { resetAdvice } from "./check-storage.js";
import type { Database, DialectName } from "./database.js";
import type { Migration, RecordedMigration } from "./migration.js";
import { skippedLine, statementDigest, statementsToRun } from "./migration-script.js";

/** What a release has, compared with what is on record in a database. */
export interface MigrationState {
  readonly applied: readonly Applied[];
  /** In the order in which they are to be applied; those that are half done as well. */
  readonly pending: readonly Pending[];
  /** Those that the database lacks and that do nothing together: they are never run, nor put on record. */
  readonly undone: readonly Migration[];
  /** Of another release: applied, or begun so far that this one could not live with it. */
  readonly unknown: readonly string[];
  /** Of a newer release: this one can live with what was done of them; what is left waits until it serves no more. */
  readonly begun: readonly string[];
}

interface Applied {
  readonly migration: Migration;
  readonly recorded: RecordedMigration;
}

interface Pending {
  readonly migration: Migration;
  /** How many of its statements have been run; null where none has. */
  readonly done: number | null;
}

type Where = Pick<Database, "name" | "dialect">;

/** Compares the migrations of a release with those on record. */
export function migrationState(
  migrations: readonly Migration[],
  history: readonly RecordedMigration[],
): MigrationState {
  const recorded = new Map(history.map((migration) => [migration.name, migration]));
  const known = new Set(migrations.map(({ name }) => name));
  const others = history.filter(({ name }) => !known.has(name));
  const namesOf = (of: readonly RecordedMigration[]): readonly string[] =>
    of.map(({ name }) => name);
  const found = migrations.map((migration) => ({
    migration,
    recorded: recorded.get(migration.name),
  }));
  const lacking = found.flatMap(({ migration, recorded: one }) =>
    one?.done === null ? [] : [{ migration, done: one?.done ?? null }],
  );
  const undone = takenBack(migrations, lacking);
  return {
    applied: found.flatMap(({ migration, recorded: one }) =>
      one?.done === null ? [{ migration, recorded: one }] : [],
    ),
    pending: lacking.filter(({ migration }) => !undone.includes(migration)),
    undone,
    unknown: namesOf(others.filter(({ isEarly = false }) => !isEarly)),
    begun: namesOf(others.filter(({ isEarly = false }) => isEarly)),
  };
}

/** Steps that change no row, and that others undo as if they had never been. */
const OF_RULES = ["changeValues", "setNullable", "addIndex", "dropIndex"];

/**
 * Migrations that only change rules, each made on top of the one before, and that lead to where the first of them began:
 * what rows refuse, and somebody has taken back since, is in no start's way any more.
 */
function takenBack(
  migrations: readonly Migration[],
  lacking: readonly Pending[],
): readonly Migration[] {
  const passable = new Set(
    lacking
      .filter(({ done, migration: { steps, storage } }) => {
        const isOfRules = steps.length > 0 && steps.every(({ step }) => OF_RULES.includes(step));
        return done === null && storage !== null && isOfRules;
      })
      .map(({ migration }) => migration),
  );
  const undone: Migration[] = [];
  for (let first = 1; first < migrations.length; first += 1) {
    const run: Migration[] = [];
    const before = migrations[first - 1];
    let length = 0;
    for (let last = first; last < migrations.length; last += 1) {
      const [one, above] = [migrations[last], migrations[last - 1]];
      if (one === undefined || !passable.has(one) || one.parents.join() !== above?.name) break;
      run.push(one);
      if (one.storage?.fingerprint === before?.storage?.fingerprint) length = run.length;
    }
    undone.push(...run.slice(0, length));
    first += Math.max(0, length - 1);
  }
  return undone;
}

/** Refuses a database that a newer release has migrated, or another one that this one knows nothing of. */
export function refuseUnknown({ unknown, begun, pending }: MigrationState, where: Where): void {
  const ours = listed(pending.map(({ migration: { name } }) => name));
  if (pending.length > 0 && unknown.length + begun.length > 0) {
    throw new StartRefusal(
      `The database ${where.name} and this release have diverged: it has ${listed([...unknown, ...begun])}, and lacks ${ours}. ` +
        `${resetAdvice(where)}; otherwise start a release that has both, made from the merged schemas, or restore a backup that was made before.`,
    );
  }
  if (unknown.length === 0) return;
  throw new StartRefusal(
    `The database ${where.name} is newer than this release, which does not know ${listed(unknown)}. ` +
      `${resetAdvice(where)}; otherwise start a release that does, or restore a backup that was made before.`,
  );
}

/** Refuses where a line of a script that the database lacks would be skipped: the migration would be on record all the same. */
export function refuseSkipped({ pending }: MigrationState, { dialect }: Where): void {
  for (const { migration } of pending) {
    const skipped = skippedLine(migration.script);
    if (skipped === null) continue;
    const { line, text, why } = skipped;
    throw new StartRefusal(
      `migrations/${migration.name}/${dialect}.sql:${line}: "${text.trim()}": ${why}. Nothing was changed.`,
    );
  }
}

/** Refuses where a script is no longer what was run. */
export function refuseChanged(
  migrations: readonly Migration[],
  history: readonly RecordedMigration[],
  where: Where,
): void {
  const [first] = changedMigrations(migrations, history, where.dialect);
  if (first === undefined) return;
  const { name, file } = first;
  const { statements = [] } = history.find((recorded) => recorded.name === name) ?? {};
  const done = statements.length;
  if (done > 0) {
    throw new StartRefusal(
      `Migration ${name} of the database ${where.name} is half done, and a statement that has been run was changed after it. ` +
        `${resetAdvice(where)}; otherwise restore the first ${done === 1 ? "statement" : `${done} statements`} ` +
        `of migrations/${name}/${file}. The other statements can be changed.`,
    );
  }
  throw new StartRefusal(
    `Migration ${name} was changed after it had been applied to this database. ${resetAdvice(where)}; ` +
      `otherwise restore migrations/${name}/${file}.`,
  );
}

/** The migrations that are no longer what was run, and the file that differs. */
export function changedMigrations(
  migrations: readonly Migration[],
  history: readonly RecordedMigration[],
  dialect: DialectName,
): readonly { readonly name: string; readonly file: string }[] {
  const found = new Map(history.map((recorded) => [recorded.name, recorded]));
  return migrations.flatMap((migration) => {
    const recorded = found.get(migration.name);
    const file = recorded && changedFile(migration, recorded, dialect);
    return file === undefined ? [] : [{ name: migration.name, file }];
  });
}

function changedFile(
  { digest, script, storage }: Migration,
  recorded: RecordedMigration,
  dialect: DialectName,
): string | undefined {
  if (recorded.digest !== digest && !goesOn(script, recorded)) return `${dialect}.sql`;
  const known = recorded.storage?.fingerprint;
  const isSame = storage === null || known === undefined || storage.fingerprint === known;
  return isSame ? undefined : "migration.json";
}

/** Whether a migration that is half done begins with the statements that were run. */
function goesOn(script: string, { done, statements = [] }: RecordedMigration): boolean {
  if (done === null || done !== statements.length) return false;
  const begin = statementsToRun(script).slice(0, done).map(statementDigest);
  return begin.join() === statements.join();
}

/** Refuses what is missing where a start does not migrate. */
export function refuseLacking({ pending }: MigrationState, where: Where): void {
  const half = pending.find(({ done }) => done !== null);
  if (half !== undefined) {
    throw new StartRefusal(
      `Migration ${half.migration.name} of the database ${where.name} is half done. ` +
        `When no older release serves any more, "npm run migrate -- --finish" finishes it.`,
    );
  }
  if (pending.length === 0) return;
  const names = listed(pending.map(({ migration: { name } }) => name));
  throw new StartRefusal(
    `The database ${where.name} lacks ${names}, and MIGRATE_AT_START is false. ` +
      `When no older release serves any more, "npm run migrate -- --finish" applies what is missing.`,
  );
}

function listed(names: readonly string[]): string {
  const [first = "", ...others] = names;
  if (others.length === 0) return `the migration ${first}`;
  return others.length > 3
    ? `the migrations ${first} and ${others.length} more`
    : `the migrations ${names.join(", ")}`;
}
