import { expect, test } from "vitest";
import { compilerErrors, wholeService } from "../support/compiled-service.js";
import { emittedTexts, renderValid } from "../support/render-files.js";

const SERVICE =
  "service: shop\nauthentication: { scheme: bearer, issuer: 'https://id.test', audience: shop, keys: ./keys.json }\n";

/** The file of a resource whose access follows its parent's. */
const below = (resource: string, entity: string, parent: string): string => `resource: ${resource}
entity: ${entity}
parent: ${parent}
properties: { title: string }
access: { create: [parent], update: [parent], delete: [parent, owner] }
`;

test("what own code gives of a grandparent is asked of it through the parent, and compiles", async () => {
  const project = await renderValid({
    "service.yaml": SERVICE,
    "resources/v1/orders.yaml": `resource: orders
entity: order
properties: { region: { type: string, filterable: true } }
access: { read: [custom, owner], update: [custom], delete: [owner] }
`,
    "resources/v1/shipments.yaml": below("shipments", "shipment", "orders"),
    "resources/v1/parcels.yaml": below("parcels", "parcel", "shipments"),
  });
  const texts = emittedTexts(project);
  const access = texts["src/generated/v1/parcels/parcels.access.ts"] ?? "";
  expect(access).toContain('read: ["parent:parent:custom", "parent:parent:owner"]');
  expect(access).toContain('scopes: { "parent:parent:custom": orderScope }');
  const storeOf = (plural: string): string =>
    texts[`src/generated/entities/${plural}/${plural}.store.ts`] ?? "";
  expect(storeOf("parcels")).toContain("table: shipmentTable");
  expect(storeOf("shipments")).toContain("table: orderTable");
  expect(await compilerErrors("levels", { levels: await wholeService(project) })).toBe("");
});
