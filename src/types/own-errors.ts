import { posix } from "node:path";
import type { Diagnostic as Told, Program, SourceFile } from "typescript";
import type { Span } from "../diagnostics/diagnostic.js";
import { cluesOf, type Clues } from "./clues.js";
import type { Compiler, IsGenerated, Overlay } from "./compiler.js";
import { firstErrors } from "./first-errors.js";
import { pathIn, programOf, textOf, type OwnProject } from "./own-program.js";

/** A place that does not compile, and what it has to do with. */
export interface OwnError {
  readonly span: Span;
  /** The text of the file. */
  readonly source: string;
  /** What the compiler says, on one line. */
  readonly message: string;
  /** The compiler's number of it. */
  readonly number: number;
  readonly clues: Clues;
}

/** What the compiler finds in the code that is the user's. */
export interface OwnErrors {
  /** How many files were looked at. */
  readonly files: number;
  readonly errors: readonly OwnError[];
}

/**
 * Compiles a project with the texts of an overlay. Errors are those of the user's own files, and of generated files that
 * import some of them: what those no longer find is missing in the user's code. What only follows from another error is left out.
 */
export function ownErrors(
  project: OwnProject,
  overlay: Overlay,
  isGenerated: IsGenerated,
): OwnErrors {
  const program = programOf(project, overlay);
  const { compiler, root } = project;
  const inProject = program.getSourceFiles().filter((file) => isInProject(file, root));
  const isOwn = ({ fileName }: SourceFile): boolean => !isGenerated(pathIn(root, fileName));
  const own = inProject.filter(isOwn);
  const names = new Set(own.map(({ fileName }) => fileName));
  const asking = inProject.filter(
    (file) => !isOwn(file) && importsOf(compiler, file).some((path) => names.has(path)),
  );
  const errors = [...own, ...asking].flatMap((file) => errorsOf(program, file, project));
  const texts = new Map(own.map((file) => [pathIn(root, file.fileName), file.text]));
  const first = firstErrors(errors, isGenerated, (path) => texts.get(path) ?? null);
  return { files: own.length, errors: first };
}

function isInProject({ fileName, isDeclarationFile }: SourceFile, root: string): boolean {
  const path = pathIn(root, fileName);
  return !isDeclarationFile && !path.startsWith("../") && !path.includes("node_modules/");
}

/** The files that a file imports by a relative path, absolute. */
function importsOf(compiler: Compiler, { fileName, text }: SourceFile): readonly string[] {
  return compiler
    .preProcessFile(text, true, true)
    .importedFiles.filter((imported) => imported.fileName.startsWith("."))
    .map((imported) => posix.join(posix.dirname(fileName), imported.fileName))
    .map((path) => path.replace(/\.js$/, ".ts"));
}

function errorsOf(program: Program, file: SourceFile, project: OwnProject): OwnError[] {
  const found: readonly Told[] = [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ];
  const { compiler, root } = project;
  return found.map((told) => {
    const message = textOf(compiler, told.messageText);
    const [start, length] = [told.start ?? 0, told.length ?? 0];
    const place = { compiler, checker: program.getTypeChecker(), file, root };
    return {
      span: spanOf(file, start, start + length, root),
      source: file.text,
      message,
      number: told.code,
      clues: cluesOf(place, { start, end: start + length, message }),
    };
  });
}

function spanOf(file: SourceFile, start: number, end: number, root: string): Span {
  const [from, to] = [start, end].map((at) => file.getLineAndCharacterOfPosition(at));
  return {
    file: pathIn(root, file.fileName),
    line: (from?.line ?? 0) + 1,
    column: (from?.character ?? 0) + 1,
    endLine: (to?.line ?? 0) + 1,
    endColumn: (to?.character ?? 0) + 1,
  };
}
