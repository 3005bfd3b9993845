import { isInterrupted, recover } from "../apply/apply.js";
import { INTERNAL_FOLDER, internalPath } from "../apply/internal-folder.js";
import { withLock } from "../apply/process-lock.js";
import { diagnostic } from "../diagnostics/diagnostic.js";
import type { Result } from "../diagnostics/result.js";
import { failure, success } from "../diagnostics/result.js";
import type { Environment } from "./environment.js";

/**
 * Carries out a command on a project that an earlier run has not left half changed: finishes that first, so that no command
 * ever sees half a change (G4). Refuses what remembers the runs of another machine (OWN-16).
 */
export async function onWhole<T>(
  env: Environment,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const refused = await refuseTracked(env);
  if (!refused.ok) return refused;
  const interrupted = finishInterrupted(env);
  if (!interrupted.ok) return interrupted;
  const result = await work();
  return { ...result, diagnostics: [...interrupted.diagnostics, ...result.diagnostics] };
}

async function refuseTracked({ files, root, isTracked }: Environment): Promise<Result<null>> {
  const folder = INTERNAL_FOLDER;
  if (isTracked === undefined || !files.exists(internalPath(root, ""))) return success(null);
  if (!(await isTracked(folder))) return success(null);
  const span = { file: folder, line: 1, column: 1, endLine: 1, endColumn: 1 };
  const suggestion = `Take it out of git, and commit that: git rm -r --cached ${folder} (delete a repository in its place)`;
  return failure([diagnostic("OWN-16", { span, source: "" }, { folder }, { suggestion })]);
}

function finishInterrupted({ files, root, machine }: Environment): Result<null> {
  if (!isInterrupted(files, root)) return success(null);
  return withLock(files, root, machine, () => success(null, recover(files, root)));
}
