import { applySteps, withModels } from "../apply-steps.js";
import type { MigrationStep } from "#runtime/store/migrations/migration";
import type {
  HeldValue,
  StorageModel,
  StoredIndex,
  StoredTable,
} from "#runtime/store/storage-model";
import { insideJson, type SqlDialect } from "../../storage/sql-dialect.js";
import { isWithin } from "../paths.js";
import { isInner } from "./inner-edits.js";
import { replacedColumn } from "./sqlite-columns.js";

/** The indexes that are dropped on the way, since no database changes what they are of, and made again at the end. */
export interface IndexRemakes {
  /** All names that they have on the way. */
  readonly names: ReadonlySet<string>;
  /** Those to drop before each step, once each. */
  readonly dropped: readonly (readonly string[])[];
  /** As they are made again when all steps are done. */
  readonly indexes: readonly { readonly table: StoredTable; readonly index: StoredIndex }[];
}

/** The indexes that have to be dropped and made again. */
export function indexRemakes(
  before: StorageModel,
  steps: readonly MigrationStep[],
  dialect: SqlDialect,
): IndexRemakes {
  const names = new Set<string>();
  const dropped = withModels(before, steps).map(({ step, model }) => {
    const stale = staleIndexes(model, step, dialect).filter(({ name }) => !names.has(name));
    for (const { name } of stale) names.add(name);
    if (step.step === "renameIndex") {
      if (names.has(step.index)) names.add(step.to);
      // Another one had that name.
      else names.delete(step.to);
    }
    if (step.step === "addIndex") names.delete(step.index.name);
    return stale.map(({ name }) => name);
  });
  const indexes = applySteps(before, steps).tables.flatMap((table) =>
    table.indexes.filter(({ name }) => names.has(name)).map((index) => ({ table, index })),
  );
  return { names, dropped, indexes };
}

/**
 * The indexes that no database takes along with a step: on what it gives another name inside JSON, on values that
 * compare in another way, on a column that SQLite makes anew.
 */
export function staleIndexes(
  model: StorageModel,
  step: MigrationStep,
  dialect: SqlDialect,
): readonly StoredIndex[] {
  const path = stalePath(model, step, dialect);
  if (path === null || !("table" in step)) return [];
  const table = model.tables.find(({ name }) => name === step.table);
  return (table?.indexes ?? []).filter(
    ({ terms, databases }) =>
      databases.includes(dialect) && terms.some((term) => isWithin(term, path)),
  );
}

function stalePath(model: StorageModel, step: MigrationStep, dialect: SqlDialect): string | null {
  if (!("path" in step) || !isInner(step.path)) {
    return dialect === "sqlite" ? replacedColumn(step, model) : null;
  }
  return isFoundAnew(step, dialect) ? step.path : null;
}

function isFoundAnew(step: MigrationStep, dialect: SqlDialect): boolean {
  if (step.step !== "convertColumn") return step.step === "renameColumn";
  const compared = (held: HeldValue): string => insideJson("", [], held, dialect);
  return compared(step.from) !== compared(step.to);
}
