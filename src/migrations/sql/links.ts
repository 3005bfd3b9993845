import type { MigrationStep } from "#kernel/store/migration-step";
import type { StorageModel, StoredTable } from "#kernel/store/storage-model";
import { sqlName } from "../../naming/encoders.js";
import type { SqlDialect } from "../../storage/sql-dialect.js";
import type { Statement } from "./statement.js";

/** What fills a new table of links from the lists that were there before; nothing where there were none. */
export function fillLinks(
  table: StoredTable,
  { model, steps }: { readonly model: StorageModel; readonly steps: readonly MigrationStep[] },
  dialect: SqlDialect,
): readonly Omit<Statement, "kind">[] {
  const [owner, other] = table.foreignKeys;
  if (table.holds !== "links" || owner === undefined || other === undefined) return [];
  const list = table.name.slice(owner.table.length + 1);
  const holder = model.tables.find(({ name }) => name === owner.table);
  const isNew = steps.some(
    (step) => step.step === "addColumn" && step.table === owner.table && step.path === list,
  );
  if (isNew || holder?.columns.some(({ name }) => name === list) !== true) return [];
  const [from, key, items] = [sqlName(owner.table), sqlName(owner.key), sqlName(list)];
  const listed =
    dialect === "sqlite"
      ? `json_each(${from}.${items}) AS "item"`
      : `jsonb_array_elements_text(CAST(${from}.${items} AS jsonb)) AS "item" ("value")`;
  const sql = [
    `INSERT INTO ${sqlName(table.name)} (${owner.column}, ${other.column})`,
    `SELECT DISTINCT ${from}.${key}, "item"."value" FROM ${from}, ${listed}`,
    // SQLite would take ON for a part of the join.
    "WHERE TRUE ON CONFLICT DO NOTHING",
  ].join("\n");
  return [{ what: `fill ${table.name} from the lists`, sql }];
}
