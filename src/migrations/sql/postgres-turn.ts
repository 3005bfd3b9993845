import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { StorageModel } from "#runtime/store/storage-model";
import type { Earlier } from "./origins.js";

/** A step of a migration for PostgreSQL, and what is there when it comes. */
export interface PostgresTurn {
  readonly step: MigrationStep;
  /** The storage that the migration begins with. */
  readonly before: StorageModel;
  readonly earlier: Earlier;
  readonly steps: readonly MigrationStep[];
  /** The storage after the earlier ones. */
  readonly model: StorageModel;
  /** Indexes that are dropped with a step, and made again at the end. */
  readonly remade: ReadonlySet<string>;
}
