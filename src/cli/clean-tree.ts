import { execFileSync } from "node:child_process";
import { UsageError } from "../commands/usage-error.js";

/** Throws `UsageError` where git knows of changes below a folder that are not committed, or cannot be asked. */
export function requireClean(root: string): void {
  const changed = changedFiles(root);
  if (changed.length === 0) return;
  const [first = ""] = changed;
  const others = changed.length - 1;
  const more = others === 0 ? "" : ` and ${others} more`;
  throw new UsageError(
    `Changes are not committed (${first}${more}), and --require-clean forbids that. ` +
      "Commit or stash them; without the flag, hand-written code is kept as well. Nothing was written.",
  );
}

/** Those that are new among them, but for what git ignores. */
function changedFiles(root: string): readonly string[] {
  // A program that a repository names for `core.fsmonitor` is not run.
  const own = ["-c", "core.fsmonitor=false", "status", "--porcelain", "-z"];
  const asked = [...own, "--no-renames", "--untracked-files=all", "--", "."];
  try {
    const options = { cwd: root, encoding: "utf8", stdio: "pipe", maxBuffer: 2 ** 28 } as const;
    const listed = execFileSync("git", asked, options).split("\0");
    return listed.filter(Boolean).map((line) => line.slice("XY ".length));
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new UsageError(`--require-clean needs git, which failed here: ${reason}.`);
  }
}
