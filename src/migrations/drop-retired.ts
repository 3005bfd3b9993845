import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { HeldValue, StorageModel, StoredValue } from "#runtime/store/storage-model";

/** The steps that drop all that is retired: tables, columns, and members of objects inside JSON. */
export function dropSteps({ tables, retired = [] }: StorageModel): readonly MigrationStep[] {
  return [
    ...tables.flatMap((table) =>
      retiredPaths("", table.columns, table.retired).map((path): MigrationStep => ({
        step: "dropColumn",
        table: table.name,
        path,
      })),
    ),
    ...retired.map(({ name }): MigrationStep => ({ step: "dropTable", table: name })),
  ];
}

function retiredPaths(
  inside: string,
  columns: readonly StoredValue[],
  retired: readonly StoredValue[] = [],
): string[] {
  return [
    ...columns.flatMap((column) => inValue(inside + column.name, column)),
    ...retired.map(({ name }) => inside + name),
  ];
}

function inValue(path: string, { encoding }: HeldValue): string[] {
  const { members, retired, items } = encoding;
  return [
    ...(members === undefined ? [] : retiredPaths(`${path}.`, members, retired)),
    ...(items === undefined ? [] : inValue(`${path}[]`, items)),
  ];
}
