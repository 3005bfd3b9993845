import type { Backfill, MigrationStep } from "#runtime/store/migrations/migration";
import { heldWords } from "./conversions.js";
import { lastStep, schemaPath } from "./paths.js";

/** What a step does, for people: `rename orders.fax to telefax`. */
export function stepWords(step: MigrationStep): string {
  if ("path" in step) return columnWords(step, `${step.table}.${schemaPath(step.path)}`);
  switch (step.step) {
    case "createTable":
      return `make the table ${step.table.name}`;
    case "renameTable":
      return `rename the table ${step.table} to ${step.to}`;
    case "retireTable":
      return `keep the table ${step.table}, which nothing uses any more`;
    case "restoreTable":
      return `use the table ${step.table} again`;
    case "dropTable":
      return `drop the table ${step.table}`;
    case "convertRows":
      return `make ${rowPaths(step.table, step.to)} of ${rowPaths(step.table, step.from)}, by ${step.pair}`;
    case "addIndex":
      return `make the ${step.index.unique ? "unique index" : "index"} ${step.index.name}`;
    case "renameIndex":
      return `rename the index ${step.index} to ${step.to}`;
    case "dropIndex":
      return `drop the index ${step.index}`;
    case "addForeignKey":
      return `let ${step.table}.${step.foreignKey.column} lead to ${step.foreignKey.table}`;
    case "renameForeignKey":
      return `rename the foreign key ${step.foreignKey} to ${step.to}`;
    case "dropForeignKey":
      return `drop the foreign key ${step.foreignKey}`;
  }
}

/** `merchants.openingHour, openingMinute` */
export function rowPaths(table: string, paths: readonly string[]): string {
  return paths
    .map((path, index) => (index === 0 ? `${table}.${schemaPath(path)}` : lastStep(path)))
    .join(", ");
}

function columnWords(step: Extract<MigrationStep, { readonly path: string }>, at: string): string {
  switch (step.step) {
    case "addColumn":
      return `add ${at}${backfillWords(step.backfill, "the rows that exist")}`;
    case "renameColumn":
      return `rename ${at} to ${step.to}`;
    case "retireColumn":
      return `keep ${at}, which nothing uses any more`;
    case "restoreColumn":
      return `use ${at} again${backfillWords(step.filled?.backfill ?? null, "rows that have none")}`;
    case "dropColumn":
      return `drop ${at}`;
    case "convertColumn":
      return `convert ${at} from ${heldWords(step.from)} to ${heldWords(step.to)}`;
    case "setNullable":
      return step.nullable ? `let ${at} be null` : `let ${at} never be null`;
    case "changeValues":
      return `change what ${at} can be`;
  }
}

function backfillWords(backfill: Backfill | null, rows: string): string {
  if (backfill === null) return "";
  return "value" in backfill
    ? `, ${JSON.stringify(backfill.value)} in ${rows}`
    : `, which ${backfill.converted} makes of ${rows}`;
}
