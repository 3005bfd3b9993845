import type { SqlValue, WriteStep } from "./database.js";
import { changedSince } from "./write-conflict.js";

/** A step that names one row by its key, at the revision that was read. Written, it throws `WriteConflict` where that is gone. */
export function keyedStep(
  sql: string,
  values: readonly SqlValue[],
  { name }: { readonly name: string },
): WriteStep {
  const otherwise = (): Error => changedSince(`An entity of ${name}`);
  return { sql, values, changes: 1, isKeyed: true, otherwise };
}

/** A step that may change any number of rows. */
export function openEnded(sql: string, values: readonly SqlValue[]): WriteStep {
  return { sql, values, isOpenEnded: true };
}

/** Throws the error of a step that has changed another number of rows than it must. */
export function checkChanges({ changes, otherwise }: WriteStep, changed: number | null): void {
  if (changes === undefined || changed === changes) return;
  throw otherwise?.() ?? new Error(`A write changed ${changed} rows, not ${changes}.`);
}

/**
 * Whether nothing has to stand around steps that undoes them: one statement that fails undoes itself. A wrong number of rows
 * shows only after it; where it names its row by a key, it has changed none then.
 */
export function isOneStatement<Step extends WriteStep>(
  steps: readonly Step[],
): steps is readonly [Step] {
  const [first, ...others] = steps;
  if (first === undefined || others.length > 0) return false;
  return first.changes === undefined || first.isKeyed === true;
}
