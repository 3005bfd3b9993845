import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectRefusal, printed } from "./support/refusal.js";
import { newBadge } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();

function resource(name: string, entity: string): Readonly<Record<string, string>> {
  const text = `resource: ${name}\nentity: ${entity}\nproperties: { title: string }\n`;
  return { [`resources/v1/${name}.yaml`]: text };
}

test.each<{ path: string; body: JsonObject; name: string }>([
  { path: "widgets", body: { name: "drill" }, name: "widgetId" },
  { path: "badges", body: newBadge("one"), name: "badgeId" },
  { path: "logs", body: { line: "a line" }, name: "logId" },
  { path: "crates", body: { title: "parts" }, name: "crateId" },
  // The resource's name has lost the boundary between the words; the entity's has kept it.
  { path: "shippingfees", body: { amount: "1.00" }, name: "shippingFeeId" },
])("what identifies one of $path is called $name", async ({ path, body, name }) => {
  const entity = await service.create(`/api/v1/${path}`, body);
  expect(Object.keys(entity).filter((property) => property.endsWith("Id"))).toEqual([name]);
  expect(Object.keys(entity)).not.toContain("id");
});

test("the OpenAPI document names the same identifiers", async () => {
  const { paths = {} } = await service.read("/api/v1/openapi.json");
  const named = Object.keys(paths ?? {}).filter((path) => path.includes("{"));
  expect(named).toEqual(
    expect.arrayContaining([
      "/badges/{badgeId}",
      "/crates/{crateId}",
      "/shippingfees/{shippingFeeId}",
      "/widgets/{widgetId}",
    ]),
  );
});

test.each([
  { name: "shippingfees", entity: "shippingFee" },
  { name: "people", entity: "person" },
])("$entity is accepted as the singular of $name", async ({ name, entity }) => {
  expect(await printed(resource(name, entity))).toBe("");
});

test.each([
  { name: "tickets", entity: "tickets", suggestion: "ticket" },
  { name: "tickets", entity: "order", suggestion: "ticket" },
  { name: "shippingfees", entity: "shipping_fee", suggestion: "shippingFee" },
  { name: "shippingfees", entity: "ShippingFee", suggestion: "shippingFee" },
])("the entity $entity of $name is refused, and $suggestion suggested", async (refused) => {
  const { name, entity, suggestion } = refused;
  const place = `resources/v1/${name}.yaml:2:9`;
  await expectRefusal(resource(name, entity), {
    place,
    code: "IDN-2",
    marked: entity,
    suggestion,
  });
});
