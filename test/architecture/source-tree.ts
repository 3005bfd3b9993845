import { readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { Project, type SourceFile } from "ts-morph";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Services that tests generate: not ours to judge here. */
const GENERATED = join("test", ".services");

/** The text of a file of this repository. */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The paths of the files below a folder, relative to the repository, with forward slashes, sorted. */
export function filesBelow(folder: string): string[] {
  return pathsBelow(join(ROOT, folder))
    .map((path) => relative(ROOT, path).split(sep).join("/"))
    .sort();
}

/** Packages are not ours, nor is Swagger UI; what is generated or compiled is made and removed meanwhile. */
function pathsBelow(folder: string): string[] {
  if (folder.endsWith(GENERATED) || /[\\/](?:node_modules|dist|runtime[\\/]static)$/.test(folder))
    return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return pathsBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

const shared = newProject();

/** The TypeScript below some folders as syntax trees, each parsed once; nothing is type-checked. */
export function parsed(folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap(filesBelow)
    .filter((path) => path.endsWith(".ts"))
    .map(
      (path) =>
        shared.getSourceFile(`/${path}`) ?? shared.createSourceFile(`/${path}`, textOf(path)),
    );
}

/** A syntax tree of a text, as if it stood at `path`: for samples that break a rule. */
export function sample(path: string, text: string): SourceFile {
  return newProject().createSourceFile(`/${path}`, text);
}

/** The path of a tree, relative to the repository. */
export function pathOf(file: SourceFile): string {
  return file.getFilePath().slice(1);
}

function newProject(): Project {
  return new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
}
