import { applySteps } from "../apply-steps.js";
import type { MigrationStep } from "#kernel/store/migration-step";
import type { StorageModel, StoredIndex, StoredTable } from "#kernel/store/storage-model";
import { isInner } from "./inner-edits.js";

/** The indexes on something inside JSON that has another name now: no database renames that in an index. */
export interface IndexRemakes {
  /** All names that they have on the way. */
  readonly names: ReadonlySet<string>;
  /** As they are made again when all steps are done. */
  readonly indexes: readonly { readonly table: StoredTable; readonly index: StoredIndex }[];
}

/** The indexes that have to be dropped and made again. */
export function indexRemakes(before: StorageModel, steps: readonly MigrationStep[]): IndexRemakes {
  const names = new Set<string>();
  let model = before;
  for (const step of steps) {
    for (const { name } of staleIndexes(model, step)) names.add(name);
    if (step.step === "renameIndex" && names.has(step.index)) names.add(step.to);
    if (step.step === "dropIndex") names.delete(step.index);
    model = applySteps(model, [step]);
  }
  const added = new Set(
    steps.flatMap((step) => (step.step === "addIndex" ? [step.index.name] : [])),
  );
  const indexes = model.tables.flatMap((table) =>
    table.indexes
      .filter(({ name }) => names.has(name) && !added.has(name))
      .map((index) => ({ table, index })),
  );
  return { names, indexes };
}

/** The indexes on what a step gives another name inside JSON. */
export function staleIndexes(model: StorageModel, step: MigrationStep): readonly StoredIndex[] {
  if (step.step !== "renameColumn" || !isInner(step.path)) return [];
  const table = model.tables.find(({ name }) => name === step.table);
  const isMeant = (term: string): boolean => term === step.path || term.startsWith(`${step.path}.`);
  return (table?.indexes ?? []).filter(({ terms }) => terms.some(isMeant));
}
