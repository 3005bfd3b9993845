import type { Result } from "../diagnostics/result.js";
import { success } from "../diagnostics/result.js";
import type { Environment } from "./environment.js";
import { onWhole } from "./finish-interrupted.js";
import type { MigrationTask } from "./migration-task.js";
import { nothingToDo } from "./nothing-to-do.js";
import { NOTHING_ELSE, type Outcome } from "./outcome.js";
import type { PrepareOptions } from "./prepare.js";

/** How to generate. */
export interface GenerateOptions {
  /** Says what would happen, and changes nothing. */
  readonly dryRun: boolean;
  /** Replaces hand-edited files, after saving them. */
  readonly force: boolean;
  /** What besides is done about migrations; left out: the one that follows from the schemas is made. */
  readonly task?: MigrationTask;
  /** Changes of the user's own files that the command was asked for; left out: none. */
  readonly also?: NonNullable<PrepareOptions["also"]>;
}

/** Brings the generated files up to date with the YAML, or says why nothing was written. */
export function generate(env: Environment, options: GenerateOptions): Promise<Result<Outcome>> {
  return onWhole(env, () => generateWhole(env, options));
}

async function generateWhole(
  env: Environment,
  { dryRun, ...options }: GenerateOptions,
): Promise<Result<Outcome>> {
  const { task, also } = options;
  const idle = task === undefined && also === undefined ? nothingToDo(env) : null;
  if (idle !== null) {
    const outcome = { changes: idle.changes, applied: !dryRun, leftAlone: [], ...NOTHING_ELSE };
    return success(outcome, idle.warnings);
  }
  const { executePlan, planOnly } = await import("./execute-plan.js");
  return dryRun ? planOnly(env, options) : executePlan(env, options);
}
