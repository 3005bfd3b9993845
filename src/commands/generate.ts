import { join } from "node:path";
import type { Result } from "../diagnostics/result.js";
import { success } from "../diagnostics/result.js";
import type { Environment } from "./environment.js";
import { onWhole } from "./finish-interrupted.js";
import type { MigrationTask } from "./migration-task.js";
import { FORMER_RUNTIME, RUNTIME } from "../naming/packages.js";
import { nothingToDo } from "./nothing-to-do.js";
import { NOTHING_ELSE, type Outcome } from "./outcome.js";
import type { PrepareOptions } from "./prepare.js";
import { UsageError } from "./usage-error.js";

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

/** Refuses a service with files of the runtime: generated for the package, it could not be built. Throws `UsageError`. */
function refuseFormer({ files, root }: Environment): void {
  if (!files.exists(join(root, FORMER_RUNTIME, "base/errors.ts"))) return;
  throw new UsageError(
    `This service has the runtime in ${FORMER_RUNTIME}, and this generator makes code for the package ${RUNTIME}. ` +
      'Run "generator upgrade" with this generator: it adds the package, and lists the imports to change in your code.',
  );
}

/** Brings the generated files up to date with the YAML, or says why nothing was written. */
export function generate(env: Environment, options: GenerateOptions): Promise<Result<Outcome>> {
  return onWhole(env, () => generateWhole(env, options));
}

async function generateWhole(
  env: Environment,
  { dryRun, ...options }: GenerateOptions,
): Promise<Result<Outcome>> {
  refuseFormer(env);
  const { task, also } = options;
  const idle = task === undefined && also === undefined ? nothingToDo(env) : null;
  if (idle !== null) {
    const outcome = { changes: idle.changes, applied: !dryRun, leftAlone: [], ...NOTHING_ELSE };
    return success(outcome, idle.warnings);
  }
  const { executePlan, planOnly } = await import("./execute-plan.js");
  return dryRun ? planOnly(env, options) : executePlan(env, options);
}
