import { join } from "node:path";
import type { Merges } from "../commands/environment.js";
import { nodeFiles } from "../files/node-files.js";
import { git, textsIn } from "./git-revisions.js";
import { repositoriesOf } from "./tracked-by-git.js";

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
      said(root, "cat-file", "-p", "--end-of-options", `${side}:./${path}`),
    );
    return all.filter((text) => text !== null);
  },

  changedFolders(root, folder) {
    const merge = mergeAt(root) ?? FINISHED;
    const [one, other] = merge.sides;
    // Most commits are no merge.
    if (treeOf(root, other, folder) === null) return [];
    const base = merge.base ?? said(root, "merge-base", one, other)?.trim() ?? "";
    const before = treeOf(root, base, folder);
    return merge.sides.flatMap((side) => {
      const tree = treeOf(root, side, folder);
      if (tree === null || tree === before) return [];
      return orNull(() => textsIn(root, side, { places: [folder], ending: "" })) ?? [];
    });
  },
};

/** What git is in the middle of, in the repository that holds the project. */
function mergeAt(root: string): Merge | null {
  const [own] = repositoriesOf(root, process.env);
  if (own === undefined) return null;
  const under = Object.entries(UNDER_WAY).find(([name]) => nodeFiles.exists(join(own.git, name)));
  return under === undefined ? null : { sides: ["HEAD", under[0]], base: under[1] };
}

/** The name of what a commit has in a folder, which is the same for the same files; null: nothing. */
function treeOf(root: string, commit: string, folder: string): string | null {
  return said(
    root,
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${commit}:./${folder}`,
  );
}

function said(root: string, ...given: readonly string[]): string | null {
  return orNull(() => git(root, given));
}

/** Null where git fails. */
function orNull<Value>(ask: () => Value): Value | null {
  try {
    return ask();
  } catch {
    return null;
  }
}
