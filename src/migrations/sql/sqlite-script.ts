import { applySteps, withModels } from "../apply-steps.js";
import type { MigrationStep } from "#kernel/store/migration-step";
import type { StorageModel, StoredIndex, StoredTable } from "#kernel/store/storage-model";
import { sqlName } from "../../naming/encoders.js";
import { columnDefinition, createTable, indexTarget } from "../../storage/print-tables.js";
import { nameOf } from "../../storage/sql-names.js";
import { schemaPath } from "../paths.js";
import { checksOf } from "./checks.js";
import { innerEditOf, isInner } from "./inner-edits.js";
import { fillLinks } from "./links.js";
import { columnLiteral } from "./literal.js";
import { indexRemakes, staleIndexes } from "./index-remakes.js";
import { rebuild, tablesToRebuild } from "./sqlite-rebuild.js";
import { printScript, type Statement } from "./statement.js";

/** What SQLite has to be told before the transaction: a table that is dropped would delete what refers to it. */
const KEYS_OFF = "-- foreign keys: off";

/** The script of a migration for SQLite, which runs all of it in one transaction. */
export function sqliteScript(before: StorageModel, steps: readonly MigrationStep[]): string {
  const rebuilt = tablesToRebuild(before, steps);
  const after = applySteps(before, steps);
  const remakes = indexRemakes(before, steps, "sqlite");
  const turns = withModels(before, steps).map(({ step, model }) => {
    return { step, steps, model, rebuilt, remade: remakes.names };
  });
  const remade = remakes.indexes
    .filter(({ table }) => !rebuilt.has(table.name))
    .flatMap(({ table, index }) => createIndex(table, index));
  const made = [
    ...turns.flatMap(statementsOf),
    ...remade,
    // What the rows lead to may be made after the table that they go into.
    ...turns.flatMap(filled),
    ...[...rebuilt].flatMap((name) => rebuild(after, name, steps)),
  ];
  const isDropping = made.some(({ sql }) => sql.startsWith("DROP TABLE"));
  return printScript([...checksOf(before, steps, "sqlite"), ...made], {
    head: isDropping ? [KEYS_OFF] : [],
  });
}

/** A step, and what is there when it comes. */
interface Turn {
  readonly step: MigrationStep;
  readonly steps: readonly MigrationStep[];
  readonly model: StorageModel;
  readonly rebuilt: ReadonlySet<string>;
  /** Indexes that are dropped with a step, and made again at the end. */
  readonly remade: ReadonlySet<string>;
}

function run(what: string, sql: string): Statement[] {
  return [{ kind: "run", what, sql }];
}

function statementsOf(turn: Turn): Statement[] {
  const { step, model, rebuilt } = turn;
  const name = "table" in step && typeof step.table === "string" ? step.table : "";
  const table = model.tables.find((one) => one.name === name);
  switch (step.step) {
    case "createTable":
      return newTable(step.table);
    case "renameTable":
      return run(
        `rename the table ${step.table} to ${step.to}`,
        `ALTER TABLE ${sqlName(step.table)} RENAME TO ${sqlName(step.to)}`,
      );
    case "dropTable":
      return run(`drop the table ${step.table}`, `DROP TABLE IF EXISTS ${sqlName(step.table)}`);
    case "addIndex":
    case "renameIndex":
    case "dropIndex":
      return table === undefined || rebuilt.has(name) ? [] : indexStatements(turn, step, table);
    case "addColumn":
    case "restoreColumn":
    case "renameColumn":
    case "dropColumn":
    case "convertColumn":
      return columnStatements(turn, step, table);
    default:
      // The rest is done by a rebuild, or changes nothing that is stored.
      return [];
  }
}

function newTable(table: StoredTable): Statement[] {
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
  if (step.step === "dropIndex") return dropIndex(index.name);
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
  if (isInner(step.path)) return innerStatements(turn, step);
  const name = sqlName(step.table);
  switch (step.step) {
    case "addColumn":
      return turn.rebuilt.has(step.table) ? [] : addColumn(turn, step, table);
    case "renameColumn":
      return run(
        `rename ${step.table}.${step.path} to ${step.to}`,
        `ALTER TABLE ${name} RENAME COLUMN ${sqlName(step.path)} TO ${sqlName(step.to)}`,
      );
    case "dropColumn":
      return turn.rebuilt.has(step.table)
        ? []
        : run(
            `drop ${step.table}.${step.path}`,
            `ALTER TABLE ${name} DROP COLUMN ${sqlName(step.path)}`,
          );
    case "restoreColumn":
    case "convertColumn":
      // A rebuild of the table does it.
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
  const definition = columnDefinition({ ...table, foreignKeys: keys }, column, "sqlite");
  const preset =
    backfill === null ? "" : ` DEFAULT ${columnLiteral(backfill, column.type, "sqlite")}`;
  const sql = `ALTER TABLE ${sqlName(step.table)} ADD COLUMN ${definition}${preset}`;
  return run(`add ${step.table}.${step.path}`, sql);
}

function innerStatements({ model }: Turn, step: ColumnChange): Statement[] {
  const edit = innerEditOf(step, "sqlite");
  const dropped = staleIndexes(model, step, "sqlite").flatMap(({ name }) => dropIndex(name));
  if (edit === null) return dropped;
  const at = `${step.table}.${schemaPath(step.path)}`;
  const what = {
    addColumn: `give every ${at} a value`,
    restoreColumn: `give every ${at} a value`,
    renameColumn: `rename ${at}`,
    dropColumn: `drop ${at}`,
    convertColumn: `convert ${at}`,
  }[step.step];
  return [
    ...dropped,
    ...run(what, `UPDATE ${sqlName(step.table)}\nSET ${edit.set}\nWHERE ${edit.pending}`),
  ];
}
