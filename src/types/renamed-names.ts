import { posix } from "node:path";
import type { Node, SourceFile } from "typescript";
import { constantName } from "../naming/constant-name.js";
import { upperFirst } from "../naming/resource-name.js";
import type { Compiler } from "./compiler.js";

/** A name that the YAML has changed, in lower camel case: `fax` is called `telefax` now. */
export interface Rename {
  readonly from: string;
  readonly to: string;
  /** The resource whose property it is; null: it is a resource, or its noun. */
  readonly of: RenamedResource | null;
}

/** A resource, as code names it. */
interface RenamedResource {
  /** Of now and of before. */
  readonly plurals: readonly string[];
  /** What its identifier was called: `orderId`; null: there was no such entity. */
  readonly identifier: string | null;
}

/** The properties of a resource: paths of before, by which those of now are found. */
export interface RenamedPaths {
  /** The plurals of now and of before. */
  readonly plurals: readonly string[];
  readonly paths: ReadonlyMap<string, string>;
}

/** Texts by path, relative to the project. */
export type Texts = ReadonlyMap<string, string>;

/** A declared name of generated code that is another one once it is generated anew. */
export interface RenamedName {
  readonly path: string;
  readonly name: string;
  /** Where the name stands in the text of before. */
  readonly position: number;
  readonly to: string;
  /** Of an interface or a class: `fax` of `OrderProperties`. */
  readonly isMember: boolean;
}

/** A resource as its YAML file has it, which has passed validation. */
interface ResourceYaml {
  readonly resource: string;
  readonly renamedFrom?: string;
  readonly properties?: PropertiesYaml;
}

type PropertiesYaml = Readonly<Record<string, string | PropertyYaml>>;

interface PropertyYaml {
  readonly renamedFrom?: string;
  readonly properties?: PropertiesYaml;
  readonly items?: PropertyYaml | string;
}

/** What a YAML file calls otherwise now: paths of before, and of now. */
export function renamedPaths(value: unknown): RenamedPaths {
  const { resource, renamedFrom = resource, properties = {} } = value as ResourceYaml;
  const paths = new Map<string, string>();
  const walk = (held: PropertiesYaml, [before, now]: readonly [string, string]): void => {
    for (const [name, given] of Object.entries(held)) {
      const yaml = typeof given === "string" ? {} : given;
      const [from, to] = [before + (yaml.renamedFrom ?? name), now + name];
      paths.set(from, to);
      const items = typeof yaml.items === "object" ? yaml.items.properties : undefined;
      walk(yaml.properties ?? items ?? {}, [`${from}.`, `${to}.`]);
    }
  };
  walk(properties, ["", ""]);
  return { plurals: [resource, renamedFrom], paths };
}

/** The names among them that are others, the resource's own and its noun's included, which only generated code tells. */
export function renamesOf(
  { plurals, paths }: RenamedPaths,
  { before, after }: { readonly before: Texts; readonly after: Texts },
): readonly Rename[] {
  const [to = "", from = ""] = plurals;
  const [noun, nounNow] = [nounOf(from, before), nounOf(to, after)];
  const isCalledOtherwise = from !== to && noun !== null && nounNow !== null;
  const own = from === to ? [] : [{ from, to, of: null }];
  const nouns = isCalledOtherwise ? [{ from: noun, to: nounNow, of: null }] : [];
  const of = { plurals, identifier: noun && `${noun}Id` };
  const lastOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1);
  const properties = [...paths].flatMap(([path, now]): readonly Rename[] => {
    const rename = { from: lastOf(path), to: lastOf(now), of };
    return rename.from === rename.to ? [] : [rename];
  });
  return [...own, ...nouns, ...properties];
}

/** `order` of `orders`; null: there is no such entity. */
function nounOf(plural: string, texts: Texts): string | null {
  const text = texts.get(`src/generated/entities/${plural}/${plural}.entity.ts`);
  const name = /^export interface (\w+) extends \1Properties\b/m.exec(text ?? "")?.[1];
  return name === undefined ? null : name.charAt(0).toLowerCase() + name.slice(1);
}

/** What a name, a path in quotation marks or a file may be called now: the same with some of its words renamed. */
export function candidates(name: string, renames: readonly Rename[]): readonly string[] {
  let found = [name];
  for (const { from, to } of renames) {
    const forms: readonly (readonly [RegExp, string])[] = [
      [new RegExp(`(?<![A-Za-z0-9_])${from}(?=[A-Z]|(?![A-Za-z0-9_]))`, "g"), to],
      [new RegExp(`(?<![A-Z])${upperFirst(from)}(?![a-z])`, "g"), upperFirst(to)],
      [
        new RegExp(`(?<![A-Z])${constantName(upperFirst(from))}(?![A-Z])`, "g"),
        constantName(upperFirst(to)),
      ],
    ];
    found = forms.reduce(
      (all, [form, word]) => [...new Set(all.flatMap((one) => replaced(one, form, word)))],
      found,
    );
  }
  return found.filter((one) => one !== name);
}

/** The text itself, with a word in place of each match alone, and of all of them: `buyer.customerId` of `customer.customerId`. */
function replaced(text: string, form: RegExp, word: string): readonly string[] {
  const alone = [...text.matchAll(form)].map(
    ({ 0: match, index }) => text.slice(0, index) + word + text.slice(index + match.length),
  );
  return [text, text.replace(form, word), ...alone];
}

/**
 * Names that are declared in the generated code of before, and under another one in that of now. A name counts as renamed only
 * where the old one is gone and the new one has come, in the same interface of the same file.
 */
export function renamedNames(
  compiler: Compiler,
  renames: readonly Rename[],
  { before, after }: { readonly before: Texts; readonly after: Texts },
): readonly RenamedName[] {
  return [...before].flatMap(([path, text]) => {
    const now = after.get(renamedPath(path, renames, after));
    if (now === undefined || now === text) return [];
    const was = declaredNames(compiler, text);
    const is = new Set(declaredNames(compiler, now).map(keyOf));
    const old = new Set(was.map(keyOf));
    const renamed = (holder: string, name: string, own: string): string | undefined =>
      candidates(
        name,
        renames.filter(({ of }) => isMeant(of, { path, holder: own, old })),
      ).find((one) => is.has(`${holder} ${one}`) && !old.has(`${holder} ${one}`));
    return was.flatMap((declared): RenamedName[] => {
      const { holder, name, position } = declared;
      const isTold = holder === "" || is.has(` ${holder}`);
      const own = isTold ? holder : (renamed("", holder, "") ?? holder);
      if (is.has(`${own} ${name}`)) return [];
      const to = renamed(own, name, holder);
      return to === undefined ? [] : [{ path, name, position, to, isMember: holder !== "" }];
    });
  });
}

/** Where a name is declared: in a file of a resource, or in what another one shows of it, beside its identifier. */
interface Declared {
  readonly path: string;
  readonly holder: string;
  readonly old: ReadonlySet<string>;
}

function isMeant(of: Rename["of"], { path, holder, old }: Declared): boolean {
  if (of === null || of.plurals.some((plural) => path.includes(`/${plural}/`))) return true;
  return of.identifier !== null && old.has(`${holder} ${of.identifier}`);
}

/** The path that a file has now. */
export function renamedPath(path: string, renames: readonly Rename[], after: Texts): string {
  if (after.has(path)) return path;
  return candidates(path, renames).find((one) => after.has(one)) ?? path;
}

/** A name that a file declares. */
export interface DeclaredName {
  /** The interface that it is a member of; "" for what the file itself declares. */
  readonly holder: string;
  readonly name: string;
  readonly position: number;
}

function keyOf({ holder, name }: DeclaredName): string {
  return `${holder} ${name}`;
}

/** The names that a text of code declares, in its order. */
export function declaredNames(compiler: Compiler, text: string): readonly DeclaredName[] {
  const file = compiler.createSourceFile("a.ts", text, compiler.ScriptTarget.Latest, true);
  return file.statements.flatMap((statement) => {
    if (compiler.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => declared("", name, file));
    }
    const isNamed =
      compiler.isInterfaceDeclaration(statement) ||
      compiler.isTypeAliasDeclaration(statement) ||
      compiler.isFunctionDeclaration(statement) ||
      compiler.isClassDeclaration(statement);
    if (!isNamed || statement.name === undefined) return [];
    const own = declared("", statement.name, file);
    if (!compiler.isInterfaceDeclaration(statement)) return [own];
    const members = statement.members.flatMap(({ name }) =>
      name === undefined ? [] : [declared(own.name, name, file)],
    );
    return [own, ...members];
  });
}

function declared(holder: string, node: Node, file: SourceFile): DeclaredName {
  const text = node.getText(file);
  const isQuoted = text.startsWith('"');
  const name = isQuoted ? text.slice(1, -1) : text;
  return { holder, name, position: node.getStart(file) + (isQuoted ? 1 : 0) };
}

/** A relative path as an import writes it. */
export function importPath(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to).replace(/\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}
