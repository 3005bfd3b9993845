import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { StorageModel, StoredTable } from "#runtime/store/storage-model";

/** A table that is made, and the one that it is like in all but the name. */
export interface PerhapsRenamed {
  readonly table: string;
  readonly former: string;
}

/**
 * New tables of entities that are like one whose resource is gone: perhaps somebody renamed it. What could be two is none;
 * `current` are the tables that the newest version shows.
 */
export function perhapsRenamedTables(
  before: StorageModel,
  steps: readonly MigrationStep[],
  current: ReadonlySet<string>,
): readonly PerhapsRenamed[] {
  const renamed = steps.flatMap((step) => (step.step === "renameTable" ? [step.table] : []));
  const gone = before.tables.filter(
    ({ name, holds }) => holds === "entities" && !current.has(name) && !renamed.includes(name),
  );
  const come = steps.flatMap((step) =>
    step.step === "createTable" && step.table.holds === "entities" ? [step.table] : [],
  );
  const pairs = come.flatMap((table) =>
    gone
      .filter((former) => columnsOf(former) === columnsOf(table))
      .map((former) => ({ table: table.name, former: former.name })),
  );
  return pairs.filter(
    (pair) =>
      pairs.filter(({ table, former }) => table === pair.table || former === pair.former).length ===
      1,
  );
}

/** All columns but the identifier, which is named after the entity. */
function columnsOf({ columns, primaryKey }: StoredTable): string {
  const own = columns.filter(({ name }) => !primaryKey.includes(name));
  return JSON.stringify(own.map((column) => JSON.stringify(column)).sort());
}
