import { expect, test } from "vitest";
import { namesOf, withImports } from "../../../src/artifacts/imports.js";

const COMMON = namesOf([
  { from: "@rulebound/runtime/internal/input/text-reader.js", names: ["text()"] },
  { from: "@rulebound/runtime/internal/entity/repository.js", names: ["class Repository"] },
]);

const OWN = [
  { from: "src/generated/entities/orders/orders.entity.ts", names: ["type Order", "COLOURS"] },
  { from: "src/generated/v2/orders/orders.dto.ts", names: ["type Order", "type Line as NewLine"] },
  { from: "src/custom/orders.ts", names: ["orders as orderHooks"] },
];

/** The import statements of a file of orders with this code. */
function imports(code: string): string[] {
  const text = withImports("src/generated/v1/orders/orders.a.ts", `// head\n\n${code}\n`, [
    OWN,
    COMMON,
  ]);
  return text
    .slice("// head\n\n".length, -code.length - 1)
    .split("\n")
    .slice(0, -2);
}

test.each([
  ["a comment", "// text(1)\n/* text(1) */"],
  ["a text", 'const a = "text(1)";'],
  ["a text with quotes", "const a = '\"a\" AS text(1)';"],
  ["a template", "const a = `text(1)`;"],
  ["a pattern", 'const a = { b: /^[^"]+$/u, c: "text(1)", d: /`/u };'],
  ["a member", "a.text(1); a?.text(1);"],
  ["a key", "const a = { text: 1 };"],
  ["a method", "class A {\n  text(a: string): void {}\n  text(): void;\n}"],
  ["a function of the file", "function text() {}\ntext();"],
  ["a variable that is given on", "function a(text: string) {\n  return b(text, text.c);\n}"],
])("what stands in %s is not imported", (_, code) => {
  expect(imports(code)).toEqual([]);
});

test.each([
  ["`${text(1)}`", 'import { text } from "@rulebound/runtime/internal/input/text-reader.js";'],
  [
    "const a = { type: text() };",
    'import { text } from "@rulebound/runtime/internal/input/text-reader.js";',
  ],
  ["let a: Order;", 'import type { Order } from "../../entities/orders/orders.entity.js";'],
  [
    "let a: Order = COLOURS;",
    'import { COLOURS, type Order } from "../../entities/orders/orders.entity.js";',
  ],
  ["let a: NewLine;", 'import type { Line as NewLine } from "../../v2/orders/orders.dto.js";'],
  ["a(orderHooks);", 'import { orders as orderHooks } from "../../../custom/orders.js";'],
  [
    "let a: Repository;",
    'import type { Repository } from "@rulebound/runtime/internal/entity/repository.js";',
  ],
  [
    "let a: Repository = new Repository();",
    'import { Repository } from "@rulebound/runtime/internal/entity/repository.js";',
  ],
])("%s", (code, statement) => {
  expect(imports(code)).toEqual([statement]);
});

test("patterns with quotes and back ticks hide nothing", () => {
  const code =
    'const a = {\n  b: c({ pattern: /^`{3}/u }),\n  d: text({ pattern: /^"/u }),\n  e: /`$/u,\n};';
  expect(imports(code)).toHaveLength(1);
});

test("modules of packages stand first, and each has one statement", () => {
  expect(imports("a(text(), COLOURS, orderHooks); let b: Order;")).toEqual([
    'import { text } from "@rulebound/runtime/internal/input/text-reader.js";',
    'import { orders as orderHooks } from "../../../custom/orders.js";',
    'import { COLOURS, type Order } from "../../entities/orders/orders.entity.js";',
  ]);
});
