import { dirname, join, relative, resolve, sep } from "node:path";
import { nodeFiles } from "../files/node-files.js";
import { readIndex, type GitIndex } from "./git-index.js";

/**
 * Says whether git tracks a folder of the project, files below it, or a link or a submodule in its place. True as well where
 * an index cannot be read, because nothing else says what a commit brought.
 */
export function isTracked(root: string, folder: string, environment = process.env): boolean {
  // A folder that is a repository of its own holds what the commits of that one bring.
  if (nodeFiles.exists(join(root, folder, ".git"))) return true;
  return repositoriesOf(root, environment).some(({ top, git }) => {
    const path = relative(top, join(root, folder));
    return tracks(git, folded(path.split(sep).join("/")));
  });
}

/** A working tree of git. */
export interface Repository {
  /** The root of the working tree. */
  readonly top: string;
  /** The folder in which git keeps the index. */
  readonly git: string;
}

/** Those whose working tree can hold a folder: an outer repository may still track what an inner one does not. */
export function repositoriesOf(
  root: string,
  environment: NodeJS.ProcessEnv,
): readonly Repository[] {
  const found: Repository[] = [];
  const add = (top: string, path: string): void => {
    const git = gitFolder(path);
    if (git !== null) found.push({ top, git });
  };
  for (let top = root; ; top = dirname(top)) {
    add(top, join(top, ".git"));
    if (top === dirname(top)) break;
  }
  const { GIT_DIR: named = "", GIT_WORK_TREE: top = "" } = environment;
  if (named !== "") add(realPath(resolve(top)) ?? root, resolve(named));
  return found;
}

/** The folder that `.git` is, links to or names; null if there is none. */
function gitFolder(path: string): string | null {
  const real = followed(path);
  const kind = real === null ? undefined : nodeFiles.lstat(real)?.kind;
  if (real === null || kind === "directory") return real;
  if (kind !== "file") return null;
  // A worktree, or a submodule.
  const named = /^gitdir: ([^\r\n]+)/.exec(nodeFiles.readText(real))?.[1];
  return named === undefined ? null : resolve(dirname(path), named);
}

function tracks(git: string, path: string): boolean {
  const file = join(git, "index");
  // Before the first `git add` there is none.
  if (!nodeFiles.exists(file)) return false;
  const index = readAt(file);
  if (index === null || index.paths.some((entry) => covers(entry, path))) return true;
  if (index.shared === null) return false;
  const { name, isRemoved } = index.shared;
  const shared = readAt(join(git, name));
  if (shared === null) return true;
  return shared.paths.some((entry, position) => covers(entry, path) && !isRemoved(position));
}

/** Null for what is not an index. */
function readAt(path: string): GitIndex | null {
  const real = followed(path);
  if (real === null || nodeFiles.lstat(real)?.kind !== "file") return null;
  return readIndex(Buffer.from(nodeFiles.readBytes(real)));
}

function covers(entry: string, path: string): boolean {
  const one = folded(entry);
  return one === path || one.startsWith(`${path}/`) || (one.endsWith("/") && path.startsWith(one));
}

/** Some file systems find a file under a name with other cases, or with letters that are composed in another way. */
function folded(path: string): string {
  const lower = path.toLowerCase();
  // The tables for letters take a millisecond to load.
  return /^[\x00-\x7f]*$/.test(lower) ? lower : lower.normalize("NFC");
}

/** The path that a link leads to; null if that is nothing. */
function followed(path: string): string | null {
  // For any other path `realPath` would only cost time.
  return nodeFiles.lstat(path)?.kind === "link" ? realPath(path) : path;
}

/** Null if nothing is there, or a link in a circle. */
function realPath(path: string): string | null {
  try {
    return nodeFiles.realPath(path);
  } catch {
    return null;
  }
}
