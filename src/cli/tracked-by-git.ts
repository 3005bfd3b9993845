import { dirname, join, relative, resolve, sep } from "node:path";
import { nodeFiles } from "../files/node-files.js";

/**
 * Says whether the index of git has files below a folder of the project. Reads the index itself, since a process of git takes
 * longer than a run with nothing to do may; asks git only where the index is in a form without whole paths.
 */
export async function isTracked(root: string, folder: string): Promise<boolean> {
  const place = gitOf(root);
  if (place === null || !nodeFiles.exists(join(place.git, "index"))) return false;
  const index = Buffer.from(nodeFiles.readBytes(join(place.git, "index")));
  // Git itself refuses a damaged index.
  if (index.length < HEADER) return false;
  const isSplit = nodeFiles.list(place.git).some((name) => name.startsWith("sharedindex."));
  if (isSplit || index.readUInt32BE(VERSION_AT) > LAST_WHOLE) {
    return (await import("./git.js")).hasFilesInGit(root, folder);
  }
  const path = relative(place.top, join(root, folder)).split(sep).join("/");
  return hasPathBelow(index, `${path}/`);
}

/** How many bytes come before the first path. */
const HEADER = 12;
/** Where the version of an index is, and the last in which each path is whole. */
const VERSION_AT = 4;
const LAST_WHOLE = 3;

/** The folder of the working tree, and the one that git keeps its files in; null outside of git. */
function gitOf(root: string): { readonly top: string; readonly git: string } | null {
  for (let top = root; ; top = dirname(top)) {
    const path = join(top, ".git");
    const kind = nodeFiles.lstat(path)?.kind;
    if (kind === "directory") return { top, git: path };
    if (kind === "file") {
      // A worktree, or a submodule.
      const named = /^gitdir: (.*)$/m.exec(nodeFiles.readText(path))?.[1];
      return named === undefined ? null : { top, git: resolve(top, named) };
    }
    if (top === dirname(top)) return null;
  }
}

/** Each path follows two bytes of flags, of which twelve bits are its length; in version 3 two more bytes may come between. */
function hasPathBelow(index: Buffer, start: string): boolean {
  for (let at = index.indexOf(start, HEADER); at !== -1; at = index.indexOf(start, at + 1)) {
    const length = Math.min(index.indexOf(0, at) - at, 0xfff);
    if ([2, 4].some((back) => (index.readUInt16BE(at - back) & 0xfff) === length)) return true;
  }
  return false;
}
