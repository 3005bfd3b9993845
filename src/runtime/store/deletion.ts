import type { CommonFields } from "../base/common-fields.js";
import type { WriteStep } from "./database.js";

/** What a deletion will do, and the stamps of what lets go of the entity (CHD-4). */
export interface Deletion {
  readonly steps: readonly WriteStep[];
  readonly stamps: CommonFields;
  /** What it is refused with if others still refer to it then; null: none does in the database. */
  readonly inUse: Error | null;
}
