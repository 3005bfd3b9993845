import { withModels } from "../apply-steps.js";
import type { MigrationStep } from "#kernel/store/migration-step";
import type { StorageModel, StoredTable, StoredValue } from "#kernel/store/storage-model";
import { InternalError } from "../../diagnostics/internal-error.js";
import { sqlName } from "../../naming/encoders.js";
import { createTable, indexTarget } from "../../storage/print-tables.js";
import { columnName } from "../../storage/sql-names.js";
import { conversionOf } from "../conversions.js";
import { isInner } from "./inner-edits.js";
import { columnLiteral } from "./literal.js";
import type { Statement } from "./statement.js";

/**
 * The tables that SQLite has to make anew, by the names that they have in the end: it changes neither the type of a
 * column, nor whether it may be null, nor where it refers to.
 */
export function tablesToRebuild(
  before: StorageModel,
  steps: readonly MigrationStep[],
): ReadonlySet<string> {
  const dropped = namesOf(steps, "dropTable");
  const rebuilt = new Set<string>();
  for (const { step, model } of withModels(before, steps)) {
    if (typeof step.table !== "string" || dropped.has(step.table)) continue;
    if (needsRebuild(step, model, steps)) rebuilt.add(step.table);
  }
  return rebuilt;
}

function namesOf(steps: readonly MigrationStep[], name: "dropTable"): ReadonlySet<string> {
  return new Set(steps.flatMap((step) => (step.step === name ? [step.table] : [])));
}

function needsRebuild(
  step: MigrationStep,
  model: StorageModel,
  steps: readonly MigrationStep[],
): boolean {
  switch (step.step) {
    case "setNullable":
      return !isInner(step.path);
    case "convertColumn":
      return !isInner(step.path) && conversion(step)?.isSame === false;
    case "retireColumn":
      return !isInner(step.path) && columnOf(model, step.table, step.path)?.nullable === false;
    case "dropForeignKey":
      return true;
    case "addForeignKey": {
      const { column } = step.foreignKey;
      // A new column has its key from the start.
      return !steps.some(
        (one) => one.step === "addColumn" && one.table === step.table && one.path === column,
      );
    }
    default:
      return false;
  }
}

function conversion({ from, to }: Extract<MigrationStep, { step: "convertColumn" }>) {
  return conversionOf({ from, to, place: "column", dialect: "sqlite" });
}

function columnOf(model: StorageModel, table: string, name: string): StoredValue | undefined {
  const found = model.tables.find((one) => one.name === table);
  return found?.columns.find((column) => column.name === name);
}

/** The statements that make a table anew, with its rows. Its columns have their names already. */
export function rebuild(
  after: StorageModel,
  name: string,
  steps: readonly MigrationStep[],
): readonly Statement[] {
  const table = [...after.tables, ...(after.retired ?? [])].find((one) => one.name === name);
  if (table === undefined) throw new InternalError(`there is no table ${name} to rebuild`);
  // No table has a space in its name.
  const draft = sqlName(`${name} rebuilt`);
  const columns = [...table.columns, ...(table.retired ?? [])];
  const create = createTable(table, "sqlite", { head: `CREATE TABLE ${draft}` });
  const list = (items: readonly string[]): string => items.map((item) => `  ${item}`).join(",\n");
  const names = columns.map((column) => columnName(table, column.name));
  const values = columns.map((column) => valueOf(table, column, steps));
  const indexes = table.indexes.filter(({ databases }) => databases.includes("sqlite"));
  return [
    run(`make ${name} anew`, create.join("\n").replace(/;$/, "")),
    run(
      `copy the rows of ${name}`,
      `INSERT INTO ${draft} (\n${list(names)}\n)\nSELECT\n${list(values)}\nFROM ${sqlName(name)}`,
    ),
    run(`drop what ${name} was`, `DROP TABLE ${sqlName(name)}`),
    run(`give ${name} its name again`, `ALTER TABLE ${draft} RENAME TO ${sqlName(name)}`),
    ...indexes.map((index) => {
      const create = index.unique ? "CREATE UNIQUE INDEX" : "CREATE INDEX";
      const sql = `${create} ${sqlName(index.name)} ${indexTarget(table, index, "sqlite")}`;
      return run(`make the index ${index.name}`, sql);
    }),
  ];
}

function run(what: string, sql: string): Statement {
  return { kind: "run", what, sql };
}

/** What a row gets in a column: what stands there, converted, or what a new one begins with. */
function valueOf(table: StoredTable, column: StoredValue, steps: readonly MigrationStep[]): string {
  const own = steps.filter((step) => "path" in step && step.table === table.name);
  const added = own.find((step) => step.step === "addColumn" && step.path === column.name);
  const start =
    added?.step === "addColumn"
      ? added.backfill === null
        ? "NULL"
        : columnLiteral(added.backfill, column.type, "sqlite")
      : columnName(table, column.name);
  const made = own.reduce(
    (value, step) =>
      step.step === "convertColumn" && step.path === column.name
        ? (conversion(step)?.convert(value) ?? value)
        : value,
    start,
  );
  const restored = own.find((step) => step.step === "restoreColumn" && step.path === column.name);
  const backfill = restored?.step === "restoreColumn" ? restored.filled?.backfill : null;
  return backfill ? `coalesce(${made}, ${columnLiteral(backfill, column.type, "sqlite")})` : made;
}
