import { isAbsolute, relative, resolve, sep } from "node:path";

/** Says whether `path` is `root` or lies in it, by names alone: links must have been followed (`realPath`). */
export function isInside(root: string, path: string): boolean {
  const way = relative(resolve(root), resolve(path));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
