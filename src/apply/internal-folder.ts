import { join } from "node:path";
import type { FileSystem } from "../files/file-system.js";

/** Where the generator keeps its lock, journal and cache; never committed. */
export const INTERNAL_FOLDER = ".rulebound";

/** The absolute path of a file of the generator's own: `internalPath(root, "journal")`. */
export function internalPath(root: string, name: string): string {
  return join(root, INTERNAL_FOLDER, name);
}

/**
 * Creates the folder, with a .gitignore that keeps it out of git.
 * Throws if it is a link to another place (G6) or cannot be created.
 */
export function makeInternalFolder(files: FileSystem, root: string): void {
  const folder = join(root, INTERNAL_FOLDER);
  const standing = files.lstat(folder);
  if (standing !== null && standing.kind !== "directory") {
    throw Object.assign(new Error(`${folder} is not a directory`), { code: "ENOTDIR" });
  }
  if (standing === null) files.makeDirectory(folder);
  const ignore = internalPath(root, ".gitignore");
  if (!files.exists(ignore)) files.writeFile(ignore, "*\n");
}

/**
 * Removes what is at a path of the generator's own, a folder with all that it holds. Called before a file is written
 * there, because a project can bring a link, through which the text would be written to another place.
 */
export function clear(files: FileSystem, path: string): void {
  if (files.lstat(path)?.kind !== "directory") return files.remove(path);
  for (const name of files.list(path)) clear(files, join(path, name));
  files.removeEmptyDirectory(path);
}
