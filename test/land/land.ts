import { hasOwnLines, isAccepted, writtenPart } from "./generated-texts.js";
import { GitError, gitIn, items, type Git } from "./git.js";

/** What `land` needs. */
export interface Landing {
  /** The folder of the repository. */
  readonly root: string;
  /** The branch that is merged into the present one. */
  readonly other: string;
  /** Makes every generated text; throws where it cannot. */
  readonly accept: () => void;
  readonly out: (text: string) => void;
}

/**
 * Merges the other branch and makes the generated texts for both sides. Returns false where it is not committed: for a
 * conflict in any other file, or lines of a generated text that neither side made.
 */
export function land({ root, other, accept, out }: Landing): boolean {
  const git = gitIn(root);
  const branch = git("branch", "--show-current").trim();
  const refusal = refusalOf(git, branch, other);
  if (refusal !== null) {
    out(refusal);
    return false;
  }
  const conflicts = merge(git, other);
  const written = conflicts.filter((path) => !isAccepted(path) || isWrittenTwice(git, path));
  if (written.length > 0) {
    git("merge", "--abort");
    out(toMerge(written, other));
    return false;
  }
  for (const path of conflicts) takeEitherSide(git, path);
  if (!isMerging(git)) {
    out(`${branch} has all of ${other}.\n${nextSteps(branch, other)}`);
    return true;
  }
  if (!couldAccept(git, accept, out)) return false;
  const diff = combinedDiff(git);
  if (diff !== "") out(`Generated texts with lines of both sides:\n${diff}`);
  if (hasOwnLines(diff)) {
    out(TO_READ);
    return false;
  }
  git("commit", "--no-edit", "--cleanup=strip");
  out(`${other} is merged into ${branch}.\n${nextSteps(branch, other)}`);
  return true;
}

const ABORT = "`git merge --abort` goes back to where it began.\n";
const TO_READ = `Neither side made the lines that begin with \`++\` or \`--\`. The merge is not committed:
\`git commit\` does it when they are right. ${ABORT}`;

function toMerge(paths: readonly string[], other: string): string {
  return `These files have conflicts:
${paths.map((path) => `  ${path}\n`).join("")}The merge is undone. Merge them by hand:
  git merge --no-commit --no-ff ${other}
  npm run accept        when the files are right: it makes the generated texts
  git add --all && git commit
`;
}

function nextSteps(branch: string, other: string): string {
  return `Next: \`.ci/run\`; then \`git push origin ${branch}:${other}\`, or \`git merge --ff-only ${branch}\` on ${other}.\n`;
}

/** Says why nothing can be merged here; null where it can. */
function refusalOf(git: Git, branch: string, other: string): string | null {
  if (branch === "" || branch === other) {
    return `Nothing is merged: run it on the branch of a change, not on ${branch || "a detached commit"}.\n`;
  }
  const changed = git("status", "--porcelain");
  return changed === "" ? null : `Nothing is merged: commit these changes first.\n${changed}`;
}

/** Merges without a commit, and returns the paths that have conflicts. */
function merge(git: Git, other: string): readonly string[] {
  try {
    git("merge", "--no-commit", "--no-ff", other);
    return [];
  } catch (error) {
    if (!(error instanceof GitError) || !isMerging(git)) throw error;
    return items(git("diff", "--name-only", "--diff-filter=U", "-z"));
  }
}

function isMerging(git: Git): boolean {
  try {
    git("rev-parse", "--quiet", "--verify", "MERGE_HEAD");
    return true;
  } catch {
    return false;
  }
}

/** Says whether the two sides differ in the part of a generated text that people write. */
function isWrittenTwice(git: Git, path: string): boolean {
  const [ours, theirs] = [2, 3].map((side) =>
    stagesOf(git, path).includes(side) ? writtenPart(path, git("show", `:${side}:${path}`)) : "",
  );
  return ours !== theirs;
}

/** Takes our text; what one side has removed is removed, and made again where it is needed. */
function takeEitherSide(git: Git, path: string): void {
  const stages = stagesOf(git, path);
  if (stages.includes(2) && stages.includes(3)) {
    git("checkout", "--ours", "--", path);
    git("add", "--", path);
  } else {
    git("rm", "--quiet", "--force", "--", path);
  }
}

/** The stages of a file that has a conflict: 1 is the common ancestor, 2 ours and 3 theirs. */
function stagesOf(git: Git, path: string): readonly number[] {
  const stages = items(git("ls-files", "--unmerged", "-z", "--", path));
  return stages.map((stage) => Number(stage.split("\t")[0]?.at(-1)));
}

function couldAccept(git: Git, accept: () => void, out: Landing["out"]): boolean {
  try {
    accept();
    git("add", "--all");
    return true;
  } catch (error) {
    out(`${error instanceof Error ? error.message : String(error)}
The generated texts could not be made. Correct what the merge has made of the sources (\`npm ci\` where package-lock.json
has changed), then \`npm run accept\`, \`git add --all\` and \`git commit\`. ${ABORT}`);
    return false;
  }
}

/** Returns the combined diff of the generated texts that differ from both sides. */
function combinedDiff(git: Git): string {
  const parents = ["-p", "HEAD", "-p", "MERGE_HEAD"];
  const merged = git("commit-tree", git("write-tree").trim(), ...parents, "-m", "merged").trim();
  const diff = ["diff-tree", "-r", "--cc", "--no-commit-id", "--no-renames"];
  const paths = items(git(...diff, "--name-only", "-z", merged)).filter(isAccepted);
  return paths.length === 0 ? "" : git(...diff, "-p", merged, "--", ...paths);
}
