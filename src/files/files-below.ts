import { join } from "node:path";
import type { FileSystem } from "./file-system.js";

/**
 * The files below a folder of a project, as paths from its root, in the order of their names; none where it is not a folder. Links
 * are left out, and so are folders and files whose path is not wanted.
 */
export function filesBelow(
  files: FileSystem,
  root: string,
  folder: string,
  isWanted: (path: string) => boolean = () => true,
): readonly string[] {
  if (files.lstat(join(root, folder))?.kind !== "directory") return [];
  return files.list(join(root, folder)).flatMap((name) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (!isWanted(path)) return [];
    const kind = files.lstat(join(root, path))?.kind;
    if (kind === "directory") return filesBelow(files, root, path, isWanted);
    return kind === "file" ? [path] : [];
  });
}
