import { withModels } from "../apply-steps.js";
import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { StorageModel, StoredIndex, StoredTable } from "#runtime/store/storage-model";
import { sqlName } from "../../naming/encoders.js";
import { columnDefinition, createTable, indexTarget } from "../../storage/print-tables.js";
import { nameOf } from "../../storage/sql-names.js";
import { schemaPath } from "../paths.js";
import { checksOf } from "./checks.js";
import { innerEditOf, isInner } from "./inner-edits.js";
import { fillLinks } from "./links.js";
import { columnLiteral } from "./literal.js";
import { indexRemakes } from "./index-remakes.js";
import { columnMadeAnew, EMPTY, replaceColumn } from "./sqlite-columns.js";
import { rowConversion } from "./row-conversions.js";
import { droppedTriggers, itemStatements } from "./items.js";
import { dropSearchIndex, searchStatements } from "./search.js";
import { printScript, type Statement } from "./statement.js";

/**
 * What SQLite has to be told before the transaction: a table that is dropped would delete what refers to it, and a
 * column that refers to another cannot be added with a default.
 */
const KEYS_OFF = "-- foreign keys: off";
const NEEDS_KEYS_OFF = /^DROP TABLE|\bREFERENCES\b.* DEFAULT /;

/** The script of a migration for SQLite, which runs all of it in one transaction. */
export function sqliteScript(before: StorageModel, steps: readonly MigrationStep[]): string {
  const remakes = indexRemakes(before, steps, "sqlite");
  const turns = withModels(before, steps).map((turn) => {
    return { ...turn, steps, remade: remakes.names };
  });
  const made = [
    // They would run at each change of what they read.
    ...turns.flatMap(({ step, model }) => droppedTriggers(step, model, "sqlite")),
    ...turns.flatMap((turn) => [
      ...(remakes.dropped[turn.index] ?? []).flatMap(dropIndex),
      ...statementsOf(turn),
      ...madeAnew(turn),
    ]),
    ...remakes.indexes.flatMap(({ table, index }) => createIndex(table, index)),
    // What the rows lead to may be made after the table that they go into.
    ...turns.flatMap(filled),
  ];
  const isWithoutKeys = made.some(({ sql }) => NEEDS_KEYS_OFF.test(sql));
  return printScript([...checksOf(before, steps, "sqlite"), ...made], {
    head: isWithoutKeys ? [KEYS_OFF] : [],
  });
}

/** A step, and what is there when it comes. */
interface Turn {
  readonly step: MigrationStep;
  readonly index: number;
  readonly steps: readonly MigrationStep[];
  readonly model: StorageModel;
  /** Indexes that are dropped with a step, and made again at the end. */
  readonly remade: ReadonlySet<string>;
}

function madeAnew(turn: Turn): readonly Statement[] {
  const column = columnMadeAnew(turn, turn.steps);
  return column === null ? [] : replaceColumn(turn, turn.steps, column);
}

function run(what: string, sql: string): Statement[] {
  return [{ kind: "run", what, sql }];
}

function statementsOf(turn: Turn): readonly Statement[] {
  const { step, model } = turn;
  const name = "table" in step && typeof step.table === "string" ? step.table : "";
  const table = model.tables.find((one) => one.name === name);
  switch (step.step) {
    case "createTable":
      return newTable(turn, step.table);
    case "renameTable":
      return run(
        `rename the table ${step.table} to ${step.to}`,
        `ALTER TABLE ${sqlName(step.table)} RENAME TO ${sqlName(step.to)}`,
      );
    case "dropTable":
      return [
        ...(model.retired ?? []).filter((one) => one.name === name).flatMap(dropSearchIndex),
        ...run(`drop the table ${step.table}`, `DROP TABLE IF EXISTS ${sqlName(step.table)}`),
      ];
    case "convertRows":
      return [rowConversion(step, turn, "sqlite")];
    case "addIndex":
    case "renameIndex":
    case "dropIndex":
      return table === undefined ? [] : indexStatements(turn, step, table);
    case "addColumn":
    case "restoreColumn":
    case "renameColumn":
    case "dropColumn":
    case "convertColumn":
      return columnStatements(turn, step, table);
    default:
      // The rest makes a column anew, or changes nothing that is stored.
      return [];
  }
}

function newTable(turn: Turn, table: StoredTable): readonly Statement[] {
  if (table.holds === "search") return searchStatements(table, turn, "sqlite");
  if (table.holds === "items") return itemStatements(table, turn.steps, "sqlite");
  const head = `CREATE TABLE ${nameOf(table, table.name)}`;
  const sql = createTable(table, "sqlite", { head }).join("\n").replace(/;$/, "");
  return [
    ...run(`make the table ${table.name}`, sql),
    ...table.indexes.flatMap((index) => createIndex(table, index)),
  ];
}

function filled(turn: Turn): Statement[] {
  const { step } = turn;
  if (step.step !== "createTable") return [];
  return fillLinks(step.table, turn, "sqlite").map((one) => ({ ...one, kind: "run" }));
}

/** Nothing where SQLite has no such index. */
function createIndex(table: StoredTable, index: StoredIndex): Statement[] {
  if (!index.databases.includes("sqlite")) return [];
  const create = index.unique ? "CREATE UNIQUE INDEX" : "CREATE INDEX";
  const sql = `${create} ${sqlName(index.name)} ${indexTarget(table, index, "sqlite")}`;
  return run(`make the index ${index.name}`, sql);
}

type IndexChange = Extract<MigrationStep, { step: "addIndex" | "renameIndex" | "dropIndex" }>;

function indexStatements(turn: Turn, step: IndexChange, table: StoredTable): Statement[] {
  if (step.step === "addIndex") return createIndex(table, step.index);
  const index = table.indexes.find(({ name }) => name === step.index);
  if (index === undefined || !index.databases.includes("sqlite")) return [];
  if (step.step === "dropIndex") return turn.remade.has(index.name) ? [] : dropIndex(index.name);
  if (turn.remade.has(step.to)) return [];
  return [...dropIndex(index.name), ...createIndex(table, { ...index, name: step.to })];
}

function dropIndex(name: string): Statement[] {
  return run(`drop the index ${name}`, `DROP INDEX IF EXISTS ${sqlName(name)}`);
}

type ColumnChange = Extract<
  MigrationStep,
  { step: "addColumn" | "restoreColumn" | "renameColumn" | "dropColumn" | "convertColumn" }
>;

function columnStatements(
  turn: Turn,
  step: ColumnChange,
  table: StoredTable | undefined,
): Statement[] {
  if (isInner(step.path)) return innerStatements(step);
  const name = sqlName(step.table);
  switch (step.step) {
    case "addColumn":
      return addColumn(turn, step, table);
    case "renameColumn":
      return run(
        `rename ${step.table}.${step.path} to ${step.to}`,
        `ALTER TABLE ${name} RENAME COLUMN ${sqlName(step.path)} TO ${sqlName(step.to)}`,
      );
    case "dropColumn":
      return run(
        `drop ${step.table}.${step.path}`,
        `ALTER TABLE ${name} DROP COLUMN ${sqlName(step.path)}`,
      );
    case "restoreColumn":
    case "convertColumn":
      // The column is made anew.
      return [];
  }
}

function addColumn(
  { steps }: Turn,
  step: Extract<MigrationStep, { step: "addColumn" }>,
  table: StoredTable | undefined,
): Statement[] {
  if (table === undefined) return [];
  const { column, backfill } = step;
  const keys = steps.flatMap((other) =>
    other.step === "addForeignKey" && other.table === step.table ? [other.foreignKey] : [],
  );
  // Own code fills it before the end.
  const isFilled = steps.some(
    (other) =>
      other.step === "setNullable" && other.table === step.table && other.path === step.path,
  );
  const added = isFilled ? { ...column, nullable: false } : column;
  const definition = columnDefinition({ ...table, foreignKeys: keys }, added, "sqlite");
  const value = backfill === null ? null : columnLiteral(backfill, column.type, "sqlite");
  const preset = value ?? (isFilled ? EMPTY[column.type] : null);
  const sql = `ALTER TABLE ${sqlName(step.table)} ADD COLUMN ${definition}${preset === null ? "" : ` DEFAULT ${preset}`}`;
  return run(`add ${step.table}.${step.path}`, sql);
}

function innerStatements(step: ColumnChange): Statement[] {
  const edit = innerEditOf(step, "sqlite");
  if (edit === null) return [];
  const at = `${step.table}.${schemaPath(step.path)}`;
  const what = {
    addColumn: `give every ${at} a value`,
    restoreColumn: `give every ${at} a value`,
    renameColumn: `rename ${at}`,
    dropColumn: `drop ${at}`,
    convertColumn: `convert ${at}`,
  }[step.step];
  return run(what, `UPDATE ${sqlName(step.table)}\nSET ${edit.set}\nWHERE ${edit.pending}`);
}
