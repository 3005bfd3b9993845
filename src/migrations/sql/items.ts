import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { StorageModel, StoredTable } from "#runtime/store/storage-model";
import { sqlName } from "../../naming/encoders.js";
import {
  dropItemTriggers,
  insertItems,
  itemsOf,
  makeItemTable,
} from "../../storage/item-tables.js";
import type { SqlDialect } from "../../storage/sql-dialect.js";
import { isChanging } from "./search.js";
import { statement, type Statement } from "./statement.js";

/** The statements for a new table of items: it is made with its triggers, and filled from the lists that are there. */
export function itemStatements(
  table: StoredTable,
  steps: readonly MigrationStep[],
  dialect: SqlDialect,
): readonly Statement[] {
  const owner = itemsOf(table);
  if (owner === null) return [];
  const isNew = steps.some(
    (step) => step.step === "createTable" && step.table.name === owner.table,
  );
  // The one of before has its name until no older release reads it any more.
  const isMadeAnew = steps.some((step) => step.step === "dropTable" && step.table === table.name);
  const isLate = dialect === "postgres" && (isMadeAnew || isChanging(owner.table, steps));
  const kind = isLate ? "contract" : "run";
  const made = makeItemTable(table, dialect).map(({ what, lines }) =>
    statement(kind, what, ...lines),
  );
  if (isNew) return made;
  const [from, key] = [sqlName(owner.table), sqlName(owner.key)];
  const what = `fill ${table.name} from the lists`;
  if (dialect === "sqlite") {
    return [...made, statement("run", what, ...insertItems(table, "sqlite", { from }))];
  }
  // The batch locks its rows: a concurrent write waits, and its trigger then replaces what was filled.
  const fill = statement(
    isLate ? "refill" : "fill",
    what,
    `WITH batch AS (`,
    `  SELECT * FROM ${from} WHERE ${key} > :after ORDER BY ${key} LIMIT :limit FOR SHARE`,
    `), added AS (`,
    ...insertItems(table, "postgres", { from: "batch" }).map((line) => `  ${line}`),
    `  ON CONFLICT DO NOTHING`,
    `)`,
    `SELECT ${key} AS id, NULL AS value FROM batch ORDER BY ${key}`,
  );
  return [...made, fill];
}

/** What keeps a table of items right, which a step drops; nothing of any other step. */
export function droppedTriggers(
  step: MigrationStep,
  { retired = [] }: StorageModel,
  dialect: SqlDialect,
): readonly Statement[] {
  const table = droppedItems(step, retired);
  if (table === null) return [];
  const kind = dialect === "sqlite" ? "run" : "contract";
  return dropItemTriggers(table, dialect).map(({ what, lines }) => statement(kind, what, ...lines));
}

/** The table of items that a step drops; null: it drops none. */
export function droppedItems(
  step: MigrationStep,
  retired: readonly StoredTable[] = [],
): StoredTable | null {
  if (step.step !== "dropTable") return null;
  return retired.find(({ name, holds }) => name === step.table && holds === "items") ?? null;
}
