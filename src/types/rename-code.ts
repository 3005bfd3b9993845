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
import { languageService, type CodeProject, type Overlay } from "./compiler.js";
import {
  candidates,
  declaredNames,
  importPath,
  renamedNames,
  renamedPath,
  type Rename,
  type RenamedName,
  type RenamedPaths,
  type Texts,
} from "./renamed-names.js";
import { renamedInText, type Edit } from "./renamed-text.js";

/** Code of a project while names of its YAML change. */
export interface Code {
  readonly renames: readonly Rename[];
  readonly resources: readonly RenamedPaths[];
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
  /** The generated code on the disk has the new names already, so that nothing can be followed. */
  readonly isLate: boolean;
  readonly files: readonly RenamedFile[];
  /** What stays, and why: a sentence each. */
  readonly left: readonly string[];
  /** Lines that have an old name still, which may mean something else: `src/custom/orders.ts:7`. */
  readonly mentions: readonly string[];
}

/** Follows new names of the YAML into the user's own code, by the types that it has now and by those that it will have. */
export function renameCode(project: CodeProject, code: Code): RenamedCode {
  const { own, moved } = code;
  const names = namesOf(project, code);
  if (names.length === 0) return { isLate: true, files: [], left: [], mentions: [] };
  const left = new Set<string>();
  const edits = renameEdits(project, code, { names, left });
  const renamed = new Map(
    [...own].map(([path, text]) => [
      moved.get(path) ?? path,
      withImports(edits.applied(path, text), path, code),
    ]),
  );
  const final = fitted(project, code, { renamed, left });
  const files = [...own].flatMap(([from, before]): RenamedFile[] => {
    const path = moved.get(from) ?? from;
    const text = final.get(path) ?? before;
    return path === from && text === before ? [] : [{ from, path, before, text }];
  });
  return { isLate: false, files, left: [...left], mentions: mentionsIn(final, names) };
}

function mentionsIn(texts: Texts, names: readonly RenamedName[]): readonly string[] {
  const words = [...new Set(names.map(({ name }) => name))].filter((name) => /^\w+$/.test(name));
  const old = new RegExp(`\\b(?:${words.join("|")})\\b`);
  return [...texts].flatMap(([path, text]) =>
    text.split("\n").flatMap((line, index) => (old.test(line) ? [`${path}:${index + 1}`] : [])),
  );
}

/** Declared names that change: those of generated code, and what a file of the user's own that moves exports under the old one. */
function namesOf({ compiler }: CodeProject, code: Code): readonly RenamedName[] {
  const { renames, own, moved } = code;
  const ownNames = [...moved.keys()].flatMap((path) =>
    declaredNames(compiler, own.get(path) ?? "").flatMap(({ name, position }): RenamedName[] => {
      const to = renames.find(({ from, of }) => of === null && from === name)?.to;
      return to === undefined ? [] : [{ path, name, position, to, isMember: false }];
    }),
  );
  return [...ownNames, ...renamedNames(compiler, renames, code)];
}

/** What is asked of files that are compiled. */
interface Compiled {
  readonly project: CodeProject;
  readonly service: LanguageService;
  readonly checker: TypeChecker;
  /** By path, relative to the project. */
  readonly files: ReadonlyMap<string, SourceFile>;
}

function compiled(project: CodeProject, overlay: Texts, gone: Iterable<string>): Compiled {
  const absolute = (path: string): string => posix.join(project.root, path);
  const texts: Overlay = new Map([
    ...[...gone].map((path) => [absolute(path), null] as const),
    ...[...overlay].map(([path, text]) => [absolute(path), text] as const),
  ]);
  const service = languageService(project, texts);
  const program = service.getProgram();
  if (program === undefined) throw new Error("the compiler has no program");
  const files = new Map(
    [...overlay.keys()].flatMap((path) => {
      const file = program.getSourceFile(absolute(path));
      return file === undefined ? [] : [[path, file] as const];
    }),
  );
  return { project, service, checker: program.getTypeChecker(), files };
}

/** Where the compiler finds names that change, with the types of before. */
function renameEdits(
  project: CodeProject,
  code: Code,
  { names, left }: { readonly names: readonly RenamedName[]; readonly left: Set<string> },
): Edits {
  const known = compiled(project, code.own, []);
  const edits = new Edits();
  for (const name of names) {
    const found = locations(known.service, posix.join(project.root, name.path), name);
    const places = found.flatMap((place) => {
      const path = posix.relative(project.root, place.fileName);
      return code.own.has(path) ? [{ path, edit: editOf(place, name.to) }] : [];
    });
    const taken = name.isMember
      ? []
      : [...new Set(places.map(({ path }) => path))].filter((path) =>
          hasName(known, path, name.to),
        );
    for (const path of taken) {
      left.add(`${path} has a ${name.to} of its own: ${name.name} is called so still.`);
    }
    for (const { path, edit } of places) {
      const chosen = taken.length === 0 ? edit : importedAs(known, { path, edit, name, code });
      if (chosen !== null) edits.add(path, chosen);
    }
  }
  for (const [path, file] of known.files) namePaths(file, { ...known, path, code }, edits);
  return edits;
}

/** Whether a file uses a name for something. */
function hasName({ project, files }: Compiled, path: string, name: string): boolean {
  const visit = (node: Node): boolean =>
    (project.compiler.isIdentifier(node) && node.text === name) ||
    (project.compiler.forEachChild(node, (child) => visit(child) || undefined) ?? false);
  const file = files.get(path);
  return file !== undefined && visit(file);
}

/** The edit of an import by which files go on calling a name as they did; null: the place is none, or follows another file. */
function importedAs(
  { project, files }: Compiled,
  { path, edit, name, code }: { path: string; edit: Edit; name: RenamedName; code: Code },
): Edit | null {
  const { compiler } = project;
  const file = files.get(path);
  const specifier = file && nodeAt(compiler, file, edit.start).parent;
  if (specifier === undefined) return null;
  if (compiler.isQualifiedName(specifier) || compiler.isPropertyAccessExpression(specifier)) {
    return edit;
  }
  if (!compiler.isImportSpecifier(specifier) && !compiler.isExportSpecifier(specifier)) return null;
  const { moduleSpecifier: from } = compiler.isImportSpecifier(specifier)
    ? specifier.parent.parent.parent
    : specifier.parent.parent;
  const target = from && compiler.isStringLiteral(from) ? targetOf(path, from.text) : "";
  if (!code.before.has(target)) return null;
  const hasAlias = specifier.propertyName !== undefined;
  return hasAlias ? edit : { ...edit, text: `${name.to} as ${name.name}` };
}

function nodeAt(compiler: CodeProject["compiler"], node: Node, start: number): Node {
  const inner = compiler.forEachChild(node, (child) =>
    child.getStart() <= start && start < child.end ? child : undefined,
  );
  return inner === undefined ? node : nodeAt(compiler, inner, start);
}

/** Paths of properties in texts, such as `problems.add("lines[0].note", ...)`: their type says of which entity. */
function namePaths(
  node: Node,
  place: Compiled & { readonly path: string; readonly code: Code },
  edits: Edits,
): void {
  const { project, checker, path, code } = place;
  const { compiler } = project;
  if (compiler.isStringLiteralLike(node) || compiler.isTemplateExpression(node)) {
    const wanted = checker.getContextualType(node);
    const [of] = wanted?.aliasTypeArguments ?? [];
    const declared = (of?.aliasSymbol ?? of?.symbol)?.declarations?.[0]?.getSourceFile().fileName;
    const plural = /\/entities\/([^/]+)\//.exec(declared ?? "")?.[1] ?? "";
    const resource = code.resources.findLast(({ plurals }) => plurals.includes(plural));
    if (wanted?.aliasSymbol?.name === "PropertyPath" && resource !== undefined) {
      for (const edit of renamedInText(node.getText(), node.getStart(), resource.paths)) {
        edits.add(path, edit);
      }
    }
  }
  compiler.forEachChild(node, (child) => namePaths(child, place, edits));
}

const IMPORT = /(?<=\b(?:from|import)\s*\(?\s*["'])\.{1,2}\/[^"']+\.js(?=["'])/g;

/** Imports of generated files, and of the user's own, by the paths that those have now. */
function withImports(text: string, path: string, { renames, before, after, moved }: Code): string {
  return text.replace(IMPORT, (imported) => {
    const target = targetOf(path, imported);
    const now = before.has(target) ? renamedPath(target, renames, after) : moved.get(target);
    return now === undefined || now === target ? imported : importPath(path, now);
  });
}

function targetOf(path: string, imported: string): string {
  return posix.join(posix.dirname(path), imported).replace(/\.js$/, ".ts");
}

/** A place that does not compile. */
interface Misfit {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/**
 * What fits no longer with the types of now, and does with a new name: texts that are names of properties, such as those of a
 * sort, and objects that were made without a type and are used for nothing else.
 */
function fitted(
  project: CodeProject,
  code: Code,
  { renamed, left }: { readonly renamed: Texts; readonly left: Set<string> },
): Texts {
  const gone = [...code.before.keys(), ...code.own.keys()];
  const known = compiled(project, new Map([...code.after, ...renamed]), gone);
  const misfits = [...renamed.keys()].flatMap((path): readonly Misfit[] => {
    const file = known.files.get(path);
    const found = file === undefined ? [] : known.service.getSemanticDiagnostics(file.fileName);
    return found.map(({ start = 0, length = 0 }) => ({ path, from: start, to: start + length }));
  });
  const edits = new Edits();
  for (const misfit of misfits) {
    const file = known.files.get(misfit.path);
    if (file !== undefined) fit(file, { ...known, code, renamed, misfit, misfits, left, edits });
  }
  return new Map([...renamed].map(([path, text]) => [path, edits.applied(path, text)]));
}

interface Fitting extends Compiled {
  readonly code: Code;
  readonly renamed: Texts;
  readonly misfit: Misfit;
  readonly misfits: readonly Misfit[];
  readonly left: Set<string>;
  readonly edits: Edits;
}

/** Edits what stands in a place that does not compile. */
function fit(node: Node, fitting: Fitting): void {
  const { project, checker, misfit } = fitting;
  const { compiler } = project;
  const start = node.getStart();
  if (node.end <= misfit.from || start >= misfit.to) return;
  compiler.forEachChild(node, (child) => fit(child, fitting));
  const wanted = compiler.isExpression(node) ? wantedType(node, fitting) : undefined;
  if (wanted === undefined) return;
  if (compiler.isStringLiteralLike(node)) fitText(node, wanted, fitting);
  else if (start === misfit.from && node.end === misfit.to) {
    align(checker.getTypeAtLocation(node), wanted, { node, fitting, depth: 0 });
  }
}

/** A text that its type no longer takes, where that takes it with a new name. */
function fitText(node: Node & { readonly text: string }, wanted: Type, fitting: Fitting): void {
  const { checker, code, misfit, edits } = fitting;
  const isTaken = (text: string): boolean =>
    checker.isTypeAssignableTo(checker.getStringLiteralType(text), wanted);
  // What is written in another way than it reads is not a name.
  if (node.getText().slice(1, -1) !== node.text || isTaken(node.text)) return;
  const start = node.getStart() + 1;
  const ways = code.resources.map(({ paths }) =>
    new Edits(renamedInText(node.text, 0, paths)).applied("", node.text),
  );
  const text = [...ways, ...candidates(node.text, code.renames)].find(isTaken);
  if (text !== undefined) edits.add(misfit.path, { start, end: start + node.text.length, text });
}

/** The type that an expression should have; of `{ where }`, which has a type and a value, that of the property. */
function wantedType(node: Expression, { project, checker }: Compiled): Type | undefined {
  const { parent } = node;
  if (!project.compiler.isShorthandPropertyAssignment(parent)) {
    return checker.getContextualType(node);
  }
  const holder = checker.getContextualType(parent.parent);
  const property = holder && checker.getNonNullableType(holder).getProperty(parent.name.text);
  return property && checker.getTypeOfSymbolAtLocation(property, node);
}

/** As deep as objects of schemas stand in one another. */
const MOST_DEPTH = 10;

/** What two types are compared for. */
interface Comparison {
  readonly node: Node;
  readonly fitting: Fitting;
  readonly depth: number;
}

/** Renames properties that an object of the user's own has, and that the wanted type has under another name, nested ones too. */
function align(given: Type, wanted: Type, { node, fitting, depth }: Comparison): void {
  const { checker, code, project, renamed } = fitting;
  if (depth > MOST_DEPTH) return;
  const inner = { node, fitting, depth: depth + 1 };
  const target = checker.getNonNullableType(wanted);
  const [item, wantedItem] = [given, target].map((type) => type.getNumberIndexType());
  if (item !== undefined && wantedItem !== undefined) {
    align(item, wantedItem, inner);
    return;
  }
  for (const property of given.getProperties()) {
    const { name } = property;
    // What was spread has no value of its own.
    const declared = property.valueDeclaration ?? property.declarations?.[0];
    const names = [name, ...candidates(name, code.renames)];
    const to = names.find((one) => target.getProperty(one) !== undefined);
    const own = target.getProperty(to ?? "");
    if (own === undefined || to === undefined || declared === undefined) continue;
    if (!renamed.has(posix.relative(project.root, declared.getSourceFile().fileName))) continue;
    if (to !== name) renameAt(declared, { name, to }, fitting);
    const [type, wantedType] = [property, own].map((one) =>
      checker.getTypeOfSymbolAtLocation(one, node),
    );
    if (type && wantedType) align(type, wantedType, inner);
  }
}

/** Renames a property of an object that the user's own code makes, where nothing else uses the object. */
function renameAt(
  declared: Node,
  { name, to }: { readonly name: string; readonly to: string },
  fitting: Fitting,
): void {
  const { project, service, edits, left } = fitting;
  const { compiler, root } = project;
  const file = declared.getSourceFile();
  const path = posix.relative(root, file.fileName);
  const start = declared.getStart();
  if (!isForMisfits(declared, fitting)) {
    const { line } = file.getLineAndCharacterOfPosition(start);
    left.add(`${path}:${line + 1} has ${name} for something else as well.`);
    return;
  }
  // There, the same text is a variable as well, which keeps its name.
  if (compiler.isShorthandPropertyAssignment(declared)) {
    edits.add(path, { start, end: start, text: `${to}: ` });
    return;
  }
  for (const found of locations(service, file.fileName, { position: start, isMember: true })) {
    edits.add(posix.relative(root, found.fileName), editOf(found, to));
  }
}

/** Whether an object is only used where it does not fit, or by its properties. */
function isForMisfits(declared: Node, { project, service, misfits }: Fitting): boolean {
  const { compiler, root } = project;
  const isMisfit = (path: string, start: number): boolean =>
    misfits.some((one) => one.path === path && one.from <= start && start < one.to);
  const { fileName } = declared.getSourceFile();
  if (isMisfit(posix.relative(root, fileName), declared.getStart())) return true;
  const node = compiler.findAncestor(declared, (one) => {
    const isOutside = compiler.isStatement(one) || compiler.isFunctionLike(one);
    return isOutside ? "quit" : compiler.isVariableDeclaration(one);
  });
  if (node === undefined || !compiler.isVariableDeclaration(node)) return false;
  const used = service.findReferences(fileName, node.name.getStart()) ?? [];
  const places = used.flatMap(({ references }) => references);
  return places.every(({ fileName: at, textSpan: { start }, isDefinition }) => {
    if (isDefinition === true || isMisfit(posix.relative(root, at), start)) return true;
    const file = service.getProgram()?.getSourceFile(at);
    const parent = file && nodeAt(compiler, file, start).parent;
    return parent !== undefined && compiler.isPropertyAccessExpression(parent);
  });
}

function editOf({ textSpan: { start, length }, ...found }: RenameLocation, to: string): Edit {
  const text = `${found.prefixText ?? ""}${to}${found.suffixText ?? ""}`;
  return { start, end: start + length, text };
}

function locations(
  service: LanguageService,
  path: string,
  { position, isMember }: Pick<RenamedName, "position" | "isMember">,
): readonly RenameLocation[] {
  const preferences = { providePrefixAndSuffixTextForRename: isMember };
  return service.findRenameLocations(path, position, false, false, preferences) ?? [];
}

/** Edits of several files. */
class Edits {
  private readonly byPath = new Map<string, Map<number, Edit>>();

  constructor(edits: readonly Edit[] = []) {
    for (const edit of edits) this.add("", edit);
  }

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
