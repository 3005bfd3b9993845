import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { StoredIndex, StoredTable } from "#runtime/store/storage-model";
import { sqlName, sqlText } from "../../naming/encoders.js";
import { indexTarget } from "../../storage/print-tables.js";
import { shortName } from "../../storage/short-name.js";
import { columnTypeIn } from "../../storage/sql-dialect.js";
import { conversionOf } from "../conversions.js";
import { isInner } from "./inner-edits.js";
import { originOf, tableBefore } from "./origins.js";
import { ifColumn, proof, proofName } from "./postgres-pieces.js";
import type { PostgresTurn } from "./postgres-turn.js";
import { nextColumn, statement, type Statement } from "./statement.js";

/** A column whose values are converted, and the one beside it that takes its place. */
interface Replaced {
  readonly table: StoredTable;
  /** In the end. */
  readonly column: string;
  readonly isNullable: boolean;
  /** While the older release serves. */
  readonly now: { readonly table: string; readonly column: string; readonly key: string };
  readonly next: string;
  /** Of the function and the trigger that keep the two in step. */
  readonly keeper: string;
  readonly type: string;
  convert(value: string): string;
  readonly lost: string | null;
}

/**
 * Values that an older release reads and writes meanwhile: the converted ones go into a column beside theirs, which a
 * trigger keeps in step, and which takes its place when no older release serves any more.
 */
export function convertStatements(
  turn: PostgresTurn,
  step: Extract<MigrationStep, { step: "convertColumn" }>,
): Statement[] {
  const made = conversionOf({ from: step.from, to: step.to, place: "column", dialect: "postgres" });
  const table = turn.model.tables.find(({ name }) => name === step.table);
  const column = table?.columns.find(({ name }) => name === step.path);
  if (made === null || made.isSame || table === undefined || column === undefined) return [];
  const origin = originOf(turn.earlier, step.table, step.path, "postgres");
  const keeper = shortName(`${step.table}_${step.path}_next`);
  const key = table.primaryKey[0] ?? "";
  const replaced: Replaced = {
    table,
    column: step.path,
    isNullable: column.nullable,
    now: {
      table: origin.table,
      column: origin.path,
      key: originOf(turn.earlier, step.table, key, "postgres").path,
    },
    next: nextColumn(step.path),
    keeper,
    type: columnTypeIn("postgres", step.to.type),
    convert: (value) => made.convert(value),
    lost: made.refused?.condition(sqlName(step.path)) ?? null,
  };
  const indexes = indexesOn(turn, replaced);
  return [
    ...beside(replaced),
    ...indexed(turn, step.table, indexes),
    ...swapped(replaced, indexes),
  ];
}

/** The column beside, filled and kept in step. */
function beside(replaced: Replaced): Statement[] {
  return [...keptInStep(replaced), ...filled(replaced), ...proven(replaced)];
}

function keptInStep({ table, column, now, next, keeper, type, convert }: Replaced): Statement[] {
  const at = `${table.name}.${column}`;
  const [name, into] = [sqlName(now.table), sqlName(next)];
  return [
    statement(
      "run",
      `add a column for the converted ${at}`,
      `ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS ${into} ${type}`,
    ),
    statement(
      "run",
      `say how ${at} is converted`,
      `CREATE OR REPLACE FUNCTION ${sqlName(keeper)}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN`,
      `  NEW.${into} := ${convert(`NEW.${sqlName(now.column)}`)};`,
      "  RETURN NEW;",
      "END $$",
    ),
    statement(
      "run",
      `convert ${at} whenever it is written`,
      `CREATE OR REPLACE TRIGGER ${sqlName(keeper)} BEFORE INSERT OR UPDATE ON ${name}`,
      `  FOR EACH ROW EXECUTE FUNCTION ${sqlName(keeper)}()`,
    ),
  ];
}

/** Without an index each batch would read again what the ones before it have done. */
function filled({ table, column, now, next, keeper, convert }: Replaced): Statement[] {
  const [name, into, from] = [sqlName(now.table), sqlName(next), sqlName(now.column)];
  const key = sqlName(now.key);
  const todo = sqlName(shortName(`${keeper}_todo`));
  const isTodo = `${into} IS NULL AND ${from} IS NOT NULL`;
  return [
    statement(
      "outside",
      "find the rows that are not converted yet",
      `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${todo} ON ${name} (${key}) WHERE ${isTodo}`,
    ),
    statement(
      "batch",
      `convert ${table.name}.${column}`,
      `UPDATE ${name} SET ${into} = ${convert(from)}`,
      `WHERE ${key} IN (SELECT ${key} FROM ${name} WHERE ${isTodo} LIMIT :limit)`,
    ),
    statement(
      "outside",
      "no row has to be found any more",
      `DROP INDEX CONCURRENTLY IF EXISTS ${todo}`,
    ),
  ];
}

function proven({ table, column, isNullable, now, next }: Replaced): Statement[] {
  if (isNullable) return [];
  const at = `${table.name}.${column}`;
  const [add, validate] = proof(now.table, next);
  return [
    statement("run", `refuse null for the new ${at}`, add),
    statement("run", `look whether the new ${at} is null anywhere`, validate),
  ];
}

/** The name of an index while the one that it replaces is there. */
function nextIndex(name: string): string {
  return shortName(`${name}_next`);
}

/** The indexes that go with the column; those that are made again at the end need none in their place. */
function indexesOn(turn: PostgresTurn, { table, column }: Replaced): readonly StoredIndex[] {
  return table.indexes.filter(
    ({ name, terms, databases }) =>
      terms.includes(column) && databases.includes("postgres") && !turn.remade.has(name),
  );
}

/** With the last column of an index that is converted, it is made of all that take a place in it. */
function indexed(turn: PostgresTurn, name: string, indexes: readonly StoredIndex[]): Statement[] {
  const { earlier, before } = turn;
  const later = convertedColumns(turn, name, earlier.count + 1);
  const converted = new Set(convertedColumns(turn, name, 0));
  const now = before.tables.find((table) => table.name === tableBefore(earlier, name));
  const last = indexes.filter(({ terms }) => !terms.some((term) => later.includes(term)));
  return last.flatMap((index) => {
    if (now === undefined) return [];
    const terms = index.terms.map((term) =>
      converted.has(term) ? nextColumn(term) : originOf(earlier, name, term, "postgres").path,
    );
    const target = indexTarget(now, { ...index, terms }, "postgres");
    const create = index.unique ? "CREATE UNIQUE INDEX" : "CREATE INDEX";
    const sql = `${create} CONCURRENTLY IF NOT EXISTS ${sqlName(nextIndex(index.name))} ${target}`;
    return [statement("outside", `make the index ${index.name} of the converted values`, sql)];
  });
}

/** The columns of a table that get another one in their place, by the steps from one on. */
function convertedColumns({ steps }: PostgresTurn, table: string, from: number): readonly string[] {
  return steps.slice(from).flatMap((step) => {
    if (step.step !== "convertColumn" || step.table !== table || isInner(step.path)) return [];
    const made = conversionOf({
      from: step.from,
      to: step.to,
      place: "column",
      dialect: "postgres",
    });
    return made === null || made.isSame ? [] : [step.path];
  });
}

function swapped(replaced: Replaced, indexes: readonly StoredIndex[]): Statement[] {
  const { table, column, isNullable, now, next, keeper, lost } = replaced;
  const name = sqlName(table.name);
  const at = `${table.name}.${column}`;
  const refused = `IF EXISTS (SELECT FROM ${name} WHERE ${lost}) THEN\n  RAISE EXCEPTION USING MESSAGE = ${sqlText(`${at}: rows that cannot be converted were written during the migration`)};\nEND IF`;
  const never = [
    `ALTER TABLE ${name} ALTER COLUMN ${sqlName(next)} SET NOT NULL`,
    `ALTER TABLE ${name} DROP CONSTRAINT IF EXISTS ${sqlName(proofName(now.table, next))}`,
  ];
  const renamed = indexes.map(
    ({ name: index }) =>
      `ALTER INDEX IF EXISTS ${sqlName(nextIndex(index))} RENAME TO ${sqlName(index)}`,
  );
  const sql = ifColumn(
    table.name,
    next,
    ...(lost === null ? [] : [refused]),
    `DROP TRIGGER IF EXISTS ${sqlName(keeper)} ON ${name}`,
    ...(isNullable ? [] : never),
    `ALTER TABLE ${name} DROP COLUMN IF EXISTS ${sqlName(column)}`,
    `ALTER TABLE ${name} RENAME COLUMN ${sqlName(next)} TO ${sqlName(column)}`,
    ...renamed,
  );
  return [
    statement("contract", `let the converted ${at} take its place`, sql),
    statement(
      "contract",
      `forget how ${at} was converted`,
      `DROP FUNCTION IF EXISTS ${sqlName(keeper)}()`,
    ),
  ];
}
