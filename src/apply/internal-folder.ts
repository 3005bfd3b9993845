import { join } from "node:path";
import type { FileSystem } from "../files/file-system.js";

/** Where the generator keeps its lock, journal and cache; never committed. */
const FOLDER = ".rulebound";

/** The absolute path of a file of the generator's own: `internalPath(root, "journal")`. */
export function internalPath(root: string, name: string): string {
  return join(root, FOLDER, name);
}

/**
 * Creates the folder, with a .gitignore that keeps it out of git.
 * Throws if it is a link to another place (G6) or cannot be created.
 */
export function makeInternalFolder(files: FileSystem, root: string): void {
  const folder = join(root, FOLDER);
  const standing = files.lstat(folder);
  if (standing !== null && standing.kind !== "directory") {
    throw Object.assign(new Error(`${folder} is not a directory`), { code: "ENOTDIR" });
  }
  if (standing === null) files.makeDirectory(folder);
  const ignore = internalPath(root, ".gitignore");
  if (!files.exists(ignore)) files.writeFile(ignore, "*\n");
}
