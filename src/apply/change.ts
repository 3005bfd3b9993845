import type { Owner } from "../artifacts/artifact.js";

/** What happens to one file of the project. Hashes are those of `textHash`. */
export type Change =
  | {
      readonly kind: "created";
      readonly path: string;
      readonly owner: Owner;
      readonly text: string;
      /** The hash of the text. */
      readonly after: string;
    }
  | {
      readonly kind: "updated";
      readonly path: string;
      readonly owner: Owner;
      readonly text: string;
      readonly after: string;
      /** The hash of what is replaced. */
      readonly before: string;
      /** Where the hand-edited text is saved first (`--force`), or null. */
      readonly savedAs: string | null;
    }
  | { readonly kind: "unchanged"; readonly path: string; readonly owner: Owner }
  | { readonly kind: "removed"; readonly path: string; readonly before: string }
  | {
      /** It is no longer generated, and may contain somebody's work. */
      readonly kind: "kept";
      readonly path: string;
      readonly hint: string;
    };

/** Every change of one run, sorted by path, including generator.lock. */
export interface Plan {
  readonly changes: readonly Change[];
}

/** True if executing the plan would write or remove something. */
export function changesAnything(plan: Plan): boolean {
  return plan.changes.some(({ kind }) => kind !== "unchanged" && kind !== "kept");
}
