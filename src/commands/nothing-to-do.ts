import type { Change } from "../apply/change.js";
import { cachedWarnings, isUpToDate, readCache } from "../apply/cache.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { Environment } from "./environment.js";

/** What a run finds where no file has changed since the last one. */
interface Idle {
  readonly changes: readonly Change[];
  readonly warnings: readonly Diagnostic[];
}

/** The outcome without reading any file but those that are warned of, if none has changed since the last run; otherwise null. */
export function nothingToDo(env: Environment): Idle | null {
  const { files, root } = env;
  const cache = readCache(env);
  if (cache === null || !isUpToDate(files, root, cache)) return null;
  const generated = cache.outputs.map(({ path }): Change => ({
    kind: "unchanged",
    path,
    owner: "generator",
  }));
  const yours = cache.userFiles.map((path): Change => ({
    kind: "unchanged",
    path,
    owner: "user",
  }));
  const changes = [...generated, ...yours].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { changes, warnings: cachedWarnings(files, root, cache) };
}
