import type { Migration } from "./migration.js";
import type { MigrationStep } from "./migration-step.js";

/** Whether a migration touches a table that another one touches; one that was written by hand may touch any. */
export function sharesTables(one: Migration, other: Migration): boolean {
  const tables = tablesOf(other);
  const isByHand = one.steps.length === 0 || other.steps.length === 0;
  return isByHand || [...tablesOf(one)].some((table) => tables.has(table));
}

function tablesOf({ steps }: Migration): ReadonlySet<string> {
  return new Set(steps.flatMap(tableNames));
}

function tableNames(step: MigrationStep): readonly string[] {
  switch (step.step) {
    case "createTable":
      return [step.table.name, ...step.table.foreignKeys.map(({ table }) => table)];
    case "renameTable":
      return [step.table, step.to];
    case "addForeignKey":
      return [step.table, step.foreignKey.table];
    default:
      return [step.table];
  }
}
