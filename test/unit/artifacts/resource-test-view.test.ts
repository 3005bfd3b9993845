import { expect, test } from "vitest";
import { renderValid } from "../../support/render-files.js";

test("the body that generated tests send has as many items as its lists ask for", async () => {
  const { outputs } = await renderValid({
    "service.yaml":
      "service: shop\ntitle: Shop\nversions: { v1: draft }\nauthentication: { scheme: none }\n",
    "resources/v1/orders.yaml": `
resource: orders
entity: order
properties:
  codes: { type: array, items: { type: string, format: email }, minItems: 2 }
  lines:
    type: array
    minItems: 1
    items:
      type: object
      properties:
        product: { type: string, required: true, example: Postcard }
        amount: { type: integer, required: true, minimum: 3 }
        labels: { type: array, items: string }
`,
  });
  const facts = outputs.find(({ path }) => path === "test/generated/v1-orders.facts.ts")?.text;
  expect(facts).toContain(`
  valid: {
    codes: ["desk@example.com", "desk@example.com"],
    lines: [{ product: "Postcard", amount: 3, labels: ["x"] }],
  },
`);
});

test("a number that counting up does not change stands for no other ones", async () => {
  const { outputs } = await renderValid({
    "service.yaml":
      "service: shop\ntitle: Shop\nversions: { v1: draft }\nauthentication: { scheme: none }\n",
    "resources/v1/stars.yaml": `
resource: stars
entity: star
properties:
  mass: { type: number, minimum: -1e300, maximum: 1e300, unique: true }
`,
  });
  const facts = outputs.find(({ path }) => path === "test/generated/v1-stars.facts.ts")?.text;
  expect(facts).toMatch(/mass: -?[0-9.]{1,9},/);
});
