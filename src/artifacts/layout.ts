import { joined, ts, word } from "../naming/code.js";
import { literal, type TsCode } from "../naming/encoders.js";

/** Columns of a line of emitted code; prettier's `printWidth`. */
export const WIDTH = 100;

/** The fewest columns that a text takes: marks on a letter take none. What is wider than that, prettier breaks. */
function leastWidth(text: string): number {
  return isAscii(text) ? text.length : [...text.replace(/[\u0300-\u036f]/g, "")].length;
}

/** The most columns that a text takes: letters of East Asia and pictures take two. */
export function mostWidth(text: string): number {
  return isAscii(text) ? text.length : text.length + text.replace(/[\0-\x7f]/g, "").length;
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** How far in a line starts, and what stands around the part that is laid out. */
export interface Surroundings {
  /** Spaces before the line. */
  readonly indent?: number;
  /** Printed before the part on the same line. */
  readonly before?: string;
  /** Printed after it: `;` or `,`. */
  readonly after?: string;
}

/** `[a, b]` as prettier prints it: on one line where that fits, else an item a line; `expanded` in any case. */
export function arrayCode(
  items: readonly TsCode[],
  around: Surroundings & { readonly expanded?: boolean } = {},
): TsCode {
  return bracketed(["[", "]"], items, around);
}

/** `{ a: 1, b: 2 }`, likewise; `expanded` puts an entry a line in any case. */
export function objectCode(
  entries: readonly TsCode[],
  around: Surroundings & { readonly expanded?: boolean } = {},
): TsCode {
  return bracketed(["{", "}"], entries, around);
}

/** `name(a, b)`, likewise. */
export function callCode(
  name: TsCode,
  parameters: readonly TsCode[],
  around: Surroundings,
): TsCode {
  return bracketed([`${name}(`, ")"], parameters, around);
}

/** `function name(a: A, b: B): C {`, likewise. */
export function signatureCode(
  head: TsCode,
  parameters: readonly TsCode[],
  returns: TsCode,
): TsCode {
  const tail = ts`: ${returns} {`;
  return ts`${callCode(head, parameters, { after: tail })}${tail}`;
}

function bracketed(
  [open, close]: readonly [string, string],
  items: readonly TsCode[],
  { indent = 0, before = "", after = "", expanded = false }: Surroundings & { expanded?: boolean },
): TsCode {
  const padding = open === "{" && items.length > 0 ? " " : "";
  const flat = `${open}${padding}${items.join(", ")}${padding}${close}`;
  const fits = indent + leastWidth(before + flat + after) <= WIDTH;
  const broken = flat.includes("\n") || (expanded && items.length > 0);
  // Brackets and white space around code are code.
  if (fits && !broken) return flat as TsCode;
  const lines = items.map((item) => `${" ".repeat(indent + 2)}${item},`);
  return [open, ...lines, " ".repeat(indent) + close].join("\n") as TsCode;
}

/** What a file imports from one module. */
export interface Import {
  readonly from: string;
  /** Values and types; a type is written `type Name`, another name here `name as other`. */
  readonly names: readonly string[];
}

/**
 * Import statements in the order given, one for each module; a module of types alone is imported as such; empty ones
 * are left out.
 */
export function importCode(imports: readonly Import[]): TsCode {
  const modules = new Map<string, string[]>();
  for (const { from, names } of imports) {
    if (names.length > 0) modules.set(from, [...(modules.get(from) ?? []), ...names]);
  }
  const statements = [...modules].map(([from, names]) => importStatement({ from, names }));
  // Statements of code, a line each, are code.
  return statements.join("\n") as TsCode;
}

function importStatement({ from, names }: Import): TsCode {
  const parsed = [...new Set(names)].map(importedName).sort((a, b) => (a.name < b.name ? -1 : 1));
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
