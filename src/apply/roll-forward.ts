import { dirname, join } from "node:path";
import type { FileSystem } from "../files/file-system.js";
import type { DiskState } from "./disk-state.js";
import { internalPath } from "./internal-folder.js";
import type { Journal, StagedWrite } from "./journal.js";
import { EMPTY_MANIFEST } from "./manifest.js";
import { foldersOf } from "./project-path.js";
import { readDisk } from "./read-disk.js";
import { textHash } from "./text-hash.js";

/** Where the text of a file waits until it is renamed to its place. */
export function stagePath(root: string, staged: string): string {
  return join(internalPath(root, "stage"), staged);
}

/**
 * Does the steps of the journal that are not done yet; doing them twice has the same result (G4).
 * Returns the files that somebody else has changed since: they are left alone.
 */
export function rollForward(files: FileSystem, root: string, journal: Journal): readonly string[] {
  const leftAlone: string[] = [];
  for (const write of journal.writes) {
    if (!finishWrite(files, root, write)) leftAlone.push(write.path);
  }
  for (const { path, before } of journal.removals) {
    const standing = look(files, root).at(path);
    if (standing.kind === "file" && standing.hash === before) files.remove(join(root, path));
    else if (standing.kind !== "absent") leftAlone.push(path);
  }
  removeEmptyFolders(files, root, journal);
  return leftAlone;
}

/** The writes that are done or can be: a power failure loses texts of others, and a foreign journal never had them. */
export function possibleWrites(
  files: FileSystem,
  root: string,
  { writes }: Journal,
): readonly StagedWrite[] {
  const disk = look(files, root);
  const hasStage = files.lstat(internalPath(root, "stage"))?.kind === "directory";
  return writes.filter(
    (write) => isDone(disk, write) || (hasStage && isStaged(files, root, write)),
  );
}

/** True if no step of the journal is done yet. */
export function isUntouched(files: FileSystem, root: string, journal: Journal): boolean {
  const disk = look(files, root);
  const isRemoved = (path: string): boolean => disk.at(path).kind === "absent";
  return (
    !journal.writes.some((write) => isDone(disk, write)) &&
    !journal.removals.some(({ path }) => isRemoved(path))
  );
}

function finishWrite(files: FileSystem, root: string, write: StagedWrite): boolean {
  const disk = look(files, root);
  if (isDone(disk, write)) return true;
  const standing = disk.at(write.path);
  const isAsPlanned =
    write.before === null
      ? standing.kind === "absent"
      : standing.kind === "file" && standing.hash === write.before;
  const staged = stagePath(root, write.staged);
  if (!isAsPlanned || !files.exists(staged)) return false;
  const target = join(root, write.path);
  files.makeDirectory(dirname(target));
  files.rename(staged, target);
  return true;
}

function isDone(disk: DiskState, { path, after }: StagedWrite): boolean {
  const standing = disk.at(path);
  return standing.kind === "file" && standing.hash === after;
}

/** More than any generated text has, and less than what cannot be read as one string. */
const MOST_STAGED_BYTES = 256 * 1024 * 1024;

function isStaged(files: FileSystem, root: string, { staged, after }: StagedWrite): boolean {
  const path = stagePath(root, staged);
  const status = files.lstat(path);
  if (status?.kind !== "file" || status.size > MOST_STAGED_BYTES) return false;
  return textHash(files.readText(path)) === after;
}

function removeEmptyFolders(files: FileSystem, root: string, journal: Journal): void {
  for (const { path } of journal.removals) {
    for (const folder of foldersOf(path)) {
      const standing = look(files, root).at(folder);
      if (standing.kind === "absent") continue;
      const isFolder = files.lstat(join(root, folder))?.kind === "directory";
      if (standing.kind !== "obstructed" || standing.path !== folder || !isFolder) break;
      if (!files.removeEmptyDirectory(join(root, folder))) break;
    }
  }
}

/** Read again each time, because every step may have changed the path. */
function look(files: FileSystem, root: string): DiskState {
  return readDisk(files, root, EMPTY_MANIFEST);
}
