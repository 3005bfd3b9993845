import { join } from "node:path";
import type { FileSystem } from "../files/file-system.js";

/** Where the generator keeps its lock, its journal and what it remembers; never committed. */
const FOLDER = ".rulebound";

/** The absolute path of a file of the generator's own: `internalPath(root, "journal")`. */
export function internalPath(root: string, name: string): string {
  return join(root, FOLDER, name);
}

/**
 * Makes the folder, with a rule that keeps it out of git.
 * Throws when it leads elsewhere (G6) or cannot be made.
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
