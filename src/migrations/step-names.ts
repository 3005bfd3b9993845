import type { ColumnStep, MigrationStep, ValueStep } from "#runtime/store/migrations/migration";

/** What each step does, in one word: a part of the name of its migration. */
export const VERB_OF: Readonly<Record<MigrationStep["step"], string>> = {
  createTable: "add",
  renameTable: "rename",
  retireTable: "remove",
  restoreTable: "restore",
  dropTable: "drop",
  addColumn: "add",
  renameColumn: "rename",
  retireColumn: "remove",
  restoreColumn: "restore",
  dropColumn: "drop",
  convertColumn: "convert",
  convertRows: "convert",
  setNullable: "change",
  changeValues: "change",
  addIndex: "index",
  renameIndex: "index",
  dropIndex: "index",
  addForeignKey: "refer",
  renameForeignKey: "refer",
  dropForeignKey: "refer",
};

/** Whether there is such a step. */
export function isStepName(name: string): name is MigrationStep["step"] {
  return Object.hasOwn(VERB_OF, name);
}

/** Whether it is a step on a column, which has a path. */
export function isColumnStep(
  name: MigrationStep["step"],
): name is (ColumnStep | ValueStep)["step"] {
  return /Column$|^setNullable$|^changeValues$/.test(name);
}
