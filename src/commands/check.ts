import type { Result } from "../diagnostics/result.js";
import type { Environment } from "./environment.js";
import { generate } from "./generate.js";
import type { Outcome } from "./outcome.js";

/** Plans like `generate` and writes nothing: every planned change is drift. */
export function check(env: Environment): Promise<Result<Outcome>> {
  return generate(env, { dryRun: true, force: false });
}
