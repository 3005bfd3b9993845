import { withModels } from "../apply-steps.js";
import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { StorageModel, StoredTable } from "#runtime/store/storage-model";
import { sqlName } from "../../naming/encoders.js";
import { copiedPlace } from "../../storage/copy-tables.js";
import { addedKey, columnDefinition, createTable } from "../../storage/print-tables.js";
import { nameOf } from "../../storage/sql-names.js";
import { checksOf } from "./checks.js";
import { indexRemakes } from "./index-remakes.js";
import { isInner } from "./inner-edits.js";
import { fillLinks } from "./links.js";
import { columnLiteral } from "./literal.js";
import { misreadPlace } from "./older-releases.js";
import { originOf, tableBefore } from "./origins.js";
import { convertStatements } from "./postgres-convert.js";
import { indexStatements, plainIndex } from "./postgres-indexes.js";
import { dropNotNull, ifColumn, ifConstraint, setNotNull } from "./postgres-pieces.js";
import { innerStatements } from "./postgres-inner.js";
import { rowConversion } from "./row-conversions.js";
import { droppedItems, droppedTriggers, itemStatements } from "./items.js";
import { searchStatements } from "./search.js";
import { printScript, type Statement } from "./statement.js";
import type { PostgresTurn } from "./postgres-turn.js";

/**
 * The script of a migration for PostgreSQL. What an older release can live with comes first, each statement in a short
 * transaction of its own; what it cannot, such as another name of a column, is marked to wait until none serves any more.
 */
export function postgresScript(before: StorageModel, steps: readonly MigrationStep[]): string {
  const remakes = indexRemakes(before, steps, "postgres");
  const turns = withModels(before, steps).map(({ step, index, model }) => {
    const turn = { before, step, steps, model, remade: remakes.names };
    return { ...turn, earlier: { steps, count: index } };
  });
  const statements = [
    ...turns.map((turn) => ({ phase: phaseOf(turn), made: statementsOf(turn) })),
    // What a new table leads to may be made after it.
    ...turns.map((turn) => ({ phase: phaseOf(turn), made: newKeys(turn) })),
  ];
  const atOnce = statements.flatMap(({ made }) => made.filter((one) => !waits(one)));
  // What waits is written last, as it is run last.
  const waiting = PHASES.flatMap((phase) =>
    statements.flatMap((one) => (one.phase === phase ? one.made.filter(waits) : [])),
  );
  const misread = turns.flatMap(({ step, model }) => misreadPlace(step, model) ?? []);
  if (waiting.length === 0 && misread.length > 0) waiting.push(pause(misread));
  const remade = remakes.indexes.flatMap(({ table, index }) => plainIndex(table, index));
  return printScript([...checksOf(before, steps, "postgres"), ...atOnce, ...waiting, ...remade]);
}

/** Nothing is to be done, but for waiting. */
function pause(places: readonly string[]): Statement {
  const what = `no older release uses ${[...new Set(places)].join(", ")} any more`;
  return { kind: "contract", what, sql: "SELECT 1" };
}

function waits({ kind }: Statement): boolean {
  return kind === "contract" || kind === "convert" || kind === "refill";
}

/**
 * The order of what waits. The triggers of tables of items read columns by their former names. Those of columns that are converted know other columns by their former names, and go
 * with the columns: no row is written in between.
 */
const PHASES = ["items", "names", "converted columns", "all else"] as const;

function phaseOf({ step, model }: PostgresTurn): (typeof PHASES)[number] {
  if (droppedItems(step, model.retired) !== null) return "items";
  if (step.step === "renameTable") return "names";
  if (!("path" in step) || isInner(step.path)) return "all else";
  if (step.step === "renameColumn") return "names";
  return step.step === "convertColumn" ? "converted columns" : "all else";
}

function statementsOf(turn: PostgresTurn): readonly Statement[] {
  const { step, steps } = turn;
  switch (step.step) {
    case "createTable":
      return newTable(turn, step.table);
    case "renameTable":
      return renameTable(step.table, step.to);
    case "dropTable":
      return [
        ...droppedTriggers(step, turn.model, "postgres"),
        ...contract(`drop the table ${step.table}`, `DROP TABLE IF EXISTS ${sqlName(step.table)}`),
      ];
    case "addIndex":
    case "renameIndex":
    case "dropIndex":
      return indexStatements(turn, step);
    case "addForeignKey":
    case "renameForeignKey":
    case "dropForeignKey":
      // A table that goes takes its keys along.
      return steps.some((one) => one.step === "dropTable" && one.table === step.table)
        ? []
        : keyStatements(turn, step);
    case "convertRows":
      return [rowConversion(step, turn, "postgres")];
    case "retireTable":
    case "restoreTable":
    case "changeValues":
      return [];
    default:
      return isInner(step.path) ? innerStatements(turn, step) : columnStatements(turn, step);
  }
}

function contract(what: string, sql: string): Statement[] {
  return [{ kind: "contract", what, sql }];
}

function run(what: string, sql: string): Statement[] {
  return [{ kind: "run", what, sql }];
}

function renameTable(from: string, to: string): Statement[] {
  // As PostgreSQL names the index of a primary key, at most 63 bytes long.
  const [key, newKey] = [from, to].map((name) => sqlName(`${name.slice(0, 58)}_pkey`));
  return [
    ...contract(
      `rename the table ${from} to ${to}`,
      `ALTER TABLE IF EXISTS ${sqlName(from)} RENAME TO ${sqlName(to)}`,
    ),
    ...contract(
      `rename the primary key of ${to} likewise`,
      `ALTER INDEX IF EXISTS ${key} RENAME TO ${newKey}`,
    ),
  ];
}

function newTable(turn: PostgresTurn, table: StoredTable): readonly Statement[] {
  if (table.holds === "search") return searchStatements(table, turn, "postgres");
  if (table.holds === "items") return itemStatements(table, turn.steps, "postgres");
  const head = `CREATE TABLE IF NOT EXISTS ${nameOf(table, table.name)}`;
  const sql = createTable(table, "postgres", { head }).join("\n").replace(/;$/, "");
  return [
    ...run(`make the table ${table.name}`, sql),
    ...table.indexes.flatMap((index) =>
      plainIndex(table, index).map((one) => ({ ...one, kind: "run" }) as const),
    ),
    // An older release goes on writing lists without these rows.
    ...fillLinks(table, turn, "postgres").map((one) => ({ ...one, kind: "contract" }) as const),
  ];
}

function newKeys(turn: PostgresTurn): Statement[] {
  const { step } = turn;
  if (step.step !== "createTable" || copiedPlace(step.table) !== null) return [];
  const { name, foreignKeys } = step.table;
  return foreignKeys.flatMap((foreignKey) =>
    keyStatements(turn, { step: "addForeignKey", table: name, foreignKey }),
  );
}

type KeyChange = Extract<
  MigrationStep,
  { step: "addForeignKey" | "renameForeignKey" | "dropForeignKey" }
>;

function keyStatements({ earlier, steps }: PostgresTurn, step: KeyChange): Statement[] {
  const table = sqlName(tableBefore(earlier, step.table));
  switch (step.step) {
    case "dropForeignKey":
      // The one that takes its place drops it.
      if (
        steps.some((one) => one.step === "addForeignKey" && one.foreignKey.name === step.foreignKey)
      ) {
        return [];
      }
      // An older release shows what is referred to, which could be deleted then.
      return contract(
        `let ${step.foreignKey} no longer be kept`,
        `ALTER TABLE IF EXISTS ${sqlName(step.table)} DROP CONSTRAINT IF EXISTS ${sqlName(step.foreignKey)}`,
      );
    case "renameForeignKey": {
      const sql = `ALTER TABLE ${sqlName(step.table)} RENAME CONSTRAINT ${sqlName(step.foreignKey)} TO ${sqlName(step.to)}`;
      return contract(
        `rename ${step.foreignKey} to ${step.to}`,
        ifConstraint(step.table, step.foreignKey, sql),
      );
    }
    case "addForeignKey": {
      const { name, column, table: other, key } = step.foreignKey;
      const now = {
        ...step.foreignKey,
        column: originOf(earlier, step.table, column, "postgres").path,
        table: tableBefore(earlier, other),
        key: originOf(earlier, other, key, "postgres").path,
      };
      const added = `ALTER TABLE ${table}\n  DROP CONSTRAINT IF EXISTS ${sqlName(name)},\n  ${addedKey(now)} NOT VALID`;
      return [
        ...run(`let new values of ${step.table}.${column} lead to ${other}`, added),
        ...run(
          `look whether all of them do`,
          `ALTER TABLE ${table} VALIDATE CONSTRAINT ${sqlName(name)}`,
        ),
      ];
    }
  }
}

type ColumnChange = Extract<
  MigrationStep,
  {
    step:
      | "addColumn"
      | "restoreColumn"
      | "renameColumn"
      | "retireColumn"
      | "dropColumn"
      | "setNullable"
      | "convertColumn";
  }
>;

type Restoring = Extract<MigrationStep, { step: "restoreColumn" }>;

function columnStatements(turn: PostgresTurn, step: ColumnChange): Statement[] {
  const { earlier, model } = turn;
  const at = `${step.table}.${step.path}`;
  const origin = originOf(earlier, step.table, step.path, "postgres");
  const table = sqlName(origin.table);
  const found = model.tables.find(({ name }) => name === step.table);
  switch (step.step) {
    case "addColumn": {
      if (found === undefined) return [];
      const { column, backfill } = step;
      const literal = backfill === null ? null : columnLiteral(backfill, column.type, "postgres");
      const preset = literal === null ? "" : ` DEFAULT ${literal}`;
      const added = columnDefinition(found, column, "postgres");
      const dropped = `ALTER TABLE IF EXISTS ${sqlName(step.table)} ALTER COLUMN ${sqlName(step.path)} DROP DEFAULT`;
      return [
        ...run(`add ${at}`, `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${added}${preset}`),
        ...(literal === null ? [] : contract(`let every release say what ${at} is`, dropped)),
      ];
    }
    case "restoreColumn":
      return fillRestored(step);
    case "renameColumn": {
      const renamed = `ALTER TABLE ${sqlName(step.table)} RENAME COLUMN ${sqlName(step.path)} TO ${sqlName(step.to)}`;
      return contract(`rename ${at} to ${step.to}`, ifColumn(step.table, step.path, renamed));
    }
    case "retireColumn": {
      const column = found?.columns.find(({ name }) => name === step.path);
      if (column?.nullable !== false) return [];
      return run(`let ${at} be null`, dropNotNull(origin.table, origin.path));
    }
    case "dropColumn":
      return contract(
        `drop ${at}`,
        `ALTER TABLE IF EXISTS ${sqlName(step.table)} DROP COLUMN IF EXISTS ${sqlName(step.path)}`,
      );
    case "setNullable":
      if (!step.nullable) return setNotNull(step.table, step.path);
      // The column of the converted values takes its place only later.
      return origin.conversions.some(({ isSame }) => !isSame)
        ? contract(`let ${at} be null`, dropNotNull(step.table, step.path))
        : run(`let ${at} be null`, dropNotNull(origin.table, origin.path));
    case "convertColumn":
      return convertStatements(turn, step);
  }
}

/** An older release goes on making rows without a value. */
function fillRestored({ table, path, filled }: Restoring): Statement[] {
  if (filled === undefined || filled.backfill === null) return [];
  const literal = columnLiteral(filled.backfill, filled.column.type, "postgres");
  const column = sqlName(path);
  return contract(
    `give every ${table}.${path} a value`,
    `UPDATE ${sqlName(table)}\nSET ${column} = ${literal}\nWHERE ${column} IS NULL`,
  );
}
