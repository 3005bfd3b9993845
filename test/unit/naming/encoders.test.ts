import { readFileSync } from "node:fs";
import fc from "fast-check";
import prettier from "prettier";
import ts from "typescript";
import { expect, test } from "vitest";
import { doc } from "../../../src/naming/doc-comment.js";
import { key, literal, regex, sqlName, sqlText } from "../../../src/naming/encoders.js";

/** Texts that have become code somewhere, and random ones made of their parts. */
const PAYLOADS = (
  JSON.parse(readFileSync("fixtures/hostile/payloads.json", "utf8")) as {
    readonly code_payloads: readonly { readonly text: string }[];
  }
).code_payloads.map(({ text }) => text);

const PARTS = [
  "*/",
  "/*",
  "//",
  "`",
  "${",
  "'",
  '"',
  "\\",
  "\n",
  "\r",
  "\u2028",
  "</",
  "<!--",
  "@",
  "\ud800",
  "\ufeff",
  " ",
  "x",
  "eslint-disable",
];
const hostile = fc.oneof(
  fc.constantFrom(...PAYLOADS),
  fc.array(fc.constantFrom(...PARTS, ...PAYLOADS)).map((parts) => parts.join("")),
  fc.string({ unit: "binary" }),
);

function parse(code: string): ts.SourceFile {
  return ts.createSourceFile("a.ts", code, ts.ScriptTarget.ES2023, true);
}

/** The errors of the parser, which it keeps to itself. */
function syntaxErrors(source: ts.SourceFile): number {
  return (source as unknown as { readonly parseDiagnostics: unknown[] }).parseDiagnostics.length;
}

/** The one expression that `const a = <code>;` assigns. */
function expression(code: string): ts.Expression {
  const source = parse(`const a = ${code};\n`);
  expect(syntaxErrors(source)).toBe(0);
  expect(source.statements.length).toBe(1);
  const [statement] = source.statements;
  if (statement === undefined || !ts.isVariableStatement(statement)) throw new Error("no variable");
  const initializer = statement.declarationList.declarations[0]?.initializer;
  if (initializer === undefined) throw new Error("no value");
  return initializer;
}

test("a literal is one string of TypeScript whose value is the text", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const node = expression(literal(text));
      expect(ts.isStringLiteral(node) && node.text).toBe(text);
      expect(literal(text)).not.toMatch(/[^\P{C}]|[\u2028\u2029\p{Cf}]|<\/|<!--/u);
    }),
    { numRuns: 2000 },
  );
});

test("prettier leaves a literal as it is", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const code = `const a =\n  ${literal(text)};\n`;
      const formatted = await prettier.format(code, { parser: "typescript", printWidth: 100 });
      expect(formatted).toContain(literal(text));
    }),
    { numRuns: 200 },
  );
});

test.each([
  { given: "it's", want: `"it's"` },
  { given: 'say "x"', want: `'say "x"'` },
  { given: `'"`, want: `"'\\""` },
  { given: `""'`, want: `'""\\''` },
  { given: '\\"', want: `'\\\\"'` },
  { given: "a\u2028</script>\ud800", want: '"a\\u2028\\u003c/script>\\ud800"' },
])("the literal of $given is $want", ({ given, want }) => {
  expect(literal(given)).toBe(want);
});

test("a doc comment is one comment, has no directive, and fits its lines", () => {
  const directive =
    /@ts-|@[a-z]|eslint-|prettier-ignore|istanbul ignore|c8 ignore|sourceMappingURL=/i;
  fc.assert(
    fc.property(hostile, fc.constantFrom(0, 2, 4), (text, indent) => {
      const comment = doc(text, indent);
      const source = parse(`${" ".repeat(indent)}${comment}\nlet marker;\n`);
      expect(syntaxErrors(source)).toBe(0);
      expect(source.statements.length).toBe(1);
      expect(comment.replace(/[A-Za-z0-9]@/g, "")).not.toMatch(directive);
      expect(comment).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
      for (const line of comment.split("\n")) {
        expect(line).toBe(line.trimEnd());
        if (line.length > 100) expect(line.trim().replace(/^\* /, "")).not.toContain(" ");
      }
    }),
    { numRuns: 2000 },
  );
});

test.each([
  { given: "A ticket.", want: "/** A ticket. */" },
  { given: "  ", want: "" },
  {
    given: "One.\r\n\r\nTwo.\rThree.",
    want: "/**\n   * One.\n   *\n   * Two.\n   * Three.\n   */",
  },
  { given: "ok */ PWNED(); /* x", want: "/** ok * / PWNED(); / * x */" },
  { given: "@ts-nocheck", want: "/** @ ts-nocheck */" },
  { given: "eslint-disable, prettier-ignore", want: "/** eslint_disable, prettier_ignore */" },
  { given: "mail bob@example.com", want: "/** mail bob@example.com */" },
])("the doc comment of $given", ({ given, want }) => {
  expect(doc(given, 2)).toBe(want);
});

test("a doc comment of 100 columns stays on its line, and one of 101 does not", () => {
  expect(doc(`a ${"x".repeat(89)}`, 2).split("\n")).toHaveLength(1);
  expect(doc(`a ${"x".repeat(90)}`, 2).split("\n")).toHaveLength(3);
});

test("a regex is one expression that matches what the pattern matches", () => {
  const patterns = [
    "^[0-9]{4}$",
    "^a/b$",
    "[/]PWNED_MARK()[/]",
    "^\\p{L}+$",
    "^\\/$",
    "^[\\]/]$",
    "^\u2028$",
    '^"$',
    "^</$",
  ];
  for (const pattern of patterns) {
    const node = expression(regex(pattern));
    const source = ts.isNewExpression(node) ? node.arguments?.[0] : undefined;
    if (source === undefined) expect(node.getText()).toBe(`/${pattern}/u`);
    else expect(ts.isStringLiteral(source) && source.text).toBe(pattern);
  }
  expect(regex("^[0-9]{4}$")).toBe("/^[0-9]{4}$/u");
  expect(regex("^a/b$")).toBe('new RegExp("^a/b$", "u")');
});

test("a key names exactly the property that it stands for", () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.constantFrom("__proto__", "constructor", "a-b")), (name) => {
      const node = expression(`{ ${key(name)}: 1 }`);
      const [property] = ts.isObjectLiteralExpression(node) ? node.properties : [];
      const found = property?.name;
      if (found === undefined) throw new Error("no property");
      const text = ts.isComputedPropertyName(found) ? found.expression : found;
      expect(ts.isStringLiteral(text) || ts.isIdentifier(text) ? text.text : null).toBe(name);
    }),
  );
  expect(key("__proto__")).toBe('["__proto__"]');
});

test("SQL is quoted, quotes are doubled, and a NUL is a bug", () => {
  expect(sqlName('x"; DROP TABLE a; --')).toBe('"x""; DROP TABLE a; --"');
  expect(sqlText("x'); DROP TABLE a; --")).toBe("'x''); DROP TABLE a; --'");
  expect(() => sqlText("\0")).toThrow("NUL");
});
