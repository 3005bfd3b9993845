import { expect, test } from "vitest";
import { Node, SyntaxKind, type CallExpression, type SourceFile } from "ts-morph";
import { MESSAGES } from "../../src/diagnostics/messages.js";
import { parsed, pathOf, sample } from "./source-tree.js";

/** Arguments of these names are sentences, which belong into the message: one code, one mistake. */
const PROSE =
  /^(?:cause|clause|explanation|feature|found|message|phrase|problem|prose|reason|sentence|words?)$/;

/** More words than this are a sentence, and not the name of a thing. */
const WORDS = 6;

/** What makes a diagnostic, and which argument of it the message's arguments are. */
const MAKERS: Readonly<Record<string, number>> = { add: 2, diagnostic: 2, mistake: 1 };

/** The messages that take a sentence, or have none of their own around what they are given. */
function proseOfMessages(file: SourceFile): string[] {
  return file.getDescendantsOfKind(SyntaxKind.ArrowFunction).flatMap((message) => {
    const code = message.getParentOrThrow().getFirstChild()?.getText() ?? "";
    if (!/^"[A-Z]{3}-\d+"$/.test(code)) return [];
    const names = message
      .getParameters()
      .flatMap((parameter) => [
        ...parameter.getDescendantsOfKind(SyntaxKind.PropertySignature).map((one) => one.getName()),
        ...parameter.getDescendantsOfKind(SyntaxKind.BindingElement).map((one) => one.getName()),
      ]);
    const prose = [...new Set(names)].filter((name) => PROSE.test(name));
    const own = wordsOf(message.getBody());
    return [
      ...prose.map((name) => `${code} takes ${name}`),
      ...(own < 2 ? [`${code} says nothing itself`] : []),
    ];
  });
}

/** The calls that hand a sentence to a message. */
function proseOfCalls(file: SourceFile): string[] {
  return file.getDescendantsOfKind(SyntaxKind.CallExpression).flatMap((call) => {
    const given = givenTo(call);
    if (given === null) return [];
    return textsIn(given)
      .filter((text) => wordsOf(text) > WORDS)
      .map((text) => `${pathOf(file)}:${text.getStartLineNumber()} ${text.getText()}`);
  });
}

/** The arguments of the message that a call makes: a literal, or the constant that is handed on. */
function givenTo(call: CallExpression): Node | null {
  const callee = call.getExpression();
  const name = Node.isPropertyAccessExpression(callee) ? callee.getName() : callee.getText();
  const position = MAKERS[name];
  const isCode = /^"[A-Z]{3}-\d+"$/.test(call.getArguments()[0]?.getText() ?? "");
  const given = position === undefined || !isCode ? undefined : call.getArguments()[position];
  if (given === undefined) return null;
  return Node.isIdentifier(given) ? declared(given.getText(), call) : given;
}

/** What a constant of an enclosing block is set to. */
function declared(name: string, from: Node): Node | null {
  for (const block of from.getAncestors()) {
    if (!Node.isBlock(block)) continue;
    const initializer = block.getVariableDeclaration(name)?.getInitializer();
    if (initializer !== undefined) return initializer;
  }
  return null;
}

/** The texts in an expression, and in the constants that it names. */
function textsIn(given: Node): Node[] {
  const named = given
    .getDescendantsOfKind(SyntaxKind.ShorthandPropertyAssignment)
    .flatMap((one) => declared(one.getName(), given) ?? []);
  return [given, ...named].flatMap((node) =>
    [node, ...node.getDescendants()].filter(
      (one) =>
        Node.isStringLiteral(one) ||
        Node.isNoSubstitutionTemplateLiteral(one) ||
        Node.isTemplateExpression(one),
    ),
  );
}

function wordsOf(node: Node): number {
  return plain(node).match(/[A-Za-z]{2,}/g)?.length ?? 0;
}

/** A text without its quotes, and without what is put into it. */
function plain(node: Node): string {
  return node
    .getText()
    .replace(/\$\{[^{}]*\}/g, "")
    .replace(/^["`']|["`']$/g, "");
}

test("no message takes a sentence: one code, one mistake", () => {
  const files = parsed(["src/diagnostics/messages"]);
  expect(files.flatMap(proseOfMessages)).toEqual([]);
  const codes = files.flatMap((file) => file.getFullText().match(/^ {2}"[A-Z]{3}-\d+"/gm) ?? []);
  expect(codes.length).toBe(Object.keys(MESSAGES).length);
});

test("no call hands a sentence to a message", () => {
  expect(parsed(["src"]).flatMap(proseOfCalls)).toEqual([]);
});

test("sentences are noticed", () => {
  const messages = sample(
    "src/diagnostics/messages/sample.ts",
    'export const A = { "SCH-1": ({ problem }: { problem: string }) => `This is wrong: ${problem}.`,\n' +
      '"SCH-2": ({ path, value }: { path: string; value: string }) => `${path} ${value}.` };',
  );
  expect(proseOfMessages(messages)).toEqual([
    '"SCH-1" takes problem',
    '"SCH-2" says nothing itself',
  ]);
  const calls = sample(
    "src/validate/sample.ts",
    'function a() { const value = "it is required and leads back to where it begins";\n' +
      'findings.add("SCH-1", at, { value }, {});\n' +
      'const given = { value: "nobody tells this service of the deletion" };\n' +
      'return [mistake("SCH-1", given), diagnostic("SCH-1", at, { key: "a text" })]; }',
  );
  expect(proseOfCalls(calls).length).toBe(2);
});
