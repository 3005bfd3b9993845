import { applySteps } from "../apply-steps.js";
import type { MigrationStep } from "#kernel/store/migration-step";
import type {
  HeldValue,
  StorageModel,
  StoredIndex,
  StoredTable,
} from "#kernel/store/storage-model";
import { insideJson, type SqlDialect } from "../../storage/sql-dialect.js";
import { isInner } from "./inner-edits.js";

/** The indexes on something inside JSON that is found in another way now: no database changes that in an index. */
export interface IndexRemakes {
  /** All names that they have on the way. */
  readonly names: ReadonlySet<string>;
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
  let model = before;
  for (const step of steps) {
    for (const { name } of staleIndexes(model, step, dialect)) names.add(name);
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

/** The indexes on what a step gives another name inside JSON, or values that compare in another way. */
export function staleIndexes(
  model: StorageModel,
  step: MigrationStep,
  dialect: SqlDialect,
): readonly StoredIndex[] {
  if (!("path" in step) || !isInner(step.path) || !isFoundAnew(step, dialect)) return [];
  const table = model.tables.find(({ name }) => name === step.table);
  const isMeant = (term: string): boolean => term === step.path || term.startsWith(`${step.path}.`);
  return (table?.indexes ?? []).filter(
    ({ terms, databases }) => databases.includes(dialect) && terms.some(isMeant),
  );
}

function isFoundAnew(step: MigrationStep, dialect: SqlDialect): boolean {
  if (step.step !== "convertColumn") return step.step === "renameColumn";
  const compared = (held: HeldValue): string => insideJson("", [], held, dialect);
  return compared(step.from) !== compared(step.to);
}
