import { join, relative } from "node:path";
import type { Change } from "../apply/change.js";
import { textHash } from "../apply/text-hash.js";
import { filesBelow } from "../files/files-below.js";
import { readProject, type Compiler } from "../types/compiler.js";
import { renameCode, type RenamedCode } from "../types/rename-code.js";
import { candidates, renamedPaths, renamesOf, type Texts } from "../types/renamed-names.js";
import { createdFile, updatedFile } from "./changed-file.js";
import type { Environment } from "./environment.js";
import type { RenderedProject } from "./render-project.js";
import { UsageError } from "./usage-error.js";

const GENERATED = ["src/generated", "test/generated"];

/**
 * The changes by which the user's own code follows the names that the YAML has changed, as `renamedFrom` tells them; `tell` is
 * given them before anything is written. The generated code on the disk has to be that of before. Throws `UsageError` where the
 * code cannot be compiled.
 */
export async function renamedCode(
  env: Environment,
  { tree, outputs }: RenderedProject,
  { compiler, tell }: { readonly compiler: Compiler; readonly tell: (code: RenamedCode) => void },
): Promise<readonly Change[]> {
  const { files, root } = env;
  const project = readProject(compiler, root);
  if (typeof project === "string") {
    throw new UsageError(`The code of the service cannot be compiled. ${project}`);
  }
  const read = (path: string): string => files.readText(join(root, path));
  const before: Texts = new Map(
    GENERATED.flatMap((folder) => filesBelow(files, root, folder))
      .filter(isCode)
      .map((path) => [path, read(path)]),
  );
  const generated = outputs.filter(({ path, owner }) => owner === "generator" && isCode(path));
  const after: Texts = new Map(generated.map(({ path, text }) => [path, text ?? read(path)]));
  const isOwn = (path: string): boolean =>
    !path.startsWith("..") && !before.has(path) && files.lstat(join(root, path))?.kind === "file";
  const paths = project.fileNames.map((path) => relative(root, path)).filter(isOwn);
  const resources = tree.resources.map(({ value }) => renamedPaths(value));
  const renames = resources.flatMap((resource) => renamesOf(resource, { before, after }));
  const made = new Map(
    outputs.flatMap(({ path, owner, text }) => (owner === "user" ? [[path, text] as const] : [])),
  );
  // A file that was made meanwhile, and that nobody has worked on, gives way.
  const isFree = (path: string): boolean =>
    made.has(path) && (!files.exists(join(root, path)) || read(path) === made.get(path));
  const moved = new Map(
    paths.flatMap((path): (readonly [string, string])[] => {
      const now = made.has(path) ? undefined : candidates(path, renames).find(isFree);
      return now === undefined ? [] : [[path, now]];
    }),
  );
  const taken = new Set(moved.values());
  const kept = paths.filter((path) => !taken.has(path));
  const own: Texts = new Map(kept.map((path) => [path, read(path)]));
  const code = renameCode(project, { renames, resources, before, after, own, moved });
  tell(code);
  return code.files.flatMap(({ from, path, before: text, text: now }) => {
    if (path === from) return updatedFile(env, path, now);
    const isThere = files.exists(join(root, path));
    const there = isThere ? updatedFile(env, path, now) : [createdFile(path, now)];
    return [...there, { kind: "removed", path: from, before: textHash(text) } as const];
  });
}

function isCode(path: string): boolean {
  return path.endsWith(".ts");
}
