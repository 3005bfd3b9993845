import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { expectSuccess } from "../support/expect-success.js";
import { MemoryProject } from "../support/memory-project.js";

const INPUT = "input: { reason: { type: string } }";
const project = new MemoryProject({
  "service.yaml": "service: shop\ntitle: Shop\nversions: { v1: draft }\n",
  "resources/v1/orders.yaml": `resource: orders
entity: order
properties:
  note: { type: string }
actions:
  cancel: { ${INPUT} }
  remind: {}
  quote: { on: collection, ${INPUT} }
  tidy: { on: collection }
`,
});
expectSuccess(await project.generate());

/** The names of the parameters of each function in a text. */
function parametersIn(text: string, indent: string): Readonly<Record<string, string>> {
  const functions = text.matchAll(new RegExp(`^${indent}(\\w+)\\(([^)]*)\\): `, "gm"));
  const named = [...functions].map(([, name = "", parameters = ""]) => [
    name,
    parameters.replace(/: [^,]*/g, ""),
  ]);
  return Object.fromEntries(named) as Record<string, string>;
}

const SIGNATURES = {
  cancel: "order, input, context",
  remind: "order, context",
  quote: "input, context",
  tidy: "context",
};

test("OPS-11: the function of an action has a parameter for what there is, and no other", () => {
  const types = project.read("src/generated/entities/orders/orders.actions.ts");
  expect(parametersIn(types, "  ")).toEqual(SIGNATURES);
});

test.each([
  "docs/hooks.md",
  "src/runtime/docs/custom-code.md",
  "docs/schemas.md",
  "schemas/resource.schema.json",
])("%s has every form of such a function, and none that is not emitted", (page) => {
  const text = readFileSync(page, "utf8");
  // Other hooks have other parameters: these are the only ones with the word `input`, or with an action's name.
  const written = [
    ...text.matchAll(/`(?:actions\.)?(?:<name>|cancel|quote|remind)?\(((?:\w+, )*context)\)`/g),
  ].map(([, parameters = ""]) => parameters.replace(/^(?:entity|order)\b/, "order"));
  const emitted = page.endsWith("custom-code.md")
    ? Object.values(SIGNATURES).slice(1)
    : Object.values(SIGNATURES);
  expect([...new Set(written)].sort()).toEqual([...emitted].sort());
});
