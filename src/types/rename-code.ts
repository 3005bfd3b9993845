import { posix } from "node:path";
import type {
  Expression,
  LanguageService,
  Node,
  RenameLocation,
  SourceFile,
  Type,
  TypeChecker,
} from "typescript";
import { languageService, type CodeProject } from "./compiler.js";
import {
  candidates,
  declaredNames,
  importPath,
  renamedNames,
  renamedPath,
  type Rename,
  type RenamedName,
  type Texts,
} from "./renamed-names.js";

/** Code of a project while names of its YAML change. */
export interface Code {
  readonly renames: readonly Rename[];
  /** The generated code on the disk. */
  readonly before: Texts;
  /** As it will be. */
  readonly after: Texts;
  /** The user's own files. */
  readonly own: Texts;
  /** Those of them that have another path then, by the present one. */
  readonly moved: ReadonlyMap<string, string>;
}

/** A file of the user's own with the new names. */
export interface RenamedFile {
  readonly from: string;
  /** The same, unless it is named after a resource. */
  readonly path: string;
  readonly before: string;
  readonly text: string;
}

/** What follows from new names in the user's own code. */
export interface RenamedCode {
  readonly files: readonly RenamedFile[];
  /** Names that stay, since the file uses the new one for something else: a sentence each. */
  readonly left: readonly string[];
}

/** A text that replaces a part of another one. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Follows new names of the YAML into the user's own code, by the types that it has now and by those that it will have. */
export function renameCode(project: CodeProject, code: Code): RenamedCode {
  const { own, moved } = code;
  const names = namesOf(project, code);
  // The generated code has the new names already: the types of before are gone.
  if (names.length === 0) return { files: [], left: [] };
  const { edits, left } = renameEdits(project, code, names);
  const renamed = new Map(
    [...own].map(([path, text]) => [
      moved.get(path) ?? path,
      withImports(edits.applied(path, text), path, code),
    ]),
  );
  const final = fitted(project, code, renamed);
  const files = [...own].flatMap(([from, before]): RenamedFile[] => {
    const path = moved.get(from) ?? from;
    const text = final.get(path) ?? before;
    return path === from && text === before ? [] : [{ from, path, before, text }];
  });
  return { files, left };
}

/** Declared names that change: those of generated code, and what a file of the user's own that moves exports under the old one. */
function namesOf({ compiler }: CodeProject, code: Code): readonly RenamedName[] {
  const { renames, own, moved } = code;
  const ownNames = [...moved.keys()].flatMap((path) =>
    declaredNames(compiler, own.get(path) ?? "").flatMap(({ name, position }): RenamedName[] => {
      const to = renames.find(({ from }) => from === name)?.to;
      return to === undefined ? [] : [{ path, name, position, to, isMember: false }];
    }),
  );
  return [...ownNames, ...renamedNames(compiler, renames, code)];
}

/** Where the compiler finds names that change, with the types of before. */
function renameEdits(
  project: CodeProject,
  { own }: Code,
  names: readonly RenamedName[],
): { readonly edits: Edits; readonly left: readonly string[] } {
  const { root } = project;
  const service = languageService(project, new Map());
  const edits = new Edits();
  const left = new Set<string>();
  for (const { path: declaredIn, name, position, to, isMember } of names) {
    for (const found of locations(service, posix.join(root, declaredIn), position, isMember)) {
      const path = posix.relative(root, found.fileName);
      const text = own.get(path);
      if (text === undefined) continue;
      const edit = editOf(found, to);
      const isTaken = !isMember && new RegExp(`\\b${to}\\b`).test(text);
      if (isTaken) left.add(`${path} has a ${to} of its own: ${name} is called so still.`);
      const chosen = isTaken ? importedAs(name, edit, text) : edit;
      if (chosen !== null) edits.add(path, chosen);
    }
  }
  return { edits, left: [...left] };
}

/** The edit of an import by which a file goes on calling a name as it did; null: the place is none. */
function importedAs(name: string, edit: Edit, text: string): Edit | null {
  if (!/\bimport\b[^;"']*$/.test(text.slice(0, edit.start))) return null;
  const hasAlias = /^\s+as\b/.test(text.slice(edit.end));
  return hasAlias ? edit : { ...edit, text: `${edit.text} as ${name}` };
}

const IMPORT = /(?<=\b(?:from|import)\s*\(?\s*["'])\.{1,2}\/[^"']+\.js(?=["'])/g;

/** Imports of generated files, and of the user's own, by the paths that those have now. */
function withImports(text: string, path: string, { renames, before, after, moved }: Code): string {
  return text.replace(IMPORT, (imported) => {
    const target = posix.join(posix.dirname(path), imported).replace(/\.js$/, ".ts");
    const now = before.has(target) ? renamedPath(target, renames, after) : moved.get(target);
    return now === undefined || now === target ? imported : importPath(path, now);
  });
}

/**
 * What fits no longer with the types of now, and does with a new name: texts that name properties, such as paths of problems, and
 * objects that were made without a type.
 */
function fitted(project: CodeProject, code: Code, renamed: Texts): Texts {
  const { root } = project;
  const { before, after, own, renames } = code;
  const overlay = new Map<string, string | null>();
  for (const path of [...before.keys(), ...own.keys()]) overlay.set(posix.join(root, path), null);
  for (const [path, text] of [...after, ...renamed]) overlay.set(posix.join(root, path), text);
  const service = languageService(project, overlay);
  const program = service.getProgram();
  const edits = new Edits();
  for (const path of renamed.keys()) {
    const file = program?.getSourceFile(posix.join(root, path));
    if (program === undefined || file === undefined) continue;
    const place = {
      project,
      service,
      checker: program.getTypeChecker(),
      file,
      path,
      renames,
      own: renamed,
    };
    for (const { start = 0, length = 0 } of service.getSemanticDiagnostics(file.fileName)) {
      fit(file, { from: start, to: start + length }, place, edits);
    }
  }
  return new Map([...renamed].map(([path, text]) => [path, edits.applied(path, text)]));
}

/** A file that is compiled, and what it is asked for. */
interface Place {
  readonly project: CodeProject;
  readonly service: LanguageService;
  readonly checker: TypeChecker;
  readonly file: SourceFile;
  readonly path: string;
  readonly renames: readonly Rename[];
  readonly own: Texts;
}

/** Edits what stands in a span that does not compile. */
function fit(node: Node, span: { from: number; to: number }, place: Place, edits: Edits): void {
  const { project, checker, file, path, renames } = place;
  const { compiler } = project;
  const start = node.getStart(file);
  if (node.end <= span.from || start >= span.to) return;
  compiler.forEachChild(node, (child) => fit(child, span, place, edits));
  const wanted = compiler.isExpression(node) ? wantedType(node, place) : undefined;
  const isText = compiler.isStringLiteralLike(node) || compiler.isTemplateHead(node);
  if (isText || compiler.isTemplateMiddleOrTemplateTail(node)) {
    const known = (wanted?.isUnion() ? wanted.types : [wanted]).flatMap((one) =>
      one?.isStringLiteral() ? [one.value] : [],
    );
    const options = candidates(node.text, renames);
    const text = options.find((one) => known.includes(one)) ?? options[0];
    // Between its quotation marks, or what parts the values of a template.
    const end = start + 1 + node.text.length;
    if (text !== undefined) edits.add(path, { start: start + 1, end, text });
  } else if (wanted !== undefined && start === span.from && node.end === span.to) {
    align(checker.getTypeAtLocation(node), wanted, { node, place, edits, depth: 0 });
  }
}

/** As deep as objects of schemas stand in one another. */
const MOST_DEPTH = 10;

/** What two types are compared for. */
interface Comparison {
  readonly node: Node;
  readonly place: Place;
  readonly edits: Edits;
  readonly depth: number;
}

/** Renames properties that an object of the user's own has, and that the wanted type has under another name, nested ones too. */
function align(given: Type, wanted: Type, comparison: Comparison): void {
  const { node, place, edits, depth } = comparison;
  const { checker, renames, project } = place;
  if (depth > MOST_DEPTH) return;
  const inner = { ...comparison, depth: depth + 1 };
  const target = checker.getNonNullableType(wanted);
  const [item, wantedItem] = [given, target].map((type) => type.getNumberIndexType());
  if (item !== undefined && wantedItem !== undefined) {
    align(item, wantedItem, inner);
    return;
  }
  for (const property of given.getProperties()) {
    const { name, valueDeclaration: declared } = property;
    const names = [name, ...candidates(name, renames)];
    const to = names.find((one) => target.getProperty(one) !== undefined);
    const own = target.getProperty(to ?? "");
    if (own === undefined || to === undefined || declared === undefined) continue;
    const path = posix.relative(project.root, declared.getSourceFile().fileName);
    if (!place.own.has(path)) continue;
    if (to !== name) renameAt(declared, to, place, edits);
    const [type, wantedType] = [property, own].map((one) =>
      checker.getTypeOfSymbolAtLocation(one, node),
    );
    if (type && wantedType) align(type, wantedType, inner);
  }
}

/** The type that an expression should have; of `{ where }`, which has a type and a value, that of the property. */
function wantedType(node: Expression, { project, checker }: Place): Type | undefined {
  const { parent } = node;
  if (!project.compiler.isShorthandPropertyAssignment(parent)) {
    return checker.getContextualType(node);
  }
  const holder = checker.getContextualType(parent.parent);
  const property = holder && checker.getNonNullableType(holder).getProperty(parent.name.text);
  return property && checker.getTypeOfSymbolAtLocation(property, node);
}

/** Renames a property of an object that the user's own code makes. */
function renameAt(declared: Node, to: string, { project, service }: Place, edits: Edits): void {
  const { compiler, root } = project;
  const { fileName } = declared.getSourceFile();
  const start = declared.getStart();
  // There, the same text is a variable as well, which keeps its name.
  if (compiler.isShorthandPropertyAssignment(declared)) {
    edits.add(posix.relative(root, fileName), { start, end: start, text: `${to}: ` });
    return;
  }
  for (const found of locations(service, fileName, start, true)) {
    edits.add(posix.relative(root, found.fileName), editOf(found, to));
  }
}

function editOf({ textSpan: { start, length }, ...found }: RenameLocation, to: string): Edit {
  const text = `${found.prefixText ?? ""}${to}${found.suffixText ?? ""}`;
  return { start, end: start + length, text };
}

function locations(
  service: LanguageService,
  path: string,
  position: number,
  isWithAlias: boolean,
): readonly RenameLocation[] {
  const preferences = { providePrefixAndSuffixTextForRename: isWithAlias };
  return service.findRenameLocations(path, position, false, false, preferences) ?? [];
}

/** Edits of several files. */
class Edits {
  private readonly byPath = new Map<string, Map<number, Edit>>();

  add(path: string, edit: Edit): void {
    // Of a name that several declarations have, each finds the same places.
    const known = this.byPath.get(path) ?? new Map<number, Edit>();
    this.byPath.set(path, known.set(edit.start, edit));
  }

  applied(path: string, text: string): string {
    return [...(this.byPath.get(path)?.values() ?? [])]
      .sort((a, b) => b.start - a.start)
      .reduce((now, { start, end, text: to }) => now.slice(0, start) + to + now.slice(end), text);
  }
}
