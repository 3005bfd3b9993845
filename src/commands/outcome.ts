import type { Change } from "../apply/change.js";

/** The result of `generate` and `check`: every change, and whether it was made. */
export interface Outcome {
  readonly changes: readonly Change[];
  readonly applied: boolean;
  /** Files that somebody else changed during the run: they are left alone. */
  readonly leftAlone: readonly string[];
  /** A new schema file without the line that gives editors its JSON Schema; null if there is none. */
  readonly plainSchema: string | null;
  /** For what the service refuses the databases that it has made so far. */
  readonly storageChanges: readonly StorageChange[];
}

/** One of those changes: `orders.price`, `scale 2 -> 3`. */
export interface StorageChange {
  readonly place: string;
  readonly change: string;
}

/** The result of `validate`. */
export interface Validity {
  readonly resources: number;
}
