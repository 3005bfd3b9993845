import { applySteps } from "./apply-steps.js";
import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { StorageModel, StoredTable } from "#runtime/store/storage-model";
import type { EditProblem } from "./edit-problem.js";
import { formerPlaces } from "./former-places.js";
import { lastStep, schemaPath } from "./paths.js";

/** A migration in the making: each step is applied at once, so that the next is decided on what is then there. */
export class Draft {
  readonly steps: MigrationStep[] = [];
  readonly problems: EditProblem[] = [];

  constructor(
    private present: StorageModel,
    /** Those of all migrations that lead to what it begins with. */
    private readonly earlier: readonly MigrationStep[],
  ) {}

  /** What the steps so far lead to. */
  get model(): StorageModel {
    return this.present;
  }

  /** All steps up to here. */
  get history(): readonly MigrationStep[] {
    return [...this.earlier, ...this.steps];
  }

  add(...steps: readonly MigrationStep[]): void {
    this.steps.push(...steps);
    this.present = applySteps(this.present, steps);
  }

  /** What a property was before this migration: of this name, or of another one. */
  was(table: string, path: string): "kept" | { readonly renamedFrom: string } {
    const former = formerPlaces(this.steps, { table, path }).at(-1);
    const renamedFrom = lastStep(former?.path ?? path);
    return renamedFrom === lastStep(schemaPath(path)) ? "kept" : { renamedFrom };
  }

  table(name: string): StoredTable | undefined {
    return this.present.tables.find((table) => table.name === name);
  }
}
