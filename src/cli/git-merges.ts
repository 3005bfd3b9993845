import { execFileSync } from "node:child_process";
import type { Merges } from "../commands/environment.js";

/** More than any generated file. */
const MOST_BYTES = 64 * 1024 * 1024;

/** What git puts together while it merges, rebases or picks, or has put together in the last commit. */
const SIDES: readonly (readonly string[])[] = [
  ["HEAD", "MERGE_HEAD"],
  ["HEAD", "REBASE_HEAD"],
  ["HEAD", "CHERRY_PICK_HEAD"],
  ["HEAD^1", "HEAD^2"],
];

/** Reads the texts that a file was merged from with git; none where nothing is being merged, or git cannot tell. */
export const gitMerges: Merges = {
  textsOf(root, path) {
    const sides = SIDES.find((names) =>
      names.every((name) => text(root, `${name}^{commit}`) !== null),
    );
    return (sides ?? []).flatMap((side) => text(root, `${side}:./${path}`) ?? []);
  },
};

/** What git prints of an object; null: there is no such object here. */
function text(root: string, name: string): string | null {
  try {
    return execFileSync("git", ["cat-file", "-p", "--end-of-options", name], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: MOST_BYTES,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return null;
  }
}
