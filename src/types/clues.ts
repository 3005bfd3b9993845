import { posix } from "node:path";
import type { Node, SourceFile, Symbol as Named, TypeChecker } from "typescript";
import type { Compiler } from "./compiler.js";
import { pathIn } from "./own-program.js";

/** What an error has to do with, by which the edit that caused it is found. */
export interface Clues {
  /** What the compiler says that is missing. */
  readonly missing: ReadonlySet<string>;
  /** The names at its place, and in what the compiler says. */
  readonly names: ReadonlySet<string>;
  /** The names in the statement around it. */
  readonly nearby: ReadonlySet<string>;
  /** The files of the project that declare what stands there, relative to it. */
  readonly modules: ReadonlySet<string>;
  /** The files that the file with the error imports. */
  readonly imports: ReadonlySet<string>;
}

/** A file that is being compiled. */
export interface Compiled {
  readonly compiler: Compiler;
  readonly checker: TypeChecker;
  readonly file: SourceFile;
  readonly root: string;
}

/** Where an error stands in its file, and what is said of it. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/** What an error has to do with. */
export function cluesOf(compiled: Compiled, { start, end, message }: Place): Clues {
  const { file } = compiled;
  const node = nodeAt(file, start, end, compiled);
  const around = statementAround(node, compiled);
  const quoted = [...message.matchAll(/'(?:"[^"]*"|[^']*)'/g)].flatMap(([text]) => wordsOf(text));
  return {
    missing: new Set(missingIn(message)),
    names: new Set([...namesIn(node, compiled), ...quoted]),
    nearby: new Set(namesIn(around, compiled)),
    modules: new Set([...declaring(around, compiled), ...pathsIn(around, compiled)]),
    imports: new Set(pathsIn(file, compiled)),
  };
}

/** TS2741 names one property, TS2739 and TS2740 several; whole types are quoted beside it. */
function missingIn(message: string): readonly string[] {
  const [, one] = /Property '([^']*)' is missing in type/.exec(message) ?? [];
  const [, several] =
    /is missing the following properties from type '[^']*': ([^.]*)/.exec(message) ?? [];
  return [one, several].flatMap((text) => (text === undefined ? [] : wordsOf(text)));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
}

/** The smallest node that holds the whole stretch. */
function nodeAt(file: SourceFile, start: number, end: number, { compiler }: Compiled): Node {
  let found: Node = file;
  const visit = (node: Node): void => {
    if (node.getStart(file) > start || node.end < end) return;
    found = node;
    compiler.forEachChild(node, visit);
  };
  compiler.forEachChild(file, visit);
  return found;
}

/** The statement, or the member of an object, that a node stands in. */
function statementAround(node: Node, { compiler }: Compiled): Node {
  const isWhole = (one: Node): boolean =>
    compiler.isStatement(one) || compiler.isObjectLiteralElementLike(one);
  return compiler.findAncestor(node, isWhole) ?? node;
}

function within(node: Node, { compiler }: Compiled): Node[] {
  const found: Node[] = [node];
  const visit = (inner: Node): void => {
    found.push(inner);
    compiler.forEachChild(inner, visit);
  };
  compiler.forEachChild(node, visit);
  return found;
}

function namesIn(node: Node, compiled: Compiled): string[] {
  const { compiler } = compiled;
  return within(node, compiled).flatMap((one) =>
    compiler.isIdentifier(one) || compiler.isStringLiteralLike(one) ? wordsOf(one.text) : [],
  );
}

/** The files that declare what the names in a node mean, and the types of it. */
function declaring(node: Node, compiled: Compiled): string[] {
  const { checker, compiler, root } = compiled;
  const files = (symbol: Named | undefined): string[] =>
    (symbol?.declarations ?? []).map((one) => pathIn(root, one.getSourceFile().fileName));
  return within(node, compiled)
    .filter((one) => compiler.isIdentifier(one))
    .flatMap((one) => {
      const type = checker.getTypeAtLocation(one);
      const members = type.isUnion() ? type.types : [type];
      return [
        ...files(checker.getSymbolAtLocation(one)),
        ...members.flatMap((member) => [...files(member.aliasSymbol), ...files(member.symbol)]),
      ];
    })
    .filter((path) => !path.startsWith("../") && !path.includes("node_modules/"));
}

/** The files that relative paths in a node lead to, whether there are such files or not. */
function pathsIn(node: Node, compiled: Compiled): string[] {
  const { compiler, file, root } = compiled;
  const folder = posix.dirname(pathIn(root, file.fileName));
  return within(node, compiled)
    .filter((one) => compiler.isStringLiteralLike(one))
    .filter(({ text }) => /^\.{1,2}\//.test(text))
    .map(({ text }) => posix.join(folder, text).replace(/\.js$/, ".ts"));
}
