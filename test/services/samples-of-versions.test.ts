import { expect, test } from "vitest";
import { wholeService } from "../support/compiled-service.js";
import { ownTests } from "../support/own-tests.js";
import { writeTree } from "../support/read-tree.js";
import { renderValid } from "../support/render-files.js";
import { serviceFolder } from "../support/service-folders.js";

const ORDERS = `resource: orders
entity: order
properties:
  quantity: { type: integer, required: true }
  atMost: { type: integer, required: true }
  speed: { enum: [slow, fast] }
`;

const RENAMED_ORDERS = `resource: orders
entity: order
properties:
  quantity: { type: integer, required: true }
  limit: { type: integer, required: true, renamedFrom: atMost }
  speed: { enum: [slow, fast, express], inOlderVersions: { express: fast } }
`;

const RULE = `import type { OrderHooks } from "../generated/entities/orders/orders.hooks.js";

export const orders: OrderHooks = {
  validate({ quantity, limit }, _stored, problems) {
    if (quantity * 2 !== limit) problems.add("limit", "is not twice the quantity");
  },
};
`;

const NAME = "samples-of-versions";

async function writeService(samples: object): Promise<void> {
  const project = await renderValid({
    "service.yaml": "service: shop\nversions: { v1: draft, v2: draft }\n",
    "resources/v1/orders.yaml": ORDERS,
    "resources/v2/orders.yaml": RENAMED_ORDERS,
  });
  const own = {
    "src/custom/orders.ts": RULE,
    "test/samples.ts": `import type { Samples } from "../src/generated/kernel/testing/test-app.js";

export const samples: Samples = ${JSON.stringify(samples)};
`,
  };
  writeTree(serviceFolder(NAME), await wholeService(project, own));
}

test("samples that a rule accepts are sent by the tests of two versions, under the names of each", async () => {
  await writeService({
    orders: { quantity: 4 },
    "v1/orders": { atMost: 8 },
    "v2/orders": { limit: 8 },
  });
  const { passed, said } = await ownTests(NAME);
  expect(said).toBe("");
  expect(passed).toBeGreaterThan(50);
});

test("where a rule refuses what they send, they say where samples can be given", async () => {
  await writeService({});
  const { said } = await ownTests(NAME, { ending: "v1-to-v2-orders.test" });
  expect(said).toContain("A sample was refused");
  expect(said).toContain('"v1/orders"');
});
