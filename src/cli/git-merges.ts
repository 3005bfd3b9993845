import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Merges } from "../commands/environment.js";
import { nodeFiles } from "../files/node-files.js";
import { repositoriesOf } from "./tracked-by-git.js";

/** More than any generated file. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Two commits that git puts together, and what both come from; null: their merge base. */
interface Merge {
  readonly sides: readonly [string, string];
  readonly base: string | null;
}

/** What git calls the other commit while it merges, rebases or picks. */
const UNDER_WAY: Readonly<Record<string, string | null>> = {
  MERGE_HEAD: null,
  REBASE_HEAD: "REBASE_HEAD^",
  CHERRY_PICK_HEAD: "CHERRY_PICK_HEAD^",
};

const FINISHED: Merge = { sides: ["HEAD^1", "HEAD^2"], base: null };

/** Reads the texts that files were merged from with git; none where nothing is being merged, or git cannot tell. */
export const gitMerges: Merges = {
  textsOf(root, path) {
    const { sides } = mergeAt(root) ?? FINISHED;
    const all = sides.map((side) =>
      git(root, "cat-file", "-p", "--end-of-options", `${side}:./${path}`),
    );
    return all.filter((text) => text !== null);
  },

  changedFolders(root, folder) {
    const merge = mergeAt(root) ?? FINISHED;
    const [one, other] = merge.sides;
    // Most commits are no merge.
    if (treeOf(root, other, folder) === null) return [];
    const base = merge.base ?? git(root, "merge-base", one, other)?.trim() ?? "";
    const before = treeOf(root, base, folder);
    return merge.sides.flatMap((side) => {
      const tree = treeOf(root, side, folder);
      return tree === null || tree === before ? [] : [textsIn(root, side, folder)];
    });
  },
};

/** What git is in the middle of. */
function mergeAt(root: string): Merge | null {
  for (const { git: folder } of repositoriesOf(root, process.env)) {
    for (const [other, base] of Object.entries(UNDER_WAY))
      if (nodeFiles.exists(join(folder, other))) return { sides: ["HEAD", other], base };
  }
  return null;
}

/** The name of what a commit has in a folder, which is the same for the same files; null: nothing. */
function treeOf(root: string, commit: string, folder: string): string | null {
  return git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", `${commit}:./${folder}`);
}

/** The texts of a folder's files in a commit, by path. */
export function textsIn(root: string, commit: string, folder: string): ReadonlyMap<string, string> {
  const listed = git(root, "ls-tree", "-r", "-z", "--name-only", commit, "--", folder) ?? "";
  const paths = listed.split("\0").filter((path) => path !== "");
  return new Map(
    paths.map((path) => [path, git(root, "cat-file", "blob", `${commit}:./${path}`) ?? ""]),
  );
}

/** Null where git fails. */
function git(root: string, ...given: readonly string[]): string | null {
  try {
    return execFileSync("git", given, {
      cwd: root,
      encoding: "utf8",
      maxBuffer: MOST_BYTES,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return null;
  }
}
