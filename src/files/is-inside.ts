import { isAbsolute, relative, resolve, sep } from "node:path";

/** Says whether `path` is `root` or lies in it, by name: follow links first (`realPath`). */
export function isInside(root: string, path: string): boolean {
  const way = relative(resolve(root), resolve(path));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
