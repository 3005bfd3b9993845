// `npm run land`: merges main, or another branch, into this one; docs/CONTRIBUTING.md says when.
import { execFileSync } from "node:child_process";
import { GitError } from "./git.js";
import { land } from "./land.js";

const [other = "main"] = process.argv.slice(2);
const out = (text: string): void => {
  process.stdout.write(text);
};

try {
  process.exitCode = land({ root: process.cwd(), other, accept, out }) ? 0 : 1;
} catch (error) {
  if (!(error instanceof GitError)) throw error;
  out(error.message);
  process.exitCode = 1;
}

/** Runs as a process of its own: the merge may have changed every module. Its diff is not that of the merge. */
function accept(): void {
  execFileSync("npm", ["run", "accept"], { stdio: ["ignore", "ignore", "inherit"] });
}
