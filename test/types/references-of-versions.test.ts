import { expect, test } from "vitest";
import { compilerErrors, wholeService } from "../support/compiled-service.js";
import { renderValid } from "../support/render-files.js";

const PRODUCTS = `resource: products
entity: product
properties: { name: { type: string, required: true }, price: { type: decimal, scale: 2 } }
`;

const ORDERS = `resource: orders
entity: order
properties:
  buyer: { reference: products, embed: [name] }
  lines: { type: array, items: { type: object, properties: { product: { reference: products, required: true, embed: [name] }, count: { type: integer, default: 1 } } } }
  delivery: { type: object, properties: { box: { reference: products, embed: [name] } } }
  others: { type: array, items: { reference: products, embed: [name] } }
`;

const RENAMED_ORDERS = `resource: orders
entity: order
properties:
  payer: { reference: products, embed: [name, price], renamedFrom: buyer }
  parts: { renamedFrom: lines, type: array, items: { type: object, properties: { item: { reference: products, required: true, embed: [name, price], renamedFrom: product }, count: { type: integer, default: 1 } } } }
  transport: { renamedFrom: delivery, type: object, properties: { box: { reference: products, embed: [name] } } }
  extras: { type: array, items: { reference: products, embed: [name, price] }, renamedFrom: others }
`;

test("two versions that call references otherwise, in objects and lists as well, compile", async () => {
  const project = await renderValid({
    "service.yaml": "service: shop\nversions: { v1: draft, v2: draft }\n",
    "resources/v1/products.yaml": PRODUCTS,
    "resources/v2/products.yaml": PRODUCTS,
    "resources/v1/orders.yaml": ORDERS,
    "resources/v2/orders.yaml": RENAMED_ORDERS,
  });
  const services = { shop: await wholeService(project) };
  expect(await compilerErrors("references-of-versions", services)).toBe("");
});
