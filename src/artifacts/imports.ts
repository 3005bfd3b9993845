import { joined, ts, word } from "../naming/code.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { objectCode } from "./layout.js";

/** What a module exports that a file may use; what it does not use is not imported. */
export interface Exports {
  /** The path of the file in the service, or what a package's module is imported by. */
  readonly from: string;
  /** Values; a function that is called `name()`, a type `type Name`, a class `class Name`, another name in the file `name as other`. */
  readonly names: readonly string[];
}

/** A name of a file that another module exports. */
export interface Known {
  readonly from: string;
  readonly kind: "value" | "function" | "type" | "class";
  /** What it is called there. */
  readonly exported: string;
}

const NAME = /^(?:(type|class) )?([\w$]+)(\(\))?(?: as ([\w$]+))?$/;
/** What is read as one: patterns, comments, texts, templates, and names that no dot stands before. */
const TOKENS =
  /(?<=[:(,] )\/(?![/*])(?:[^/\\\n]|\\.)+\/|\/\/.*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|(?<![\w$]|(?<!\.\.)\.)[A-Za-z_$][\w$]*/g;
/** Code inside of a template. */
const INSIDE = /\$\{([^}]*)\}/g;
/** What stands after the name of a member or of a parameter. */
const NAMED = /\??:/y;
/** What stands after the name of a parameter of an arrow function, or of a method that is declared. */
const DECLARED = /(?:, [\w$]+)*\)? =>|\(\s*(?:[\w$]+\??: |\): )/y;
/** What stands before a name that the file declares, and before a class that is more than a type there. */
const DECLARING = /\b(?:class|const|function|interface|type) $/;
const CONSTRUCTING = /\b(?:new|extends) $/;
/** The longest of those words, with the spaces around it. */
const LONGEST = " interface ".length;

/** The names that modules export; the first that exports a name has it. */
export function namesOf(modules: readonly Exports[]): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const { from, names } of modules) {
    for (const written of names) {
      const [, word, exported = "", call, name = exported] = NAME.exec(written) ?? [];
      const kind = (word ?? (call === undefined ? "value" : "function")) as Known["kind"];
      if (!known.has(name)) known.set(name, { from, kind, exported });
    }
  }
  return known;
}

/** The text of a file with the import statements that it needs after its first comment: of its own modules first, then of those that any file may use. */
export function withImports(
  path: string,
  text: string,
  [own, common]: readonly [readonly Exports[], ReadonlyMap<string, Known>],
): string {
  const known = namesOf(own.filter(({ from }) => from !== path));
  const statements = importCode(
    path,
    usedNames(text, (name) => known.get(name) ?? common.get(name)),
  );
  const end = text.indexOf("\n\n");
  return statements === "" ? text : `${text.slice(0, end)}\n\n${statements}${text.slice(end)}`;
}

/** The names of other modules that a text uses, each with whether it is used as a type alone. */
function usedNames(text: string, known: (name: string) => Known | undefined): Map<string, Used> {
  const used = new Map<string, Used>();
  const declared = new Set<string>();
  eachToken(text, (name, code, start) => {
    const found = known(name);
    if (found === undefined) return;
    const before = code.slice(Math.max(0, start - LONGEST), start);
    if (DECLARING.test(before)) declared.add(name);
    else if (!isOther(found, code, start + name.length)) {
      const isValue = found.kind === "class" ? CONSTRUCTING.test(before) : found.kind !== "type";
      used.set(name, { ...found, isType: !isValue && used.get(name)?.isType !== false });
    }
  });
  for (const name of declared) used.delete(name);
  return used;
}

/** Tells of each token where it starts: in the file, or in the code inside of a template. */
function eachToken(code: string, tell: (token: string, code: string, start: number) => void): void {
  for (const { 0: token, index } of code.matchAll(TOKENS)) {
    tell(token, code, index);
    const inner = token.startsWith("`") ? token.matchAll(INSIDE) : [];
    for (const [, part = ""] of inner) eachToken(part, tell);
  }
}

/** Whether a name that ends there is that of a member, a parameter or a variable, and not the one that is known. */
function isOther({ kind }: Known, code: string, end: number): boolean {
  NAMED.lastIndex = end;
  DECLARED.lastIndex = end;
  const isCalled = code[end] === "(" || code[end] === "<";
  if (NAMED.test(code) || (kind === "function" && !isCalled)) return true;
  return (kind === "value" || kind === "function") && DECLARED.test(code);
}

interface Used extends Known {
  readonly isType: boolean;
}

/** Statements sorted by module, packages first; a module of types alone is imported as such. */
function importCode(path: string, used: ReadonlyMap<string, Used>): TsCode {
  const modules = new Map<string, [name: string, used: Used][]>();
  for (const one of used) {
    const from = specifier(path, one[1].from);
    modules.set(from, [...(modules.get(from) ?? []), one]);
  }
  const place = (from: string): string => (from.startsWith(".") ? from : ` ${from}`);
  const sorted = [...modules].sort(([a], [b]) => (place(a) < place(b) ? -1 : 1));
  return joined(
    sorted.map(([from, names]) => importStatement(from, names)),
    "\n",
  );
}

/** `./orders.dto.js` */
function specifier(path: string, from: string): string {
  if (from.startsWith("@")) return from;
  const [own, other] = [path.split("/"), from.replace(/\.ts$/, ".js").split("/")];
  const shared = own.findIndex((part, index) => part !== other[index]);
  const above = own.length - shared - 1;
  return (above === 0 ? "./" : "../".repeat(above)) + other.slice(shared).join("/");
}

function importStatement(from: string, names: readonly (readonly [string, Used])[]): TsCode {
  const typesOnly = names.every(([, { isType }]) => isType);
  const head = typesOnly ? ts`import type ` : ts`import `;
  const tail = ts` from ${literal(from)};`;
  const printed = [...names]
    .sort(([, a], [, b]) => (a.exported < b.exported ? -1 : 1))
    .map(([name, { exported, isType }]) => {
      const code = name === exported ? word(name) : ts`${word(exported)} as ${word(name)}`;
      return isType && !typesOnly ? ts`type ${code}` : code;
    });
  // prettier leaves a single name on the line of its module, however long that is.
  const list = objectCode(printed, { before: head, after: tail });
  return ts`${head}${printed.length === 1 ? ts`{ ${joined(printed, "")} }` : list}${tail}`;
}
