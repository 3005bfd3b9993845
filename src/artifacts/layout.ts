import { joined, ts, word } from "../naming/code.js";
import {
  arrayDoc,
  callDoc,
  mostWidth,
  objectDoc,
  printed,
  WIDTH,
  type Doc,
  type Surroundings,
} from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";

/** What `arrayCode` and its like take beside their surroundings. */
export type Expandable = Surroundings & { readonly expanded?: boolean };

/** `[a, b]` as prettier prints it: on one line where that fits, else an item a line; `expanded` in any case. */
export function arrayCode(items: readonly Doc[], around: Expandable = {}): TsCode {
  return printed(arrayDoc(items, around.expanded), around);
}

/** `{ a: 1, b: 2 }`, likewise; `expanded` puts an entry a line in any case. */
export function objectCode(entries: readonly Doc[], around: Expandable = {}): TsCode {
  return printed(objectDoc(entries, around.expanded), around);
}

/** `name(a, b)`, likewise. */
export function callCode(name: TsCode, parameters: readonly Doc[], around: Surroundings): TsCode {
  return printed(callDoc(name, parameters), around);
}

/** `function name(a: A, b: B): C {`, likewise. */
export function signatureCode(
  head: TsCode,
  parameters: readonly TsCode[],
  returns: TsCode,
  { indent = 0 }: Pick<Surroundings, "indent"> = {},
): TsCode {
  const tail = ts`: ${returns} {`;
  return ts`${callCode(head, parameters, { indent, after: tail })}${tail}`;
}

/** `export type Name = Other<One>;`; where that does not fit, what is named stands on a line of its own. */
export function typeAliasCode(name: TsCode, type: TsCode): TsCode {
  const flat = ts`export type ${name} = ${type};`;
  return mostWidth(flat) <= WIDTH ? flat : ts`export type ${name} =\n  ${type};`;
}

/** The clauses of a statement, on one line where that fits, else each on a line of its own, further in. */
export function clausesText(clauses: readonly string[], around: Surroundings): string {
  const { indent = 0, before = "", after = "" } = around;
  const flat = clauses.join(" ");
  if (indent + mostWidth(before + flat + after) <= WIDTH) return flat;
  return clauses.join(`\n${" ".repeat(indent + 2)}`);
}

/** What a file imports from one module. */
export interface Import {
  readonly from: string;
  /** Values and types; a type is written `type Name`, another name here `name as other`. */
  readonly names: readonly string[];
}

/** Names that are imported on a condition. */
export function when(condition: boolean, ...names: string[]): string[] {
  return condition ? names : [];
}

/**
 * Import statements sorted by module, one for each; a module of types alone is imported as such; empty ones are left
 * out.
 */
export function importCode(imports: readonly Import[]): TsCode {
  const modules = new Map<string, string[]>();
  for (const { from, names } of imports) {
    if (names.length > 0) modules.set(from, [...(modules.get(from) ?? []), ...names]);
  }
  // Packages come first, as "@" would not.
  const place = (from: string): string => (from.startsWith(".") ? from : ` ${from}`);
  const sorted = [...modules].sort(([a], [b]) => (place(a) < place(b) ? -1 : 1));
  const statements = sorted.map(([from, names]) => importStatement({ from, names }));
  // Statements of code, a line each, are code.
  return statements.join("\n") as TsCode;
}

function importStatement({ from, names }: Import): TsCode {
  // What is imported as a value is its type as well.
  const isValue = (name: string): boolean => names.includes(name.replace(/^type /, ""));
  const once = [...new Set(names)].filter((name) => !name.startsWith("type ") || !isValue(name));
  const parsed = once.map(importedName).sort((a, b) => (a.name < b.name ? -1 : 1));
  const typesOnly = parsed.every(({ isType }) => isType);
  const head = typesOnly ? ts`import type ` : ts`import `;
  const tail = ts` from ${literal(from)};`;
  const printed = parsed.map(({ code, isType }) =>
    isType && !typesOnly ? ts`type ${code}` : code,
  );
  // prettier leaves a single name on the line of its module, however long that is.
  const list = objectCode(printed, { before: head, after: tail });
  return ts`${head}${parsed.length === 1 ? ts`{ ${joined(printed, "")} }` : list}${tail}`;
}

function importedName(text: string): { name: string; code: TsCode; isType: boolean } {
  const isType = text.startsWith("type ");
  const [name = "", alias] = text.replace(/^type /, "").split(" as ");
  const code = alias === undefined ? word(name) : ts`${word(name)} as ${word(alias)}`;
  return { name, code, isType };
}
