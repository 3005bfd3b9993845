import type { Result } from "../diagnostics/result.js";
import { success } from "../diagnostics/result.js";
import type { Environment } from "./environment.js";
import { finishInterrupted } from "./finish-interrupted.js";
import { nothingToDo } from "./nothing-to-do.js";
import type { Outcome } from "./outcome.js";

/** How to generate. */
export interface GenerateOptions {
  /** Says what would happen, and changes nothing. */
  readonly dryRun: boolean;
  /** Replaces hand-edited files, after saving them. */
  readonly force: boolean;
}

/** Brings the generated files up to date with the YAML, or says why nothing was written. */
export async function generate(
  env: Environment,
  { dryRun, force }: GenerateOptions,
): Promise<Result<Outcome>> {
  const interrupted = finishInterrupted(env);
  if (!interrupted.ok) return interrupted;
  const idle = nothingToDo(env);
  if (idle !== null) {
    const nothing = { leftAlone: [], plainSchema: null, storageChanges: [] };
    return success({ changes: idle, applied: !dryRun, ...nothing });
  }
  const { executePlan, planOnly } = await import("./execute-plan.js");
  return dryRun ? planOnly(env, force) : executePlan(env, force);
}
