import { posix } from "node:path";
import type { Node, SourceFile } from "typescript";
import { constantName } from "../naming/constant-name.js";
import { upperFirst } from "../naming/resource-name.js";
import type { Compiler } from "./compiler.js";

/** A name that the YAML has changed, in lower camel case: `fax` is called `telefax` now. */
export interface Rename {
  readonly from: string;
  readonly to: string;
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

/** Every `renamedFrom` in the value of a YAML file, which has passed validation; `name` is the key that the value stands under. */
export function renamesIn(value: unknown, name = ""): readonly Rename[] {
  if (typeof value !== "object" || value === null) return [];
  const { renamedFrom: from, resource } = value as Readonly<Record<string, unknown>>;
  const to = typeof resource === "string" ? resource : name;
  const nested = Object.entries(value).flatMap(([key, inner]) => renamesIn(inner, key));
  return typeof from === "string" ? [{ from, to }, ...nested] : nested;
}

/** With the nouns of renamed resources, which only the generated code of before and of now tells: `ticket` and `case`. */
export function withNouns(renames: readonly Rename[], before: Texts, after: Texts): Rename[] {
  return renames.flatMap((rename) => {
    const [from, to] = [nounOf(rename.from, before), nounOf(rename.to, after)];
    return from === null || to === null ? [rename] : [rename, { from, to }];
  });
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
    const renamed = (holder: string, name: string): string | undefined =>
      candidates(name, renames).find(
        (one) => is.has(`${holder} ${one}`) && !old.has(`${holder} ${one}`),
      );
    return was.flatMap((declared): RenamedName[] => {
      const { holder, name, position } = declared;
      const isTold = holder === "" || is.has(` ${holder}`);
      const own = isTold ? holder : (renamed("", holder) ?? holder);
      if (is.has(`${own} ${name}`)) return [];
      const to = renamed(own, name);
      return to === undefined ? [] : [{ path, name, position, to, isMember: holder !== "" }];
    });
  });
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
