import { join } from "node:path";
import { storageDifferences } from "#kernel/store/storage-differences";
import type { StorageModel } from "#kernel/store/storage-model";
import type { Change, Plan } from "../apply/change.js";
import { INITIAL_MIGRATION, STORAGE_PATH } from "../artifacts/artifacts.js";
import type { Environment } from "./environment.js";
import type { StorageChange } from "./outcome.js";

const NOT_RECORDED: StorageChange = {
  place: STORAGE_PATH,
  change: "is new, and nothing says how databases that were made without it store their values",
};

/**
 * What keeps the service that a plan makes from reading the databases of the one that stands on disk, which are refused
 * for it. Reads the storage model of the last run, so that it has to be asked before the plan is carried out.
 */
export function storageChanges(
  { files, root }: Pick<Environment, "files" | "root">,
  { changes }: Plan,
): readonly StorageChange[] {
  const planned = changes.find(({ path }) => path === STORAGE_PATH);
  if (planned?.kind === "created") return isKnown(changes) ? [NOT_RECORDED] : [];
  if (planned?.kind !== "updated") return [];
  const before = readModel(files.readText(join(root, STORAGE_PATH)));
  const after = readModel(planned.text);
  if (before === null || after === null) return [NOT_RECORDED];
  return storageDifferences(before, after)
    .filter(({ isHarmless }) => !isHarmless)
    .map(({ place, change }) => ({ place, change }));
}

/** Says whether the project had its tables before. */
function isKnown(changes: readonly Change[]): boolean {
  return changes.some(({ path, kind }) => path.startsWith(INITIAL_MIGRATION) && kind !== "created");
}

/** Null where somebody has edited it so that it cannot be parsed. */
function readModel(text: string): StorageModel | null {
  try {
    // It is the generator's file: `plan` has refused one that was edited, or was told to replace it.
    return JSON.parse(text) as StorageModel;
  } catch {
    return null;
  }
}
