import { expect, test } from "vitest";
import { determinismFindings, documentationFindings, unfinishedFindings } from "./code-findings.js";
import { filesBelow, parsed, pathOf, sample, textOf } from "./source-tree.js";
import { RUNTIME_SOURCE } from "../support/runtime.js";

const SHIPPED = parsed(["src"]);
const TEXTS = ["src", "templates", "bin", "test", "bench"]
  .flatMap(filesBelow)
  .filter((path) => /\.(?:ts|js|hbs)$/.test(path))
  .map((path) => ({ path, text: textOf(path) }));

test("every exported function, class, interface and type says what it is for", () => {
  expect(SHIPPED.flatMap(documentationFindings)).toEqual([]);
});

test("nothing is left to be done later", () => {
  expect(TEXTS.flatMap(({ path, text }) => unfinishedFindings(path, text))).toEqual([]);
});

test("the generator asks no clock, no chance and no locale (G1)", () => {
  // The one place that does, and hands them on as arguments.
  const asks = "src/cli/this-machine.ts";
  const sources = SHIPPED.filter(
    (file) => pathOf(file) !== asks && !pathOf(file).startsWith(RUNTIME_SOURCE),
  );
  const findings = sources.flatMap((file) => determinismFindings(pathOf(file), file.getFullText()));
  expect(findings).toEqual([]);
});

test.each([
  { name: "a bare function", found: documentationFindings(code("export function a() {}")) },
  { name: "a bare class", found: documentationFindings(code("export class A {}")) },
  { name: "a bare interface", found: documentationFindings(code("export interface A {}")) },
  { name: "a bare type", found: documentationFindings(code("export type A = string;")) },
  {
    name: "a note to oneself",
    found: unfinishedFindings("a.ts", `// ${"to"}${"do"}`.toUpperCase()),
  },
  { name: "the time", found: determinismFindings("a.ts", "const now = new Date().toISOString();") },
  { name: "chance", found: determinismFindings("a.ts", "return Math.random();") },
  { name: "an order by locale", found: determinismFindings("a.ts", "a.localeCompare(b)") },
])("$name is found", ({ found }) => {
  expect(found).toHaveLength(1);
});

test("what is documented is fine", () => {
  const fine = code(
    "/** Adds. */\nexport function add(a: number, b: number): number {\n  return a + b;\n}",
  );
  expect(documentationFindings(fine)).toEqual([]);
});

function code(text: string): ReturnType<typeof sample> {
  return sample("src/model/a.ts", text);
}
