import { execFileSync } from "node:child_process";
import type { Revisions } from "../commands/read-revision.js";
import { UsageError } from "../commands/usage-error.js";
import { textsIn } from "./git-merges.js";

/** More than any project's schemas. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads earlier schemas with git; no shell and no filter of the repository has a part in it. */
export const gitRevisions: Revisions = {
  schemasAt(root, revision) {
    const commit = commitOf(root, revision);
    const listed = git(root, [
      "ls-tree",
      "-r",
      "-z",
      "--name-only",
      commit,
      "service.yaml",
      "resources",
    ]);
    const paths = listed.split("\0").filter((path) => path.endsWith(".yaml"));
    return new Map(
      paths.map((path) => [path, git(root, ["cat-file", "blob", `${commit}:./${path}`])]),
    );
  },

  promiseOf(root, version) {
    const paths = [`contract/${version}.json`, `contract/${version}`];
    try {
      const said = git(root, ["log", "-1", "--format=%h %cs", "--", ...paths]).trim();
      const [commit = "", date = ""] = said.split(" ");
      return commit === "" ? null : { commit, date, contracts: textsIn(root, "HEAD", "contract") };
    } catch {
      // Without git, or outside of a repository.
      return null;
    }
  },
};

/** A revision is never taken for an option. */
function commitOf(root: string, revision: string): string {
  try {
    const asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
    return git(root, asked).trim();
  } catch (error) {
    if (isMissing(error)) throw new UsageError("git is not installed, and --since needs it.");
    throw new UsageError(`git does not have a revision ${JSON.stringify(revision)} here.`);
  }
}

function git(root: string, given: readonly string[]): string {
  return execFileSync("git", [...given], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: MOST_BYTES,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
