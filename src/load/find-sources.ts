import { join } from "node:path";
import { diagnostic, type Diagnostic } from "../diagnostics/diagnostic.js";
import type { FileSystem } from "../files/file-system.js";
import { placeOfFile } from "./schema-text.js";
import { followed } from "./source-file.js";

/** The resource files of a project, sorted by relative path, and diagnostics about other files among them. */
export interface FoundSources {
  readonly paths: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Lists `resources/v<N>/*.yaml`, and reports everything else in that folder. */
export function findSources(files: FileSystem, root: string): FoundSources {
  const folder = list(files, root, "resources");
  const found = folder.map((name) => inResources(files, root, name));
  const paths = found.flatMap((part) => part.paths);
  const diagnostics = found.flatMap((part) => part.diagnostics);
  if (paths.length > 0 || diagnostics.length > 0) return { paths, diagnostics };
  // A schema file beside service.yaml is probably a resource in the wrong place.
  const [stray] = list(files, root, ".").filter((name) => isStray(files, root, name));
  const suggestion =
    stray === undefined
      ? "Write resources/v1/tickets.yaml, for example."
      : `Move ${stray} to resources/v1/${stray}.`;
  return {
    paths,
    diagnostics: [diagnostic("SCH-29", placeOfFile("resources"), {}, { suggestion })],
  };
}

const NOTHING: FoundSources = { paths: [], diagnostics: [] };

function inResources(files: FileSystem, root: string, name: string): FoundSources {
  const path = `resources/${name}`;
  if (isYaml(name)) {
    const place = `Move it to resources/v1/${name}.`;
    return refuse(diagnostic("SCH-116", placeOfFile(path), { path }, { suggestion: place }));
  }
  if (name.startsWith(".") || kindOf(files, root, path) !== "directory") return NOTHING;
  if (!/^v[1-9][0-9]{0,8}$/.test(name)) {
    const suggestion = "Move it to resources/v1/.";
    return refuse(diagnostic("VER-1", placeOfFile(path), { name }, { suggestion }));
  }
  const found = list(files, root, path).map((file) => inVersion(files, root, `${path}/${file}`));
  return {
    paths: found.flatMap((part) => part.paths),
    diagnostics: found.flatMap((part) => part.diagnostics),
  };
}

function inVersion(files: FileSystem, root: string, path: string): FoundSources {
  if (path.includes("/.")) return NOTHING;
  if (path.endsWith(".yaml")) return { paths: [path], diagnostics: [] };
  if (kindOf(files, root, path) === "directory") {
    const suggestion = "Move its files up, or remove it.";
    return refuse(diagnostic("SCH-115", placeOfFile(path), { path }, { suggestion }));
  }
  if (!isYaml(path)) return NOTHING;
  const suggestion = `Rename it to ${path.replace(/\.ya?ml$/i, ".yaml")}.`;
  return refuse(diagnostic("SCH-25", placeOfFile(path), { path }, { suggestion }));
}

function refuse(found: Diagnostic): FoundSources {
  return { paths: [], diagnostics: [found] };
}

/** Says whether a file of the project's own folder declares a resource. */
function isStray(files: FileSystem, root: string, name: string): boolean {
  if (!isYaml(name) || kindOf(files, root, name) !== "file") return false;
  return /^resource:/m.test(files.readText(join(root, name)));
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/i.test(name);
}

/** The names in a folder of the project; empty if it is not a folder, or leads out of the project. */
function list(files: FileSystem, root: string, path: string): readonly string[] {
  const real = followed(files, root, join(root, path));
  return real !== null && files.lstat(real)?.kind === "directory" ? files.list(real) : [];
}

function kindOf(files: FileSystem, root: string, path: string): string | undefined {
  const real = followed(files, root, join(root, path));
  return real === null ? undefined : files.lstat(real)?.kind;
}
