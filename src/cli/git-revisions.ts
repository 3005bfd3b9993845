import { execFileSync } from "node:child_process";
import type { Revisions } from "../commands/read-revision.js";
import { UsageError } from "../commands/usage-error.js";

/** More than any file of a project. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads earlier schemas with git; no shell and no filter of the repository has a part in it. */
export const gitRevisions: Revisions = {
  schemasAt(root, revision) {
    const commit = commitOf(root, revision);
    return textsIn(root, commit, { places: ["service.yaml", "resources"], ending: ".yaml" });
  },

  promiseOf(root, version) {
    const places = [`contract/${version}.json`, `contract/${version}`];
    try {
      const said = git(root, ["log", "-1", "--format=%h %cs", "--", ...places]).trim();
      const [commit = "", date = ""] = said.split(" ");
      if (commit === "") return null;
      return { commit, date, contracts: textsIn(root, "HEAD", { places, ending: ".json" }) };
    } catch {
      // Without git, or outside of a repository.
      return null;
    }
  },
};

/** The texts of some files of a commit, and of those in some folders, by path. Throws where git fails. */
export function textsIn(
  root: string,
  commit: string,
  { places, ending }: { readonly places: readonly string[]; readonly ending: string },
): ReadonlyMap<string, string> {
  const listed = git(root, ["ls-tree", "-r", "-z", "--name-only", commit, "--", ...places]);
  const paths = listed.split("\0").filter((path) => path !== "" && path.endsWith(ending));
  return new Map(
    paths.map((path) => [path, git(root, ["cat-file", "blob", `${commit}:./${path}`])]),
  );
}

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

/** What git prints; throws where it fails. */
export function git(root: string, given: readonly string[]): string {
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
