import ts from "typescript";

/**
 * The syntax tree of a file as text: which node stands where, with every name, and without what literals say.
 * Comments are no part of a tree. Throws for a text that does not parse.
 */
export function maskedSyntax(path: string, text: string): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName: path,
    reportDiagnostics: true,
  });
  for (const { messageText } of diagnostics) {
    throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
  }
  return [...directives(file), print(file)].join("\n");
}

/** What a comment can tell a compiler: no schema may. */
function directives(file: ts.SourceFile): string[] {
  let outside = file.text;
  const blank = (node: ts.Node): void => {
    if (isLiteralPart(node)) {
      const [start, end] = [node.getStart(file), node.getEnd()];
      outside = outside.slice(0, start) + "_".repeat(end - start) + outside.slice(end);
    }
    node.forEachChild(blank);
  };
  blank(file);
  const pragmas =
    /@ts-(?:nocheck|ignore|expect-error|check)|^\/\/\/ *<|[#@] ?source(?:Mapping)?URL=/gm;
  return [...outside.matchAll(pragmas)].map(([pragma]) => `directive ${pragma}`);
}

function isLiteralPart(node: ts.Node): boolean {
  return (
    ts.isLiteralExpression(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isTemplateHead(node)
  );
}

function print(node: ts.Node): string {
  // A pattern is a literal between slashes or the argument of a constructor, whichever is shorter.
  if (ts.isRegularExpressionLiteral(node) || isPattern(node)) return "Pattern";
  if (ts.isStringLiteralLike(node)) return "Text";
  if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node))
    return `${ts.SyntaxKind[node.kind]}:${node.text}`;
  if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node))
    return "TextPart";
  const parts: string[] = [];
  node.forEachChild((child) => void parts.push(print(child)));
  return `${ts.SyntaxKind[node.kind]}(${parts.join(",")})`;
}

function isPattern(node: ts.Node): boolean {
  return ts.isNewExpression(node) && node.expression.getText() === "RegExp";
}
