import { expect, test } from "vitest";
import { determinismFindings, unfinishedFindings } from "./code-findings.js";
import { filesBelow, parsed, pathOf, textOf } from "./source-tree.js";
import { RUNTIME_SOURCE } from "../support/runtime.js";

const SHIPPED = parsed(["src"]);
const TEXTS = ["src", "templates", "bin", "test", "bench"]
  .flatMap(filesBelow)
  .filter((path) => /\.(?:ts|js|hbs)$/.test(path))
  .map((path) => ({ path, text: textOf(path) }));

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
