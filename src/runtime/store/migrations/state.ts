import { StartRefusal } from "../../base/errors.js";
import { counted } from "../../base/texts.js";
import { FORMATS, type TextFormat } from "../../input/text.js";
import type { Database, DialectName, SqlValue } from "../database.js";
import { insertSearchSteps } from "../search-sql.js";
import { resetAdvice } from "../storage-model.js";
import { skippedLine, statementDigest, statementsToRun, asSubquery } from "./folder.js";
import {
  type Migration,
  type RecordedMigration,
  MissingPair,
  MOST_IDENTIFIERS,
  type FoundRow,
  type FoundRows,
  type Migrator,
  type RowConverter,
  type RowRule,
} from "./migration.js";

/** The migrations of a release, compared with those recorded in a database. */
export interface MigrationState {
  readonly applied: readonly Applied[];
  /** Missing or half applied, in their order. */
  readonly pending: readonly Pending[];
  /** Missing, but without effect together: never run, and never recorded. */
  readonly undone: readonly Migration[];
  /** Migrations of another release, incompatible with this release. */
  readonly unknown: readonly string[];
  /** Migrations of a newer release, compatible so far; the rest waits until this release stops. */
  readonly begun: readonly string[];
}

interface Applied {
  readonly migration: Migration;
  readonly recorded: RecordedMigration;
}

interface Pending {
  readonly migration: Migration;
  /** The number of statements that were run, or null. */
  readonly done: number | null;
}

type MigratedDatabase = Pick<Database, "name" | "dialect">;

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
  const undone = undoneMigrations(migrations, lacking);
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

/** Steps that change no row, and that later steps can undo completely. */
const RULE_STEPS = ["changeValues", "setNullable", "addIndex", "dropIndex"];

/**
 * Finds chains of migrations that only change rules and that cancel each other out. They are never run, so that rows which
 * violate a rule that was withdrawn later do not refuse a start.
 */
function undoneMigrations(
  migrations: readonly Migration[],
  lacking: readonly Pending[],
): readonly Migration[] {
  const passable = new Set(
    lacking
      .filter(({ done, migration: { steps, storage } }) => {
        const isOfRules = steps.length > 0 && steps.every(({ step }) => RULE_STEPS.includes(step));
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

/** Refuses a database of a newer or unknown release. */
export function refuseUnknown(
  { unknown, begun, pending }: MigrationState,
  where: MigratedDatabase,
): void {
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

/** Refuses a script with a line that would be ignored, although the migration would be recorded. */
export function refuseSkipped({ pending }: MigrationState, { dialect }: MigratedDatabase): void {
  for (const { migration } of pending) {
    const skipped = skippedLine(migration.script);
    if (skipped === null) continue;
    const { line, text, why } = skipped;
    throw new StartRefusal(
      `migrations/${migration.name}/${dialect}.sql:${line}: "${text.trim()}": ${why}. Nothing was changed.`,
    );
  }
}

/** Refuses a migration that was edited after it was run. */
export function refuseChanged(
  migrations: readonly Migration[],
  history: readonly RecordedMigration[],
  where: MigratedDatabase,
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
  if (recorded.digest !== digest && !canResume(script, recorded)) return `${dialect}.sql`;
  const known = recorded.storage?.fingerprint;
  const isSame = storage === null || known === undefined || storage.fingerprint === known;
  return isSame ? undefined : "migration.json";
}

function canResume(script: string, { done, statements = [] }: RecordedMigration): boolean {
  if (done === null || done !== statements.length) return false;
  const begin = statementsToRun(script).slice(0, done).map(statementDigest);
  return begin.join() === statements.join();
}

export function refuseUnapplied({ pending }: MigrationState, where: MigratedDatabase): void {
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

/** Rules for texts that no database can check: the line after the marker `read`. */
interface ReadRule extends Partial<RowRule> {
  readonly pattern?: string;
  readonly format?: TextFormat;
  /** The path inside a JSON column, without the column. */
  readonly path?: readonly string[];
}

const RULE = /^-- (\{.*\})\s*$/m;
const PAGE = 1000;
/** The alias of the identifier; no property has this name. */
const ROW_KEY = "row_id";

/** Reads the selected rows, and returns those that cannot be read or converted. */
export async function unreadRows(
  migrator: Pick<Migrator, "rows">,
  sql: string,
  convert: RowConverter | null = null,
): Promise<FoundRows | null> {
  const rule = JSON.parse(RULE.exec(sql)?.[1] ?? "{}") as ReadRule;
  const key = isRowRule(rule) ? ROW_KEY : "id";
  const faultOf = isRowRule(rule) ? conversionFault(rule, convert) : readFault(rule);
  let count = 0;
  let reason: string | undefined;
  const identifiers: string[] = [];
  for await (const rows of pagesOf(migrator, sql, key)) {
    if (rows === null) return null;
    for (const row of rows) {
      const fault = faultOf(row);
      if (fault === null) continue;
      count += 1;
      reason ??= fault;
      if (identifiers.length < MOST_IDENTIFIERS) identifiers.push(String(row[key]));
    }
  }
  return { count, identifiers, ...(reason && { reason }) };
}

/** Null if it reads a table or column that does not exist. */
async function* pagesOf(
  migrator: Pick<Migrator, "rows">,
  sql: string,
  key: string,
): AsyncGenerator<readonly FoundRow[] | null> {
  for (let last = ""; ;) {
    const after = `WHERE "${key}" > '${last.replaceAll("'", "''")}' ORDER BY "${key}" LIMIT ${PAGE}`;
    const rows = await migrator.rows(`SELECT * FROM ${asSubquery(sql)} ${after}`);
    yield rows;
    if (rows === null || rows.length < PAGE) return;
    last = String(rows.at(-1)?.[key]);
  }
}

type WriteRow = (sql: string, values: readonly SqlValue[]) => Promise<unknown>;

/** Converts rows by custom code for a statement marked `convert`; returns their number. */
export async function convertRows(
  migrator: Pick<Migrator, "rows">,
  statement: string,
  convert: RowConverter | null,
  change: WriteRow,
): Promise<number> {
  const [select = "", update = ""] = statement.split(/;\n/);
  const rule = JSON.parse(RULE.exec(select)?.[1] ?? "{}") as RowRule;
  let count = 0;
  for await (const rows of pagesOf(migrator, select, ROW_KEY)) {
    for (const row of rows ?? []) {
      await change(update.replace(/;\s*$/, ""), [
        ...converted(rule, row, convert),
        String(row[ROW_KEY]),
      ]);
      count += 1;
    }
  }
  return count;
}

/** The line after the marker of a statement that fills a search table (QRY-7). */
interface FillRule {
  readonly table: string;
  /** Whether values are JSON lists of texts. */
  readonly isList?: boolean;
}

const TEXTS = 500;
const ROWS = 100;

export type RunPart = (work: () => Promise<FilledPart>) => Promise<FilledPart>;

interface FilledPart {
  readonly rows: number;
  /** The last identifier, or null at the end. */
  readonly last: string | null;
}

/** Fills a search table in parts for a statement marked `fill` or `refill`; returns the number of rows. */
export async function fillSearch(
  migrator: Pick<Migrator, "rows">,
  statement: string,
  { dialect, change, part }: FillingDatabase,
): Promise<number> {
  const rule = JSON.parse(RULE.exec(statement)?.[1] ?? "{}") as FillRule;
  const sql = statement.replace(/;\s*$/, "").replace(":limit", String(TEXTS));
  let rows = 0;
  for (let after: string | null = ""; after !== null;) {
    const from: string = after;
    const filled = await part(async () => {
      const found = await migrator.rows(sql.replace(":after", `'${from.replaceAll("'", "''")}'`));
      if (found === null) throw new Error("there is no such table or column");
      const steps = found.flatMap(({ id, value }) => {
        // An object can lack the text.
        if (value === null) return [];
        // Only lists were written to a column of lists.
        const texts =
          rule.isList === true ? (JSON.parse(String(value)) as string[]) : String(value);
        return insertSearchSteps(dialect, rule.table, String(id), texts);
      });
      for (let at = 0; at < steps.length; at += ROWS) {
        const together = steps.slice(at, at + ROWS);
        const [head = "", places = ""] = (together[0]?.sql ?? "").split(" VALUES ");
        const sqlOfAll = `${head} VALUES ${together.map(() => places).join(", ")}`;
        await change(
          sqlOfAll,
          together.flatMap(({ values }) => values),
        );
      }
      const last = found.length < TEXTS ? null : String(found.at(-1)?.["id"]);
      return { rows: steps.length, last };
    });
    rows += filled.rows;
    after = filled.last;
  }
  return rows;
}

interface FillingDatabase {
  readonly dialect: DialectName;
  readonly change: WriteRow;
  readonly part: RunPart;
}

function converted(
  rule: RowRule,
  row: FoundRow,
  convert: RowConverter | null,
): readonly SqlValue[] {
  if (convert === null) throw new MissingPair(rule.pair);
  try {
    return convert(rule, row);
  } catch (error) {
    if (error instanceof MissingPair) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${rule.pair} cannot convert ${String(row[ROW_KEY])}: ${reason}`, {
      cause: error,
    });
  }
}

/** The issue of a row, or null. */
type FaultOf = (row: FoundRow) => string | null;

/** Throws `MissingPair` if the functions are missing, for which no row is to blame. */
function conversionFault(rule: RowRule, convert: RowConverter | null): FaultOf {
  return (row) => {
    try {
      converted(rule, row, convert);
      return null;
    } catch (error) {
      if (error instanceof MissingPair || !(error instanceof Error)) throw error;
      return error.message;
    }
  };
}

function isRowRule(rule: ReadRule): rule is RowRule {
  return rule.pair !== undefined;
}

/** Throws if there is no rule, because every value would pass. */
function readFault(rule: ReadRule): FaultOf {
  const pattern = rule.pattern === undefined ? null : new RegExp(rule.pattern, "u");
  const isKnown = Object.hasOwn(FORMATS, rule.format ?? "");
  const format = rule.format !== undefined && isKnown ? FORMATS[rule.format] : null;
  if (rule.format === undefined ? pattern === null : format === null) {
    throw new Error('a line such as -- {"format": "email"} has to follow its marker');
  }
  const isRight = (text: string): boolean =>
    pattern?.test(text) !== false && format?.matches(text) !== false;
  const { path } = rule;
  return ({ value }) => {
    const values = path === undefined ? [value] : valuesAtPath(JSON.parse(String(value)), path);
    const isWrong = values.some(
      (one) => one !== null && one !== undefined && !isRight(String(one)),
    );
    return isWrong ? "" : null;
  };
}

function valuesAtPath(value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] {
  if (step === undefined) return [value];
  if (typeof value !== "object" || value === null) return [];
  if (step === "[]") {
    return Array.isArray(value) ? value.flatMap((item: unknown) => valuesAtPath(item, rest)) : [];
  }
  // A list, or an object if the path fits; any other value has no such member.
  return valuesAtPath((value as Readonly<Record<string, unknown>>)[step], rest);
}

/** Rows by table, or their change. */
export type RowCounts = ReadonlyMap<string, number>;

/** Changes of row counts that no step explains: `orders has 3 rows fewer`. */
export function unexpectedRowChanges(
  { steps }: Migration,
  before: RowCounts,
  after: RowCounts,
): readonly string[] {
  // A migration without known steps may add and delete rows.
  if (steps.length === 0) return [];
  const renamed = new Map<string, string>();
  const asked = new Set<string>();
  for (const step of steps) {
    if (step.step === "renameTable") renamed.set(step.table, step.to);
    if (step.step === "createTable") asked.add(step.table.name);
    if (step.step === "dropTable") asked.add(step.table);
  }
  return [...before].flatMap(([table, rows]) => {
    if (asked.has(table)) return [];
    const found = after.get(renamed.get(table) ?? table);
    // A table that is renamed in several statements has its old name until the last of them.
    const now = found ?? (renamed.has(table) ? after.get(table) : undefined);
    if (now === undefined) return [`${table} is gone`];
    if (now === rows) return [];
    const change = Math.abs(now - rows);
    return [`${table} has ${counted(change, "row")} ${now > rows ? "more" : "fewer"}`];
  });
}

/** A migration changed rows unexpectedly, and was rolled back. */
export class UnexpectedRowChange extends Error {
  override readonly name = "UnexpectedRowChange";

  constructor(changes: readonly string[]) {
    super(`it would change rows that it does not name: ${changes.join(", ")}`);
  }
}
