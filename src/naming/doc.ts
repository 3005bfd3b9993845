import type { TsCode } from "./encoders.js";
import { withoutMarks } from "./imported.js";

/** Columns of a line of emitted code; prettier's `printWidth`. */
export const WIDTH = 100;

/** The fewest columns that a text takes: marks on a letter take none. What is wider than that, prettier breaks. */
export function leastWidth(code: string): number {
  const text = withoutMarks(code);
  return isAscii(text) ? text.length : [...text.replace(/[\u0300-\u036f]/g, "")].length;
}

/** The most columns that a text takes: letters of East Asia and pictures take two. */
export function mostWidth(code: string): number {
  const text = withoutMarks(code);
  return isAscii(text) ? text.length : text.length + text.replace(/[\0-\x7f]/g, "").length;
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** The indentation of a line, and the text around the part that is laid out. */
export interface Surroundings {
  /** Spaces before the line. */
  readonly indent?: number;
  /** Printed before the part on the same line. */
  readonly before?: string;
  /** Printed after it: `;` or `,`. */
  readonly after?: string;
}

/** Code that knows where it may be broken: a text that stays as it is, a list in brackets, an arrow function, or a union. */
export type Doc = TsCode | Brackets | Arrow | Union;

/** A list between brackets: on one line if it fits, otherwise one item per line. */
export interface Brackets {
  readonly kind: "brackets";
  /** The text up to and including the opening bracket: `await find(`. */
  readonly open: string;
  readonly close: ")" | "]" | "}" | "})" | ">";
  readonly items: readonly Doc[];
  /** Always one item per line. */
  readonly isExpanded: boolean;
}

interface Union {
  readonly kind: "union";
  readonly members: readonly TsCode[];
}

interface Arrow {
  readonly kind: "arrow";
  readonly head: string;
  readonly body: Doc;
}

/** `name(a, b)` */
export function callDoc(name: TsCode, parameters: readonly Doc[]): Brackets {
  return { kind: "brackets", open: `${name}(`, close: ")", items: parameters, isExpanded: false };
}

/** `[a, b]` */
export function arrayDoc(items: readonly Doc[], isExpanded = false): Brackets {
  return { kind: "brackets", open: "[", close: "]", items, isExpanded };
}

/** `{ a: 1, b: 2 }` */
export function objectDoc(entries: readonly Doc[], isExpanded = false): Brackets {
  return { kind: "brackets", open: "{", close: "}", items: entries, isExpanded };
}

/** `({ a: 1, b: 2 })`, what an arrow function returns. */
export function returnedObjectDoc(entries: readonly Doc[]): Brackets {
  return { kind: "brackets", open: "({", close: "})", items: entries, isExpanded: false };
}

/** `Name<A, B>` */
export function genericDoc(name: TsCode, types: readonly Doc[]): Brackets {
  return { kind: "brackets", open: `${name}<`, close: ">", items: types, isExpanded: false };
}

/** `A | B`, as one of the types of a generic one; if that does not fit, each on a line of its own. */
export function unionDoc(members: readonly TsCode[]): Doc {
  return { kind: "union", members };
}

/** `(a) => b`; if that does not fit, `b` is on a line of its own. */
export function arrowDoc(head: TsCode, body: Doc): Doc {
  return { kind: "arrow", head, body };
}

/** A document with something before it: `name: `, `await `. */
export function prefixed(prefix: TsCode, doc: Doc): Doc {
  // Code after code is code.
  if (typeof doc === "string" || doc.kind === "union") return `${prefix}${flatText(doc)}` as TsCode;
  if (doc.kind === "arrow") return { ...doc, head: prefix + doc.head };
  return { ...doc, open: prefix + doc.open };
}

/** A document as prettier prints it. */
export function printed(
  doc: Doc,
  { indent = 0, before = "", after = "" }: Surroundings = {},
): TsCode {
  // Brackets, commas and white space around code are code.
  return print(doc, { indent, column: indent + leastWidth(before), after }) as TsCode;
}

/** A document on one line. */
export function flat(doc: Doc): TsCode {
  // As above.
  return flatText(doc) as TsCode;
}

/** Where a document begins: the indent of its line, the columns before it, and what follows on its last line. */
interface Position {
  readonly indent: number;
  readonly column: number;
  readonly after: string;
}

function print(doc: Doc, at: Position): string {
  if (typeof doc === "string") return doc;
  const text = flatText(doc);
  if (!text.includes("\n") && !isForced(doc) && fits(text + at.after, at)) return text;
  const indent = at.indent + 2;
  const padding = " ".repeat(indent);
  if (doc.kind === "union") {
    return doc.members.map((member) => `| ${member}`).join(`\n${" ".repeat(at.indent)}`);
  }
  if (doc.kind === "arrow") {
    return `${doc.head} =>\n${padding}${print(doc.body, { ...at, indent, column: indent })}`;
  }
  const hugging = huggedText(doc, at) ?? huggedArrow(doc, at);
  if (hugging !== null) return hugging;
  // The one list whose last item has no comma is that of types.
  const comma = doc.close === ">" ? "" : ",";
  const items = doc.items.map((item, index) => {
    const after = index < doc.items.length - 1 ? "," : comma;
    return print(item, { indent, column: indent, after });
  });
  return `${doc.open}\n${padding}${items.join(`,\n${padding}`)}${comma}\n${" ".repeat(at.indent)}${doc.close}`;
}

/** A call whose last argument is an object or an array opens it on its own line, where the others fit there. */
function huggedText({ open, close, items }: Brackets, at: Position): string | null {
  const last = items.at(-1);
  if (close !== ")" || !isLiteral(last) || last.items.length === 0) return null;
  const others = items.slice(0, -1);
  const beforeLast = others.at(-1);
  // Beside another one of its sort it would look like the only one that matters.
  if (isLiteral(beforeLast) && beforeLast.open === last.open) return null;
  if (others.some(isForced)) return null;
  const before = `${open}${others.map((other) => `${flatText(other)}, `).join("")}`;
  if (before.includes("\n") || !fits(`${before}${last.open}`, at)) return null;
  return `${before}${print({ ...last, isExpanded: true }, { ...at, after: "" })}${close}`;
}

/** A call of nothing but an arrow function has its head on its own line. */
function huggedArrow({ open, close, items }: Brackets, at: Position): string | null {
  const [arrow, second] = items;
  if (close !== ")" || second !== undefined || typeof arrow !== "object") return null;
  if (arrow.kind !== "arrow" || !fits(`${open}${arrow.head} =>`, at)) return null;
  const indent = at.indent + 2;
  const body = print(arrow.body, { indent, column: indent, after: "," });
  const padding = "\n" + " ".repeat(at.indent);
  return `${open}${arrow.head} =>${padding}  ${body},${padding}${close}`;
}

/** Whether it is an object or an array, with nothing before its bracket. */
function isLiteral(doc: Doc | undefined): doc is Brackets {
  return typeof doc === "object" && doc.kind === "brackets" && /^[{[]$/.test(doc.open);
}

function fits(text: string, { column }: Position): boolean {
  return column + leastWidth(text) <= WIDTH;
}

function isForced(doc: Doc): boolean {
  if (typeof doc === "string" || doc.kind === "union") return false;
  if (doc.kind === "arrow") return isForced(doc.body);
  return (doc.isExpanded && doc.items.length > 0) || doc.items.some(isForced);
}

function flatText(doc: Doc): string {
  if (typeof doc === "string") return doc;
  if (doc.kind === "union") return doc.members.join(" | ");
  if (doc.kind === "arrow") return `${doc.head} => ${flatText(doc.body)}`;
  const { open, close, items } = doc;
  const padding = close.startsWith("}") && items.length > 0 ? " " : "";
  return `${open}${padding}${items.map(flatText).join(", ")}${padding}${close}`;
}
