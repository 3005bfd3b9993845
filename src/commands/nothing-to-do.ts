import type { Change } from "../apply/change.js";
import { isUpToDate, readCache } from "../apply/cache.js";
import type { Environment } from "./environment.js";

/** The outcome without reading a single file, if none has changed since the last run; otherwise null. */
export function nothingToDo({ files, root, build }: Environment): readonly Change[] | null {
  const cache = readCache(files, root, build);
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
  return [...generated, ...yours].sort((a, b) => (a.path < b.path ? -1 : 1));
}
