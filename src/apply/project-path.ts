/** Where generated files are; everywhere else are files of people and other tools. */
const GENERATED = [
  ...[
    "asyncapi",
    "client",
    "contract",
    "docs",
    "migrations",
    "openapi",
    "src/generated",
    "test/generated",
  ],
  "tools",
];

/** True for a path such as `src/main.ts`: relative, forward slashes, never out of the project or into git (G6). */
export function isProjectPath(path: string): boolean {
  return /^[\x21-\x7e]+$/.test(path) && !/[\\:*?"<>|]/.test(path) && path.split("/").every(isStep);
}

/** True if a generated file may be at `path`: inside the project, and in a folder that has some. */
export function isGeneratedPath(path: string): boolean {
  return isProjectPath(path) && GENERATED.some((folder) => path.startsWith(`${folder}/`));
}

/** What is not in a path that a run writes: the generator's own folder, and packages. */
const NEVER_WRITTEN = /(?:^|\/)(?:\.rulebound|node_modules)(?:\/|$)/i;
/** What file systems take at most, so that none of them fails on a path. */
const LONGEST_STEP = 255;
const LONGEST_PATH = 2_000;

/** True if a run may have changed the file at `path`: one of the generator's, or one of the user's that it was asked to change. */
export function isWritablePath(path: string): boolean {
  const isShort = path.split("/").every((step) => step.length <= LONGEST_STEP);
  return path.length <= LONGEST_PATH && isShort && isProjectPath(path) && !NEVER_WRITTEN.test(path);
}

/** The folders above `path`, nearest first: `src/generated`, `src` for `src/generated/app.ts`. */
export function foldersOf(path: string): readonly string[] {
  const steps = path.split("/").slice(0, -1);
  return steps.map((_, index) => steps.slice(0, steps.length - index).join("/"));
}

function isStep(step: string): boolean {
  // Files in .git can run as programs, so not even a forged journal may put one there. Windows ignores dots at the end
  // of a name, and has a second, short name for each.
  return step !== "" && !step.endsWith(".") && !/^(?:\.git|git~\d+)$/i.test(step);
}
