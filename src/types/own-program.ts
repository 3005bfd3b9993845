import { posix } from "node:path";
import type { CompilerHost, CompilerOptions, Program, SourceFile } from "typescript";
import type { Compiler, Overlay } from "./compiler.js";

/** A project as its compiler is told of it. */
export interface OwnProject {
  readonly compiler: Compiler;
  /** Absolute. */
  readonly root: string;
  readonly fileNames: readonly string[];
  readonly options: CompilerOptions;
  /** What was parsed for an earlier program; what stands in an overlay is never among it. */
  readonly parsed: Map<string, SourceFile>;
}

/** Where a project says how its own code is compiled; the first one that there is counts. */
const CONFIGURATIONS = ["test/tsconfig.json", "tsconfig.json"];

/** Reads how the code of a project is compiled; a sentence where that cannot be read. */
export function readProject(compiler: Compiler, root: string): OwnProject | string {
  const path = CONFIGURATIONS.map((one) => posix.join(root, one)).find((one) =>
    compiler.sys.fileExists(one),
  );
  if (path === undefined) return `There is neither ${CONFIGURATIONS.join(" nor ")}.`;
  const { config, error } = compiler.readConfigFile(path, (one) => compiler.sys.readFile(one));
  if (error !== undefined) return textOf(compiler, error.messageText);
  const read = compiler.parseJsonConfigFileContent(config, compiler.sys, posix.dirname(path), {
    noEmit: true,
  });
  const [first] = read.errors;
  if (first !== undefined) return textOf(compiler, first.messageText);
  return { compiler, root, fileNames: read.fileNames, options: read.options, parsed: new Map() };
}

/** What the compiler says, on one line. */
export function textOf(
  compiler: Compiler,
  message: Parameters<Compiler["flattenDiagnosticMessageText"]>[0],
): string {
  return compiler.flattenDiagnosticMessageText(message, "\n").replace(/\s*\n\s*/g, " ");
}

/** The program that a project is, with the texts of an overlay in place of those on disk. */
export function programOf(project: OwnProject, overlay: Overlay): Program {
  const { compiler, root, options, fileNames } = project;
  const isGone = (path: string): boolean => overlay.get(pathIn(root, path)) === null;
  const come = [...overlay].flatMap(([path, text]) =>
    text !== null && path.endsWith(".ts") ? [posix.join(root, path)] : [],
  );
  const rootNames = [...new Set([...fileNames.filter((path) => !isGone(path)), ...come])];
  return compiler.createProgram({ rootNames, options, host: hostOf(project, overlay) });
}

/** A path relative to the project; one outside begins with `../`. */
export function pathIn(root: string, path: string): string {
  return posix.relative(root, path);
}

function hostOf({ compiler, root, options, parsed }: OwnProject, overlay: Overlay): CompilerHost {
  const disk = compiler.createCompilerHost(options, true);
  const folders = foldersOf(overlay);
  const readFile: CompilerHost["readFile"] = (path) => {
    const text = overlay.get(pathIn(root, path));
    return text === undefined ? disk.readFile(path) : (text ?? undefined);
  };
  return {
    ...disk,
    readFile,
    fileExists: (path) => {
      const text = overlay.get(pathIn(root, path));
      return text === undefined ? disk.fileExists(path) : text !== null;
    },
    // The compiler looks for no file in a folder that it is told does not exist.
    directoryExists: (path) =>
      folders.has(pathIn(root, path)) || (disk.directoryExists?.(path) ?? true),
    getSourceFile: (path, given) => {
      const isOverlaid = overlay.has(pathIn(root, path));
      const known = isOverlaid ? undefined : parsed.get(path);
      if (known !== undefined) return known;
      const text = readFile(path);
      if (text === undefined) return undefined;
      const file = compiler.createSourceFile(path, text, given, true);
      if (!isOverlaid) parsed.set(path, file);
      return file;
    },
  };
}

/** The folders above the files that an overlay brings. */
function foldersOf(overlay: Overlay): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const [path, text] of overlay) {
    if (text === null) continue;
    for (let at = posix.dirname(path); at !== "."; at = posix.dirname(at)) folders.add(at);
  }
  return folders;
}
