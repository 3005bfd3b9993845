import { parse } from "handlebars/dist/cjs/handlebars/compiler/base.js";
import { mistake, type Mistake } from "../diagnostics/diagnostic.js";
import type { Piece, TextPlace, ValuePath } from "./template-piece.js";

/** A template that was read, or what is wrong with it. */
export type ParsedTemplate =
  | { readonly ok: true; readonly pieces: readonly Piece[] }
  | { readonly ok: false; readonly mistake: Mistake; readonly place: TextPlace };

/** Reads a template of the project's own. Nothing is compiled: it has names, conditions, lists and partials, as ours have. */
export function parseTemplate(text: string): ParsedTemplate {
  try {
    return { ok: true, pieces: parse(text).body.map(pieceOf) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, mistake: error.mistake, place: error.place };
    if (!(error instanceof Error)) throw error;
    return { ok: false, mistake: mistake("SCH-264", { said: said(error) }), place: lineOf(error) };
  }
}

class Refusal extends Error {
  constructor(
    readonly mistake: Mistake,
    readonly place: TextPlace,
  ) {
    super(mistake.message);
  }
}

function pieceOf(node: hbs.AST.Statement): Piece {
  if (isContent(node)) return { kind: "text", text: node.value };
  if (node.type === "CommentStatement") return { kind: "text", text: "" };
  if (isValue(node)) return { kind: "value", path: pathOf(node.path, node) };
  if (isBlock(node)) return blockOf(node);
  if (isPartial(node)) return partialOf(node);
  throw refusal(node);
}

function blockOf(node: hbs.AST.BlockStatement): Piece {
  const [given, ...others] = node.params;
  const isPlain = others.length === 0 && node.hash === undefined;
  if (given === undefined || !isPlain) throw refusal(node);
  const path = pathOf(given, node);
  const body = bodyOf(node.program);
  const otherwise = bodyOf(node.inverse);
  switch (node.path.original) {
    case "if":
      return { kind: "if", path, then: body, otherwise };
    case "unless":
      return { kind: "if", path, then: otherwise, otherwise: body };
    case "each":
      return { kind: "each", path, body, otherwise };
    default:
      throw refusal(node);
  }
}

/** There is no `{{else}}` in most blocks, and nothing in some. */
function bodyOf(program: hbs.AST.Program | undefined): readonly Piece[] {
  return program?.body.map(pieceOf) ?? [];
}

function partialOf(node: hbs.AST.PartialStatement): Piece {
  const isPlain = node.params.length === 0 && node.hash === undefined;
  if (!isPlain || !isPath(node.name)) throw refusal(node);
  const { original } = node.name;
  return { kind: "partial", name: original, indent: node.indent, place: placeOf(node) };
}

function pathOf(expression: hbs.AST.Expression, holder: hbs.AST.Node): ValuePath {
  const isPlain = isPath(expression) && (!isValue(holder) || holder.params.length === 0);
  if (!isPlain) throw refusal(holder);
  const { depth, parts, data, original } = expression;
  return { depth, parts, isOfItem: data, original, place: placeOf(holder) };
}

function isContent(node: hbs.AST.Node): node is hbs.AST.ContentStatement {
  return node.type === "ContentStatement";
}

function isValue(node: hbs.AST.Node): node is hbs.AST.MustacheStatement {
  return node.type === "MustacheStatement";
}

function isBlock(node: hbs.AST.Node): node is hbs.AST.BlockStatement {
  return node.type === "BlockStatement";
}

function isPartial(node: hbs.AST.Node): node is hbs.AST.PartialStatement {
  return node.type === "PartialStatement";
}

function isPath(node: hbs.AST.Node): node is hbs.AST.PathExpression {
  return node.type === "PathExpression";
}

function refusal(node: hbs.AST.Node): Refusal {
  return new Refusal(mistake("SCH-265", {}), placeOf(node));
}

function placeOf({ loc }: hbs.AST.Node): TextPlace {
  return { line: loc.start.line, column: loc.start.column + 1 };
}

/** What the parser expects, without the drawing of the line. */
function said({ message }: Error): string {
  return message.split("\n").at(-1) ?? message;
}

/** The parser names the line in its text only. */
function lineOf({ message }: Error): TextPlace {
  const [, line = "1"] = /on line (\d+)/.exec(message) ?? [];
  return { line: Number(line), column: 1 };
}
