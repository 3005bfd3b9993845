import type { Change } from "../apply/change.js";

/** The result of `generate` and `check`: every change, and whether it was made. */
export interface Outcome {
  readonly changes: readonly Change[];
  readonly applied: boolean;
  /** Files that somebody else changed during the run: they are left alone. */
  readonly leftAlone: readonly string[];
  /** A new schema file without the line that gives editors its JSON Schema; null if there is none. */
  readonly plainSchema: string | null;
  /** The migration that is new; null where what is stored stays as it is. */
  readonly migration: NewMigration | null;
  /** Published contracts of the former format, which now record what that one lacks. */
  readonly upgradedContracts: readonly string[];
  /** Paths of a version that is newly retired and that no later version has: `/api/v1/weights`. */
  readonly gonePaths: readonly string[];
}

/** What most commands have nothing to say of. */
export const NOTHING_ELSE = {
  plainSchema: null,
  migration: null,
  upgradedContracts: [],
  gonePaths: [],
} as const;

/** A migration that a run writes. */
export interface NewMigration {
  /** `0002-rename-orders-fax` */
  readonly name: string;
  /** What it does, a line each. */
  readonly steps: readonly string[];
}

/** The result of `validate`. */
export interface Validity {
  readonly resources: number;
}
