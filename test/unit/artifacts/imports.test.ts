import { expect, test } from "vitest";
import { withImports } from "../../../src/artifacts/imports.js";
import { joined, pathText, ts } from "../../../src/naming/code.js";
import { doc } from "../../../src/naming/doc-comment.js";
import { printed, callDoc } from "../../../src/naming/doc.js";
import { key, literal, regex, type TsCode } from "../../../src/naming/encoders.js";
import { imported, ofSchema } from "../../../src/naming/imported.js";
import { markdownCode } from "../../../src/naming/markdown.js";

const ENTITY = "src/generated/entities/orders/orders.entity.ts";
const ORDER = imported(ENTITY, "type Order");

/** The import statements of a file of orders with this code, and the code. */
function made(code: TsCode): string[] {
  const text = withImports("src/generated/v1/orders/orders.a.ts", ts`// head\n\n${code}\n`, {
    declaring: () => ENTITY,
  });
  return text.slice("// head\n\n".length, -1).split("\n");
}

test.each([
  [ts`@text(1);`, 'import { text } from "@rulebound/runtime/generated/v1";', "text(1);"],
  [
    ts`let a: @Caller;`,
    'import type { Caller } from "@rulebound/runtime/generated/v1";',
    "let a: Caller;",
  ],
  [
    ts`const a: @Repository = new @Repository();`,
    'import { Repository } from "@rulebound/runtime/generated/v1";',
    "const a: Repository = new Repository();",
  ],
  [
    ts`let a: @ServiceContext;`,
    'import type { ServiceContext } from "../../services.js";',
    "let a: ServiceContext;",
  ],
  [
    ts`let a: ${ORDER};`,
    'import type { Order } from "../../entities/orders/orders.entity.js";',
    "let a: Order;",
  ],
  [
    ts`a(${imported("src/custom/orders.ts", "orders", "orderHooks")});`,
    'import { orders as orderHooks } from "../../../custom/orders.js";',
    "a(orderHooks);",
  ],
  [
    ts`a(${ofSchema("COLOURS")});`,
    'import { COLOURS } from "../../entities/orders/orders.entity.js";',
    "a(COLOURS);",
  ],
])("%j", (code, statement, printedCode) => {
  expect(made(code)).toEqual([statement, "", printedCode]);
});

test("modules of packages stand first, and each has one statement", () => {
  const code = joined([ts`@text(1)`, ofSchema("COLOURS"), ORDER, ts`@Caller`], ", ");
  expect(made(code)).toEqual([
    'import { type Caller, text } from "@rulebound/runtime/generated/v1";',
    'import { COLOURS, type Order } from "../../entities/orders/orders.entity.js";',
    "",
    "text(1), COLOURS, Order, Caller",
  ]);
});

test("a file does not import what it declares, nor what it exports itself", () => {
  const own = imported("src/generated/v1/orders/orders.a.ts", "type Own");
  const code = ts`export type Colour = string;\nlet a: ${ofSchema("type Colour")} | ${own};`;
  expect(made(code)).toEqual(["export type Colour = string;", "let a: Colour | Own;"]);
});

test("marks take no room on a line", () => {
  const call = callDoc(ts`@text`, [ORDER, literal("a".repeat(82))]);
  expect(printed(call)).not.toContain("\n");
});

test.each([
  ["a text", literal],
  ["a key", key],
  ["a pattern", regex],
  ["a comment", doc],
  ["Markdown", markdownCode],
])("no mark can stand in %s of a schema", (_, encode) => {
  const text = encode(String(ORDER));
  expect(withImports("src/generated/a.ts", text)).toBe(text);
});

test("no mark can stand in a path", () => {
  expect(() => pathText(ORDER)).toThrow("is not a path");
});

test.each(["Order; evil()", "type a b", "", "Order\n", "a#b", "1a"])("%j is no name", (text) => {
  expect(() => imported(ENTITY, text)).toThrow("are not names");
  expect(() => imported(ENTITY, "Order", text)).toThrow("are not names");
  expect(() => ofSchema(text)).toThrow("are not names");
});
