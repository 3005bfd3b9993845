import { execFileSync } from "node:child_process";
import { UsageError } from "../commands/usage-error.js";

/** A branch from which services are released, where nothing else says which. */
const TRUNK = /^refs\/heads\/(?:main|master|trunk)$/;

/**
 * Says of a migration whether it may have been released: a commit of another branch, of a remote or of a tag has it. What
 * is committed on the only line of development counts as released as well. Throws `UsageError` where git cannot say.
 */
export function releasedByGit(root: string): (name: string) => boolean {
  const git = (...arguments_: readonly string[]): string => {
    try {
      const options = { cwd: root, encoding: "utf8", stdio: "pipe" } as const;
      return execFileSync("git", arguments_, options).trim();
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      // The first line is the command.
      const reason = /^fatal: (.*?)[:.]*$/m.exec(said)?.[1] ?? said.split("\n", 1)[0];
      throw new UsageError(
        `Only git can say which migrations were never released, and it failed here (${reason}). Where no database ` +
          'is to be kept, delete the folder migrations and run "generator generate".',
      );
    }
  };
  // Before the first commit nothing is released, and git knows no HEAD.
  const hasCommits = git("rev-list", "-n1", "--all") !== "";
  if (!hasCommits) return () => false;
  const current = git("rev-parse", "--symbolic-full-name", "HEAD");
  const refs = git("for-each-ref", "--format=%(refname)").split("\n").filter(Boolean);
  const others = refs.filter((ref) => ref !== current && !ref.startsWith("refs/stash"));
  const isRemote = refs.some((ref) => ref.startsWith("refs/remotes/"));
  // Without a remote nothing tells what of the trunk is out.
  const isOnlyLine = others.length === 0 || (TRUNK.test(current) && !isRemote);
  const lines = isOnlyLine ? [...others, "HEAD"] : others;
  return (name) => git("log", "-1", "--format=%H", ...lines, "--", `migrations/${name}`) !== "";
}

/** Likewise; where git cannot say, no migration was released. */
export function committedByGit(root: string): (name: string) => boolean {
  try {
    return releasedByGit(root);
  } catch (error) {
    if (error instanceof UsageError) return () => false;
    throw error;
  }
}
