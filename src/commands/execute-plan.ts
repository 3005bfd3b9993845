import { apply, recover } from "../apply/apply.js";
import { changesAnything } from "../apply/change.js";
import { withLock } from "../apply/process-lock.js";
import { readCache } from "../apply/cache.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { Result } from "../diagnostics/result.js";
import { success } from "../diagnostics/result.js";
import type { Environment } from "./environment.js";
import type { Outcome } from "./outcome.js";
import type { Prepared, PrepareOptions } from "./prepare.js";
import { gonePaths } from "./gone-paths.js";
import { isCurrent, prepare } from "./prepare.js";
import { updateCache } from "./update-cache.js";
import { isSystemError } from "./system-error.js";
import { UsageError } from "./usage-error.js";

const ATTEMPTS = 10;

/** Plans, and writes nothing. */
export async function planOnly(
  env: Environment,
  options: PrepareOptions,
): Promise<Result<Outcome>> {
  const prepared = await prepare(env, readCache(env), options);
  if (!prepared.ok) return prepared;
  return success(outcomeOf(prepared.value, false, []), prepared.diagnostics);
}

/** Plans, takes the lock, and writes; plans anew when the project has changed in between (G5). */
export async function executePlan(
  env: Environment,
  options: PrepareOptions,
): Promise<Result<Outcome>> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const prepared = await prepare(env, readCache(env), options);
    if (!prepared.ok) return prepared;
    if (!changesAnything(prepared.value.plan)) {
      updateCacheIfPossible(env, prepared.value);
      return success(outcomeOf(prepared.value, true, []), prepared.diagnostics);
    }
    const written = write(env, prepared.value, prepared.diagnostics);
    if (!written.ok) return written;
    if (written.value !== null) return success(written.value, written.diagnostics);
  }
  throw new UsageError(
    "The schema files keep changing while they are read. Run the command again.",
  );
}

/** What a run tells of its plan. */
export function outcomeOf(
  prepared: Prepared,
  applied: boolean,
  leftAlone: readonly string[],
): Outcome {
  const { plan, project } = prepared;
  const plainSchema = newPlainSchema(prepared);
  const { migration, upgradedContracts } = project;
  return {
    ...{ changes: plan.changes, applied, leftAlone, plainSchema, migration, upgradedContracts },
    gonePaths: gonePaths(plan.changes, project),
  };
}

/** Null if the plan is out of date. */
function write(
  env: Environment,
  prepared: Prepared,
  diagnostics: readonly Diagnostic[],
): Result<Outcome | null> {
  const { files, root, machine } = env;
  return withLock(files, root, machine, () => {
    const warnings = recover(files, root);
    if (!isCurrent(env, prepared)) return success(null);
    const { leftAlone, stagedMs } = apply(files, root, prepared.plan);
    if (leftAlone.length === 0) updateCache(env, prepared, stagedMs);
    return success(outcomeOf(prepared, true, leftAlone), [...warnings, ...diagnostics]);
  });
}

/** A project that is up to date may be in a read-only folder, so a failure is ignored. */
function updateCacheIfPossible(env: Environment, prepared: Prepared): void {
  try {
    withLock(env.files, env.root, env.machine, () => {
      if (isCurrent(env, prepared)) updateCache(env, prepared, 0);
      return success(null);
    });
  } catch (error) {
    // The cache only saves time.
    if (!isSystemError(error)) throw error;
  }
}

/** What an editor looks for in the first lines of a YAML file. */
const MARK = "yaml-language-server:";

/** The first new schema file (its code file is created by this run) without a line that names the JSON Schema for editors; null if there is none. */
function newPlainSchema({ project, plan }: Prepared): string | null {
  const made = plan.changes.flatMap((change) =>
    change.kind === "created" && change.owner === "user" ? [nameOf(change.path)] : [],
  );
  const plain = project.tree.resources.find(
    (document) => made.includes(nameOf(document.path)) && !textOf(document).includes(MARK),
  );
  return plain?.path ?? null;
}

function textOf({ locate }: Prepared["project"]["tree"]["resources"][number]): string {
  return locate([]).source;
}

/** `src/custom/orders.ts` and `resources/v1/orders.yaml` are both `orders`. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, path.lastIndexOf("."));
}
