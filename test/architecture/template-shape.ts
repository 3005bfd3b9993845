import Handlebars from "handlebars";

const MOST_LINES = 120;
const DEEPEST = 2;

/** What is wrong with a template's shape, a sentence each. */
export function shapeFindings(path: string, text: string): string[] {
  const lines = text.split("\n");
  const size = lines.length - 1;
  return [
    ...(size > MOST_LINES ? [`${size} lines, at most ${MOST_LINES}`] : []),
    ...lines.flatMap(lineFindings),
    ...lines.flatMap((line, index) => edgeFindings(line, lines[index - 1] ?? "", index)),
    ...programFindings(Handlebars.parseWithoutProcessing(text), 0),
  ].map((finding) => `${path}: ${finding}`);
}

/** Block tags stand alone on their line, from its start: what is printed is what is indented. */
function lineFindings(line: string, index: number): string[] {
  const tags = line.match(/\{\{[#/^!~][^}]*\}\}|\{\{else\}\}/g) ?? [];
  const alone = tags.every((tag) => line === tag);
  return alone ? [] : [`line ${index + 1}: a block tag stands alone on its line`];
}

/** A block can begin with the blank line before it, and never ends with one (docs/decisions/emitted-code.md). */
function edgeFindings(line: string, before: string, index: number): string[] {
  const dangling = line.startsWith("{{/") && before.trim() === "";
  return dangling ? [`line ${index + 1}: a blank line ends a block`] : [];
}

function programFindings({ body }: hbs.AST.Program, depth: number): string[] {
  return body.flatMap((statement) => statementFindings(statement, depth));
}

function statementFindings(statement: hbs.AST.Statement, depth: number): string[] {
  const at = `line ${statement.loc.start.line}`;
  if (isBlock(statement)) {
    return [
      ...(isPlainBlock(statement) ? [] : [`${at}: only {{#if flag}} and {{#each list}}`]),
      ...(depth === DEEPEST ? [`${at}: nested deeper than ${DEEPEST}`] : []),
      ...programFindings(statement.program, depth + 1),
    ];
  }
  if (isMustache(statement)) {
    return isPlain(statement) && isName(statement.path) && statement.escaped
      ? []
      : [`${at}: only {{name}} and {{../name}}`];
  }
  if (statement.type === "ContentStatement") return [];
  return isPlainPartial(statement) ? [] : [`${at}: no ${statement.type}`];
}

function isPlainBlock(block: hbs.AST.BlockStatement): boolean {
  const helper = block.path.type === "PathExpression" ? block.path.original : "";
  const [list] = block.params;
  return (
    (helper === "if" || helper === "each") &&
    block.params.length === 1 &&
    list !== undefined &&
    isName(list) &&
    // The parser leaves it out, whatever its type says.
    !block.inverse &&
    (block.hash as hbs.AST.Hash | undefined) === undefined
  );
}

function isPlainPartial(statement: hbs.AST.Statement): boolean {
  return statement.type === "PartialStatement" && isPlain(statement as hbs.AST.PartialStatement);
}

function isPlain({ params, hash }: hbs.AST.MustacheStatement | hbs.AST.PartialStatement): boolean {
  return params.length === 0 && (hash as hbs.AST.Hash | undefined) === undefined;
}

/** `name` or `../name`: one step, no `this`, no `@last`. */
function isName(expression: hbs.AST.Expression): boolean {
  if (expression.type !== "PathExpression") return false;
  const { parts, data, original } = expression as hbs.AST.PathExpression;
  return !data && parts.length === 1 && /^(?:\.\.\/)*[a-z][A-Za-z]*$/.test(original);
}

function isBlock(statement: hbs.AST.Statement): statement is hbs.AST.BlockStatement {
  return statement.type === "BlockStatement";
}

function isMustache(statement: hbs.AST.Statement): statement is hbs.AST.MustacheStatement {
  return statement.type === "MustacheStatement";
}
