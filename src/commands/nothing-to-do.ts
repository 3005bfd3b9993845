import type { Change } from "../apply/change.js";
import { isUnchanged, recall } from "../apply/remembered.js";
import type { Environment } from "./environment.js";

/** The answer in milliseconds: not one file is read when none has changed since the last run; else null. */
export function nothingToDo({ files, root, build }: Environment): readonly Change[] | null {
  const memory = recall(files, root, build);
  if (memory === null || !isUnchanged(files, root, memory)) return null;
  const generated = memory.outputs.map(({ path }): Change => ({
    kind: "unchanged",
    path,
    owner: "generator",
  }));
  const yours = memory.userFiles.map((path): Change => ({
    kind: "unchanged",
    path,
    owner: "user",
  }));
  return [...generated, ...yours].sort((a, b) => (a.path < b.path ? -1 : 1));
}
