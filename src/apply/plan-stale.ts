import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { OutputFile } from "../render/output-file.js";
import type { Change } from "./change.js";
import type { DiskState } from "./disk-state.js";
import { ownership } from "./ownership.js";

/** What happens to files of an earlier run that are no longer generated. */
export interface StalePlan {
  readonly changes: readonly Change[];
  readonly warnings: readonly Diagnostic[];
}

/** Removes a stale file if nobody has edited it, a user's that is as it was made among them; keeps and reports every other one (G3). */
export function planStale(
  outputs: readonly OutputFile[],
  disk: DiskState,
  changes: readonly Change[],
): StalePlan {
  const current = new Set(outputs.map(({ path }) => path));
  const generated = [...disk.manifest.generated].filter(([path]) => !current.has(path));
  const yours = [...disk.manifest.userFiles].filter(([path]) => !current.has(path));
  const untouched = [...generated, ...yours].flatMap(([path, hashes]) => {
    const before = heldBy(disk, path, hashes);
    return before === undefined ? [] : [{ path, before }];
  });
  const edited = generated.filter(
    ([path, hashes]) => disk.at(path).kind === "file" && heldBy(disk, path, hashes) === undefined,
  );
  const userFiles = yours
    .filter(
      ([path, hashes]) => disk.at(path).kind === "file" && heldBy(disk, path, hashes) === undefined,
    )
    .map(([path]) => path);
  return {
    changes: [
      ...untouched.map(({ path, before }): Change => ({ kind: "removed", path, before })),
      ...edited.map(([path]): Change => ({ kind: "kept", path, hint: EDITED_HINT })),
      ...userFiles.map((path): Change => ({
        kind: "kept",
        path,
        hint: moveHint(path, userFiles, changes),
      })),
    ],
    warnings: edited.map(([path]) => ownership("OWN-1", path, "warning")),
  };
}

const EDITED_HINT = "It is no longer generated, but it was edited by hand: delete it yourself.";

/** The command that moves the file, if its folder lost one file and gained one: probably a renamed resource. */
function moveHint(path: string, stale: readonly string[], changes: readonly Change[]): string {
  const folder = folderOf(path);
  const came = changes.filter(
    (change) =>
      change.kind === "created" && change.owner === "user" && folderOf(change.path) === folder,
  );
  const went = stale.filter((other) => folderOf(other) === folder);
  const [only] = came;
  if (only === undefined || came.length > 1 || went.length > 1) {
    return "It is yours and nothing uses it any more: move what you need, then delete it.";
  }
  return `It is yours and nothing uses it any more. If it was renamed: git mv -f ${path} ${only.path}`;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** The hash of the file, if it is one of the recorded ones. */
function heldBy(disk: DiskState, path: string, hashes: readonly string[]): string | undefined {
  const standing = disk.at(path);
  return standing.kind === "file" && hashes.includes(standing.hash) ? standing.hash : undefined;
}
