import { execFileSync } from "node:child_process";

/** A git command that failed. */
export class GitError extends Error {}

/** Runs git in a folder and returns what it prints; throws `GitError` with what it says where it fails. */
export type Git = (...parameters: string[]) => string;

/** Returns git for the folder of a repository. */
export function gitIn(root: string): Git {
  return (...parameters) => {
    try {
      return execFileSync("git", parameters, {
        cwd: root,
        encoding: "utf8",
        stdio: "pipe",
        maxBuffer: 2 ** 28,
      });
    } catch (error) {
      const { stderr, stdout } = error as { stderr: string; stdout: string };
      throw new GitError(`git ${parameters.join(" ")}: ${stderr || stdout}`, { cause: error });
    }
  };
}

/** Splits what git prints with `-z`. */
export function items(printed: string): readonly string[] {
  return printed.split("\0").filter(Boolean);
}
