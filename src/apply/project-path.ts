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

/** The folders above `path`, nearest first: `src/generated`, `src` for `src/generated/app.ts`. */
export function foldersOf(path: string): readonly string[] {
  const steps = path.split("/").slice(0, -1);
  return steps.map((_, index) => steps.slice(0, steps.length - index).join("/"));
}

function isStep(step: string): boolean {
  // Files in .git can run as programs, so not even a forged journal may put one there.
  return step !== "" && step !== "." && step !== ".." && step.toLowerCase() !== ".git";
}
