import { expect, test } from "vitest";
import { wholeService } from "../support/compiled-service.js";
import { ownTests } from "../support/own-tests.js";
import { writeTree } from "../support/read-tree.js";
import { renderValid } from "../support/render-files.js";
import { serviceFolder } from "../support/service-folders.js";

const ACCESS =
  "access: { read: [custom], create: [authenticated], update: [custom, owner], delete: [owner] }";

const ORDERS = `resource: orders
entity: order
properties:
  quantity: { type: integer, required: true }
  atMost: { type: integer, required: true }
  speed: { enum: [slow, fast] }
${ACCESS}
`;

const RENAMED_ORDERS = `resource: orders
entity: order
properties:
  quantity: { type: integer, required: true }
  limit: { type: integer, required: true, renamedFrom: atMost }
  speed: { enum: [slow, fast, express], inOlderVersions: { express: fast } }
${ACCESS}
actions:
  pack: { input: { weight: { type: integer, required: true } }, access: [owner] }
`;

/** Shown to nobody: own code writes them. */
const RECORDS = `resource: records
entity: record
properties: { text: { type: string, sortable: true } }
access: { read: [custom], create: [authenticated], update: [custom], delete: [custom] }
`;

const FREE = "access: { read: [authenticated], create: [authenticated], update: [authenticated] }";

const PRODUCTS = `resource: products
entity: product
operations: [create, read, replace]
properties: { title: { type: string, required: true } }
${FREE}
`;

/** It refers to products from an object, from the items of a list, and with lists in both; a part of it is set for good. */
const BASKETS = `resource: baskets
entity: basket
operations: [create, read, replace]
properties:
  label: { type: string }
  origin: { type: object, properties: { place: { type: string, immutable: true }, note: string } }
  lines:
    type: array
    minItems: 1
    maxItems: 5
    items:
      type: object
      properties:
        product: { reference: products, required: true, embed: [title] }
        others: { type: array, minItems: 1, items: { reference: products } }
        quantity: { type: integer }
  gift:
    type: object
    properties:
      product: { reference: products, required: true }
      choices: { type: array, minItems: 2, items: { reference: products } }
      message: { type: string }
${FREE}
`;

const RENAMED_BASKETS = `resource: baskets
entity: basket
operations: [create, read, replace]
properties:
  title: { type: string, renamedFrom: label }
  origin: { type: object, properties: { place: { type: string, immutable: true }, note: string } }
  rows:
    type: array
    renamedFrom: lines
    minItems: 1
    maxItems: 5
    items:
      type: object
      properties:
        article: { reference: products, required: true, embed: [title], renamedFrom: product }
        others: { type: array, minItems: 1, items: { reference: products } }
        count: { type: integer, renamedFrom: quantity }
        colour: { enum: [red, blue] }
  gift:
    type: object
    properties:
      article: { reference: products, required: true, renamedFrom: product }
      choices: { type: array, minItems: 2, items: { reference: products } }
      message: { type: string }
${FREE}
`;

const CODE = {
  "src/custom/orders.ts": `import type { OrderHooks } from "../generated/entities/orders/orders.hooks.js";

export const orders: OrderHooks = {
  validate({ quantity, limit }, _stored, problems) {
    if (quantity * 2 !== limit) problems.add("limit", "is not twice the quantity");
  },
  async beforeCommit({ kind, entity }, { services }) {
    if (kind !== "deleted") await services.unrestricted.records.create({ text: entity.orderId });
  },
  scope: () => ({ createdSubject: "mine" }),
  actions: {
    pack(order, { weight }) {
      order.quantity = weight;
      order.limit = 2 * weight;
    },
  },
};
`,
  "src/custom/records.ts": `import type { RecordHooks } from "../generated/entities/records/records.hooks.js";

export const records: RecordHooks = { scope: () => null };
`,
};

const BEARER =
  'authentication: { scheme: bearer, issuer: "https://login.example.com/", audience: shop, keys: "https://login.example.com/keys" }';

const NAME = "samples-of-versions";

async function writeService(samples: object): Promise<void> {
  const project = await renderValid({
    "service.yaml": `service: shop\nversions: { v1: draft, v2: draft }\n${BEARER}\n`,
    "resources/v1/orders.yaml": ORDERS,
    "resources/v2/orders.yaml": RENAMED_ORDERS,
    "resources/v1/baskets.yaml": BASKETS,
    "resources/v1/products.yaml": PRODUCTS,
    "resources/v2/baskets.yaml": RENAMED_BASKETS,
    "resources/v2/products.yaml": "resource: products\nsameAs: v1\n",
    "resources/v2/records.yaml": RECORDS,
  });
  const own = {
    ...CODE,
    "test/samples.ts": `import type { Samples } from "@rulebound/runtime/testing";

export const samples: Samples = ${JSON.stringify(samples)};
`,
  };
  writeTree(serviceFolder(NAME), await wholeService(project, own));
}

test("with business rules and tokens, the tests of two versions send the samples of each", async () => {
  await writeService({
    orders: { quantity: 4 },
    "v1/orders": { atMost: 8 },
    "v2/orders": { limit: 8 },
  });
  const { passed, said } = await ownTests(NAME);
  expect(said).toBe("");
  expect(passed).toBeGreaterThan(30);
});

test("where a rule refuses what they send, they say where samples can be given", async () => {
  await writeService({});
  const { said } = await ownTests(NAME);
  expect(said).toMatch(
    /POST \/api\/v1\/orders\n[^]*got +400 ValidationFailedMessage, fields: atMost/,
  );
  expect(said).toMatch(/export const samples[^]*atMost: \d+, \/\/ write an accepted value/);
});
