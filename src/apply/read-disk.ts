import { join } from "node:path";
import type { FileStatus, FileSystem } from "../files/file-system.js";
import type { DiskState, Standing } from "./disk-state.js";
import type { Manifest } from "./manifest.js";
import { foldersOf, isProjectPath } from "./project-path.js";
import type { Stamp } from "./stamp.js";
import { stampOf } from "./stamp.js";
import { textHash } from "./text-hash.js";

/** The state of a path that this run has looked up already, or null. */
export type KnownStanding = (path: string) => Standing | null;

/** The present state of the project; each path is read once, on demand. */
export function readDisk(
  files: FileSystem,
  root: string,
  manifest: Manifest,
  known: KnownStanding = () => null,
): DiskState {
  const folders = new Map<string, Standing | null>();
  const standings = new Map<string, Standing>();

  function obstacleAt(folder: string): Standing | null {
    const seen = folders.get(folder);
    if (seen !== undefined) return seen;
    const obstacle = standingOfFolder(files.lstat(join(root, folder)), folder);
    folders.set(folder, obstacle);
    return obstacle;
  }

  function look(path: string): Standing {
    if (!isProjectPath(path)) return { kind: "astray" };
    for (const folder of foldersOf(path).toReversed()) {
      const obstacle = obstacleAt(folder);
      if (obstacle !== null) return obstacle;
    }
    const found = known(path);
    if (found !== null) return found;
    const status = files.lstat(join(root, path));
    if (status === null) return { kind: "absent" };
    if (status.kind === "link") return { kind: "astray" };
    const stamp = stampOf(status);
    if (stamp === null) return { kind: "obstructed", path };
    return standingFile(stamp, () => textHash(files.readText(join(root, path))));
  }

  return {
    manifest,
    at(path) {
      const standing = standings.get(path) ?? look(path);
      standings.set(path, standing);
      return standing;
    },
  };
}

/** The text is read when the hash is first needed: a file of the user only has to exist. */
function standingFile(stamp: Stamp, read: () => string): Standing {
  let hash: string | null = null;
  return {
    kind: "file",
    stamp,
    get hash() {
      hash ??= read();
      return hash;
    },
  };
}

/** Null if the path continues through this folder. */
function standingOfFolder(status: FileStatus | null, folder: string): Standing | null {
  if (status === null) return { kind: "absent" };
  if (status.kind === "directory") return null;
  return status.kind === "link" ? { kind: "astray" } : { kind: "obstructed", path: folder };
}
