import type { Backfill, MigrationStep } from "#runtime/store/migrations/migration";
import type {
  ColumnType,
  StorageModel,
  StoredTable,
  StoredValue,
} from "#runtime/store/storage-model";
import { InternalError } from "../../diagnostics/internal-error.js";
import { sqlName } from "../../naming/encoders.js";
import { columnDefinition } from "../../storage/print-tables.js";
import { applySteps } from "../apply-steps.js";
import { conversionOf } from "../conversions.js";
import { isInner } from "./inner-edits.js";
import { columnLiteral } from "./literal.js";
import { nextColumn, type Statement } from "./statement.js";

/**
 * The column that a step makes anew on SQLite, which changes neither the type of a column, nor whether it may be null,
 * nor where it refers to; null: the step can be taken as it is. Nothing else of the table is touched, so that what
 * another branch did to it stays.
 */
export function replacedColumn(step: MigrationStep, model: StorageModel): string | null {
  switch (step.step) {
    case "setNullable":
      return isInner(step.path) ? null : step.path;
    case "convertColumn":
      return isInner(step.path) || conversion(step)?.isSame !== false ? null : step.path;
    case "retireColumn": {
      const column = tableOf(model, step.table)?.columns.find(({ name }) => name === step.path);
      return column?.nullable === false ? step.path : null;
    }
    case "addForeignKey":
      return step.foreignKey.column;
    case "dropForeignKey": {
      const keys = tableOf(model, step.table)?.foreignKeys ?? [];
      return keys.find(({ name }) => name === step.foreignKey)?.column ?? null;
    }
    default:
      return null;
  }
}

function tableOf({ tables }: StorageModel, name: string): StoredTable | undefined {
  return tables.find((table) => table.name === name);
}

function conversion({ from, to }: Extract<MigrationStep, { step: "convertColumn" }>) {
  return conversionOf({ from, to, place: "column", dialect: "sqlite" });
}

/** A step, and what is there when it comes. */
export interface Turn {
  readonly step: MigrationStep;
  readonly index: number;
  readonly model: StorageModel;
}

/**
 * The column that is made anew at a step, once for all the steps of the migration that ask for it. One that is added
 * has its key and its NOT NULL from the start, and a table that is dropped takes its columns along.
 */
export function columnMadeAnew(
  { step, index, model }: Turn,
  steps: readonly MigrationStep[],
): string | null {
  const column = replacedColumn(step, model);
  const isInVain = steps.some(
    (other, place) =>
      "table" in step &&
      "table" in other &&
      other.table === step.table &&
      (other.step === "dropTable" ||
        (other.step === "addColumn" && other.path === column) ||
        (place > index && replacedColumn(other, model) === column)),
  );
  return isInVain ? null : column;
}

/** The statements that put a column beside one, fill it, and let it take its place. No index may be on it. */
export function replaceColumn(
  { step, model }: Turn,
  steps: readonly MigrationStep[],
  name: string,
): readonly Statement[] {
  const after = applySteps(model, [step]);
  const table = [...after.tables, ...(after.retired ?? [])].find(
    (one) => "table" in step && one.name === step.table,
  );
  const column = [...(table?.columns ?? []), ...(table?.retired ?? [])].find(
    (one) => one.name === name,
  );
  if (table === undefined || column === undefined) {
    throw new InternalError(`there is no column ${name} to replace`);
  }
  const at = `${table.name}.${name}`;
  const alter = `ALTER TABLE ${sqlName(table.name)}`;
  const beside = sqlName(nextColumn(name));
  const value = valueOf(table, column, steps);
  return [
    run(`add a column for the new ${at}`, `${alter} ADD COLUMN ${besideDefinition(table, column)}`),
    run(`fill the new ${at}`, `UPDATE ${sqlName(table.name)} SET ${beside} = ${value}`),
    run(`drop what ${at} was`, `${alter} DROP COLUMN ${sqlName(name)}`),
    run(`let the new ${at} take its place`, `${alter} RENAME COLUMN ${beside} TO ${sqlName(name)}`),
  ];
}

function run(what: string, sql: string): Statement {
  return { kind: "run", what, sql };
}

/** SQLite wants a default for a column that is never null; no row keeps it. */
function besideDefinition(table: StoredTable, column: StoredValue): string {
  const name = nextColumn(column.name);
  const foreignKeys = table.foreignKeys
    .filter((key) => key.column === column.name)
    .map((key) => ({ ...key, column: name }));
  const definition = columnDefinition({ ...table, foreignKeys }, { ...column, name }, "sqlite");
  return column.nullable ? definition : `${definition} DEFAULT ${EMPTY[column.type]}`;
}

/** What a column that is never null begins with, until it is filled. */
export const EMPTY: Readonly<Record<ColumnType, string>> = {
  text: "''",
  integer: "0",
  real: "0",
  boolean: "0",
  json: "''",
};

/** What a row gets in the column: what stands in it, converted; what it is filled with is what it will be. */
function valueOf(table: StoredTable, column: StoredValue, steps: readonly MigrationStep[]): string {
  let value: string = sqlName(column.name);
  let backfill: Backfill | null = null;
  for (const step of steps) {
    if (!("path" in step) || step.table !== table.name || step.path !== column.name) continue;
    if (step.step === "convertColumn") value = conversion(step)?.convert(value) ?? value;
    if (step.step === "restoreColumn") backfill = step.filled?.backfill ?? null;
  }
  return backfill === null
    ? value
    : `coalesce(${value}, ${columnLiteral(backfill, column.type, "sqlite")})`;
}
