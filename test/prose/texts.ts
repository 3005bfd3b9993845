import { extname } from "node:path";
import { ts } from "ts-morph";

/** A text that people read, on one line as a linter takes it, and the line of the file where it begins. */
export interface Text {
  readonly line: number;
  readonly text: string;
}

/** Four words in a row: identifiers, SQL and CSS do not have them. */
const PROSE = /(?<![\w.])(?:[A-Za-z][a-z']*[,;:]? ){3}[a-z]+/;
/** TypeScript whose comments are read as its literals are: the runtime and what services contain. */
const COMMENTED = /\.hbs$|^src\/runtime\//;
const CODE = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH|import|export|const|:root) /;

/** Lists the texts of a file by its kind: comments everywhere, literals in TypeScript, descriptions in YAML. */
export function textsOf(path: string, source: string): Text[] {
  const kind = extname(path.replace(/\.hbs$/, ""));
  const plain = path.endsWith(".hbs") ? withoutHandlebars(source) : source;
  if (kind !== ".ts") return prose([...hashComments(plain), ...descriptions(plain)]);
  return prose([...(COMMENTED.test(path) ? comments(plain) : []), ...literals(plain)]);
}

/** Replaces what handlebars would: values by a letter, blocks by nothing; lines keep their numbers. */
export function withoutHandlebars(source: string): string {
  return source.replace(/\{\{[#/>!~]?.*?\}\}/g, (tag) => (/^\{\{[#/>!]/.test(tag) ? "" : "x"));
}

/** Puts each paragraph of Markdown on its first line, because a line ends a sentence for the linter. */
export function unwrapped(source: string): string {
  const fences = source.split(/(^[ \t]*```[\s\S]*?^[ \t]*```)/m);
  return fences
    .map((part, index) => (index % 2 === 1 ? part : part.replace(WRAPPED, joined)))
    .join("");
}

/** Lines of one paragraph: neither headings nor rows of tables, and only the first may begin an item. */
const WRAPPED = /^(?![ \t]*[#|>]).+(?:\n(?![ \t]*(?:[#|>]|[-*] |\d+\. )).*\S.*)+/gm;

function joined(paragraph: string): string {
  const lines = paragraph.split("\n");
  return lines.join(" ") + "\n".repeat(lines.length - 1);
}

function prose(texts: readonly Text[]): Text[] {
  return texts
    .map(({ line, text }) => ({ line, text: text.replace(/\s+/g, " ").trim() }))
    .filter(({ text }) => PROSE.test(text) && !CODE.test(text));
}

/** The literals of TypeScript; parts joined by `+` are one text, and a placeholder is a letter. */
function literals(source: string): Text[] {
  const file = ts.createSourceFile("a.ts", source, ts.ScriptTarget.Latest);
  const texts: Text[] = [];
  const visit = (node: ts.Node): void => {
    const text = literalText(node);
    if (text === null) return ts.forEachChild(node, visit);
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    texts.push(...paragraphs(line + 1, text));
    placeholders(node).forEach(visit);
  };
  visit(file);
  return texts;
}

function literalText(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join("");
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) {
    return null;
  }
  const sides = [literalText(node.left), literalText(node.right)];
  return sides.every((side) => side === null) ? null : sides.map((side) => side ?? "x").join("");
}

function placeholders(node: ts.Node): ts.Node[] {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  if (ts.isStringLiteralLike(node)) return [];
  if (ts.isBinaryExpression(node)) return [node.left, node.right].flatMap(placeholders);
  return [node];
}

/** The comments of TypeScript; `//` on lines that follow each other are one text. */
function comments(source: string): Text[] {
  const found = source.matchAll(/\/\*\*?([\s\S]*?)\*\/|(?:^[ \t]*\/\/.*\n?)+|(?<=[;{},] )\/\/.*/gm);
  return [...found].flatMap(({ 0: whole, 1: block, index }) => {
    const text = (block ?? whole).replace(/^[ \t]*(?:\*|\/\/) ?/gm, "");
    return paragraphs(lineAt(source, index), text.replace(/^@\w+ /gm, "\n\n"));
  });
}

/** Comments that begin with `#`; lines that follow each other are one text. */
function hashComments(source: string): Text[] {
  const found = source.matchAll(/(?:^[ \t]*#(?!!).*\n?)+|(?<=\S +)#(?: .*)/gm);
  return [...found].flatMap(({ 0: whole, index }) =>
    paragraphs(lineAt(source, index), whole.replace(/^[ \t]*# ?/gm, "")),
  );
}

function descriptions(source: string): Text[] {
  const found = source.matchAll(/^.*\bdescription: (.*)$/gm);
  return [...found].map(({ 1: text = "", index }) => ({ line: lineAt(source, index), text }));
}

function paragraphs(line: number, text: string): Text[] {
  let at = line;
  return text.split(/(?<=\n[ \t]*\n)/).map((paragraph) => {
    const begin = at;
    at += paragraph.split("\n").length - 1;
    return { line: begin, text: paragraph };
  });
}

function lineAt(source: string, index: number): number {
  return source.slice(0, index).split("\n").length;
}
