import type { Change } from "../apply/change.js";

/** What `generate` and `check` answer: every change, and whether it was made. */
export interface Outcome {
  readonly changes: readonly Change[];
  readonly applied: boolean;
  /** Files that somebody changed while they were about to be written: they are as they were found. */
  readonly leftAlone: readonly string[];
  /** A schema file that is new, and that an editor does not know the keywords of; null where there is none. */
  readonly plainSchema: string | null;
  /** For what the service refuses the databases that it has made so far. */
  readonly storageChanges: readonly StorageChange[];
}

/** One of those changes: `orders.price`, `scale 2 -> 3`. */
export interface StorageChange {
  readonly place: string;
  readonly change: string;
}

/** What `validate` answers. */
export interface Validity {
  readonly resources: number;
}
