import { posix } from "node:path";
import type typescript from "typescript";
import type {
  CompilerOptions,
  DocumentRegistry,
  LanguageService,
  LanguageServiceHost,
} from "typescript";

/** The TypeScript compiler as its package exports it: that of the project, so that its verdict is the one of `npm run build`. */
export type Compiler = typeof typescript;

/** How the code of a project is compiled. */
export interface CodeProject {
  readonly compiler: Compiler;
  /** Absolute. */
  readonly root: string;
  /** Absolute paths of all files that are compiled. */
  readonly fileNames: readonly string[];
  readonly options: CompilerOptions;
  /** Files that have been parsed: most are those of packages, the same before and after a rename. */
  readonly documents: DocumentRegistry;
}

/** Texts that stand in place of those on disk, by absolute path; null: there is no such file. */
export type Overlay = ReadonlyMap<string, string | null>;

/** Where a project says how all of its own code is compiled; the first one that there is counts. */
const CONFIGURATIONS = ["test/tsconfig.json", "tsconfig.json"];

/** Reads how the code of a project is compiled; a sentence where that cannot be read. */
export function readProject(compiler: Compiler, root: string): CodeProject | string {
  const path = CONFIGURATIONS.map((one) => posix.join(root, one)).find((one) =>
    compiler.sys.fileExists(one),
  );
  if (path === undefined) return `There is neither ${CONFIGURATIONS.join(" nor ")}.`;
  const { config, error } = compiler.readConfigFile(path, (one) => compiler.sys.readFile(one));
  const folder = posix.dirname(path);
  const read = compiler.parseJsonConfigFileContent(config, compiler.sys, folder, { noEmit: true });
  const told = error ?? read.errors[0];
  if (told !== undefined) return compiler.flattenDiagnosticMessageText(told.messageText, " ");
  const documents = compiler.createDocumentRegistry(false, root);
  return { compiler, root, fileNames: read.fileNames, options: read.options, documents };
}

/** The version of every file on the disk: none changes during a run. The version of an overlay is its text. */
const ON_DISK = "0";

/** What the compiler knows of a project whose files have the texts of an overlay. */
export function languageService(project: CodeProject, overlay: Overlay): LanguageService {
  const { compiler, options, root, fileNames, documents } = project;
  const { sys } = compiler;
  const come = [...overlay].flatMap(([path, text]) => (text === null ? [] : [path]));
  const names = [...new Set([...fileNames, ...come])].filter((path) => overlay.get(path) !== null);
  const folders = new Set(come.flatMap(foldersAbove));
  const readFile = (path: string): string | undefined =>
    overlay.has(path) ? (overlay.get(path) ?? undefined) : sys.readFile(path);
  const host: LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => names,
    getScriptVersion: (path) => overlay.get(path) ?? ON_DISK,
    getScriptSnapshot: (path) => {
      const text = readFile(path);
      return text === undefined ? undefined : compiler.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (given) => compiler.getDefaultLibFilePath(given),
    readFile,
    fileExists: (path) => (overlay.has(path) ? overlay.get(path) !== null : sys.fileExists(path)),
    // The compiler looks for no file in a folder that it is told does not exist.
    directoryExists: (path) => folders.has(path) || sys.directoryExists(path),
    getDirectories: (path) => sys.getDirectories(path),
    ...(sys.realpath && { realpath: sys.realpath }),
  };
  return compiler.createLanguageService(host, documents);
}

function foldersAbove(path: string): string[] {
  const above = posix.dirname(path);
  return above === path ? [] : [above, ...foldersAbove(above)];
}
