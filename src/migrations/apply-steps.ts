import { applyColumnStep } from "./apply-column-steps.js";
import type {
  ForeignKeyStep,
  IndexStep,
  MigrationStep,
  TableStep,
} from "#runtime/store/migrations/migration";
import { itemNamed, withEdited, withItem, withoutItem, withRenamed } from "./named-items.js";
import type { ForeignKey, StorageModel, StoredTable } from "#runtime/store/storage-model";

/** Where the steps of the first migration start from. */
export const NO_STORAGE: StorageModel = { format: 1, tables: [] };

/**
 * The storage model that steps lead to. Those of all migrations, in the order of their names, lead from `NO_STORAGE` to
 * the present one. Throws `StepMismatch` where a step does not fit what is there.
 */
export function applySteps(model: StorageModel, steps: readonly MigrationStep[]): StorageModel {
  return steps.reduce(applyStep, model);
}

/** Each of some steps with the storage model that it is applied to, which all before it lead to. */
export function withModels(
  before: StorageModel,
  steps: readonly MigrationStep[],
): readonly {
  readonly step: MigrationStep;
  readonly index: number;
  readonly model: StorageModel;
}[] {
  let model = before;
  return steps.map((step, index) => {
    const turn = { step, index, model };
    model = applyStep(model, step);
    return turn;
  });
}

function applyStep(model: StorageModel, step: MigrationStep): StorageModel {
  switch (step.step) {
    case "createTable":
    case "renameTable":
    case "retireTable":
    case "restoreTable":
    case "dropTable":
      return applyTableStep(model, step);
    case "convertRows":
      // Rows hold other values, in columns that are there already.
      return editTable(model, step.table, (table) => table);
    case "addIndex":
    case "renameIndex":
    case "dropIndex":
      return editTable(model, step.table, (table) => applyIndexStep(table, step));
    case "addForeignKey":
    case "renameForeignKey":
    case "dropForeignKey":
      return editTable(model, step.table, (table) => applyKeyStep(table, step));
    default: {
      const edited = editTable(model, step.table, (table) => applyColumnStep(table, step));
      // Those of other tables that refer to a column follow its name.
      return step.step === "renameColumn"
        ? withKeys(edited, (key) =>
            key.table === step.table && key.key === step.path ? { ...key, key: step.to } : key,
          )
        : edited;
    }
  }
}

function applyTableStep(model: StorageModel, step: TableStep): StorageModel {
  const { tables, retired = [] } = model;
  switch (step.step) {
    case "createTable":
      withItem(retired, step.table, "retired table");
      return { ...model, tables: withItem(tables, step.table, "table") };
    case "renameTable": {
      withItem(
        retired,
        { ...itemNamed(tables, step.table, "table"), name: step.to },
        "retired table",
      );
      const renamed = withRenamed(tables, step.table, step.to, "table");
      return withKeys({ ...model, tables: renamed }, (key) =>
        key.table === step.table ? { ...key, table: step.to } : key,
      );
    }
    case "retireTable":
      return withRetired(
        model,
        withoutItem(tables, step.table, "table"),
        withItem(retired, itemNamed(tables, step.table, "table"), "retired table"),
      );
    case "restoreTable":
      return withRetired(
        model,
        withItem(tables, itemNamed(retired, step.table, "retired table"), "table"),
        withoutItem(retired, step.table, "retired table"),
      );
    case "dropTable":
      return withRetired(model, tables, withoutItem(retired, step.table, "retired table"));
  }
}

function withRetired(
  { format }: StorageModel,
  tables: readonly StoredTable[],
  retired: readonly StoredTable[],
): StorageModel {
  return { format, tables, ...(retired.length > 0 && { retired }) };
}

function applyIndexStep(table: StoredTable, step: IndexStep): StoredTable {
  const { indexes } = table;
  switch (step.step) {
    case "addIndex":
      return { ...table, indexes: withItem(indexes, step.index, "index") };
    case "renameIndex":
      return { ...table, indexes: withRenamed(indexes, step.index, step.to, "index") };
    case "dropIndex":
      return { ...table, indexes: withoutItem(indexes, step.index, "index") };
  }
}

function applyKeyStep(table: StoredTable, step: ForeignKeyStep): StoredTable {
  const { foreignKeys } = table;
  const what = "foreign key";
  switch (step.step) {
    case "addForeignKey":
      return { ...table, foreignKeys: withItem(foreignKeys, step.foreignKey, what) };
    case "renameForeignKey":
      return { ...table, foreignKeys: withRenamed(foreignKeys, step.foreignKey, step.to, what) };
    case "dropForeignKey":
      return { ...table, foreignKeys: withoutItem(foreignKeys, step.foreignKey, what) };
  }
}

function editTable(
  model: StorageModel,
  name: string,
  edit: (table: StoredTable) => StoredTable,
): StorageModel {
  return { ...model, tables: withEdited(model.tables, name, "table", edit) };
}

function withKeys(model: StorageModel, edit: (key: ForeignKey) => ForeignKey): StorageModel {
  const tables = model.tables.map((table) => ({
    ...table,
    foreignKeys: table.foreignKeys.map(edit),
  }));
  return { ...model, tables };
}

/** The steps of a first migration that has none written down, only the storage model that it leads to. */
export function stepsToMake({ tables }: StorageModel): readonly MigrationStep[] {
  return tables.map((table) => ({ step: "createTable", table }));
}
