import { join } from "node:path";
import type { FileSystem } from "../files/file-system.js";
import { FORMER_RUNTIME, RUNTIME } from "../naming/packages.js";

/** Folders that hold no file of the user, from the root of the service. */
const NOT_OWN = new Set(["dist", "src/generated", "test/generated", "vendor"]);
const CODE = /\.[cm]?[jt]s$/;
const TEXT = /\.(?:[cm]?[jt]s|json|md|ya?ml|sh)$|^[^.]*$|^\.(?:gitattributes|dockerignore)$/;
const MOST_BYTES = 1_000_000;
/** `from "../generated/kernel/`, and what `import` begins a line or an expression with. */
const IMPORT =
  /(\bfrom\s*|\bimport\s*\(?\s*)(["'])(?:\.{1,2}\/)+(?:src\/)?generated\/kernel\/(?=[\w/-]+\.js\2)/g;

/** The user's files that hold code, as paths from the root of the service. */
export function ownCode(files: FileSystem, root: string): readonly string[] {
  return ownFiles(files, root, "").filter((path) => CODE.test(path));
}

/** Code that imports the runtime from its package where it imported a file of the service. */
export function withPackage(code: string): string {
  return code.replaceAll(IMPORT, `$1$2${RUNTIME}/internal/`);
}

/** The lines of the user that name the former place of the runtime, when `textOf` is what each file will hold: `AGENTS.md:8`. */
export function formerMentions(
  files: FileSystem,
  root: string,
  textOf: (path: string) => string,
): readonly string[] {
  const name = FORMER_RUNTIME.replace(/^src\//, "");
  return ownFiles(files, root, "").flatMap((path) => {
    const lines = textOf(path).split("\n");
    return lines.flatMap((line, index) => (line.includes(name) ? [`${path}:${index + 1}`] : []));
  });
}

function ownFiles(files: FileSystem, root: string, folder: string): readonly string[] {
  return files.list(join(root, folder)).flatMap((name) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    const status = files.lstat(join(root, path));
    if (status?.kind === "directory") {
      const isOwn = !NOT_OWN.has(path) && !/^(?:node_modules|\.git|\.rulebound)$/.test(name);
      return isOwn ? ownFiles(files, root, path) : [];
    }
    const isText = status?.kind === "file" && status.size <= MOST_BYTES && TEXT.test(name);
    return isText && name !== "generator.lock" ? [path] : [];
  });
}
