import { isInterrupted, recover } from "../apply/apply.js";
import { withLock } from "../apply/process-lock.js";
import type { Result } from "../diagnostics/result.js";
import { success } from "../diagnostics/result.js";
import type { Environment } from "./environment.js";

/** Finishes an interrupted run, so that no command ever sees half a change (G4). */
export function finishInterrupted({ files, root, machine }: Environment): Result<null> {
  if (!isInterrupted(files, root)) return success(null);
  return withLock(files, root, machine, () => {
    // Files that it leaves alone differ from generator.lock afterwards: the plan reports them.
    recover(files, root);
    return success(null);
  });
}
