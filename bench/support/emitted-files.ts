import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** The files of a project that nobody wrote by hand: their stamp and size, by path. */
export function emittedFiles(
  root: string,
): ReadonlyMap<string, { readonly stamp: string; readonly bytes: number }> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => path !== "service.yaml" && !/^(?:resources|\.rulebound)[\\/]/.test(path));
  return new Map(
    paths.map((path) => {
      const { ino, mtimeMs, ctimeMs, size } = statSync(join(root, path));
      return [path, { stamp: `${ino} ${mtimeMs} ${ctimeMs}`, bytes: size }];
    }),
  );
}

/** How many files were written between two looks, be it with the same text. */
export function touched(
  before: ReturnType<typeof emittedFiles>,
  after: ReturnType<typeof emittedFiles>,
): number {
  return [...after].filter(([path, { stamp }]) => before.get(path)?.stamp !== stamp).length;
}
