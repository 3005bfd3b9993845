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

const FOLLOWED = `resource: orders
entity: order
properties:
  title: { type: string, required: true }
  buyer: { reference: products, required: true }
  status: { enum: [placed, delivered] }
`;

const PARTS: Readonly<Record<string, string>> = {
  products: PRODUCTS,
  openorders: `resource: openorders
represents: orders
properties: [title, status]
operations: [list, read, update]
`,
  shipments: `resource: shipments
entity: shipment
parent: orders
properties: { order: { reference: orders, embed: [status] }, carrier: string }
`,
};

/** A version of the orders, and what shows and embeds them. */
function versionOf(name: string, orders: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries({ ...PARTS, orders }).map(([plural, text]) => [
      `resources/${name}/${plural}.yaml`,
      text,
    ]),
  );
}

test("a value more compiles in what represents and embeds it, though it hides what is required", async () => {
  const more = "[placed, delivered, returned], inOlderVersions: { returned: delivered }";
  const project = await renderValid({
    "service.yaml": "service: shop\nversions: { v1: draft, v2: draft }\n",
    ...versionOf("v1", FOLLOWED),
    ...versionOf("v2", FOLLOWED.replace("[placed, delivered]", more)),
  });
  const services = { shop: await wholeService(project) };
  expect(await compilerErrors("values-of-versions", services)).toBe("");
});

const BEARER =
  "authentication: { scheme: bearer, issuer: https://login.example.com/, audience: shop, keys: https://login.example.com/jwks.json }";
const ASKED = `resource: orders
entity: order
operations: [create, read, delete]
access: { read: [anyone], create: [anyone], update: [anyone, custom], delete: [anyone, custom] }
properties:
  title: { type: string, required: true }
  address: { type: object, properties: { town: string } }
actions:
  measure:
    answers:
      nearest: { reference: orders, embed: [title] }
      how: { enum: [near, far], required: true }
      parts: { type: array, items: { type: object, properties: { size: { enum: [small, large] } } } }
`;

test("an answer that an older version has for itself compiles, and so does what is never changed", async () => {
  const renamed = "label: { type: string, required: true, renamedFrom: title }";
  const newer = ASKED.replace("title: { type: string, required: true }", renamed).replace(
    "town: string",
    "city: { type: string, renamedFrom: town }",
  );
  const project = await renderValid({
    "service.yaml": `service: shop\nversions: { v1: draft, v2: draft }\n${BEARER}\n`,
    "resources/v1/orders.yaml": ASKED,
    "resources/v2/orders.yaml": newer.replace("embed: [title]", "embed: [label]"),
  });
  const services = { shop: await wholeService(project) };
  expect(await compilerErrors("answers-of-versions", services)).toBe("");
});
