import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { resultsOf } from "./support/errors.js";
import { newBadge } from "./support/samples.js";
import { startService } from "./support/service.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const service = await startService();
const other = await startService();

test("an identifier is a lower-case UUID, and the same wherever the entity is answered", async () => {
  const widget = await service.create("/api/v1/widgets", { name: "drill" });
  const id = String(widget["widgetId"]);
  expect(id).toMatch(UUID);
  expect((await service.read(`/api/v1/widgets/${id}`))["widgetId"]).toBe(id);
  const [listed] = resultsOf(await service.read("/api/v1/widgets"));
  expect(listed?.["widgetId"]).toBe(id);
  const body = { name: "hammer" };
  const patched = await service.send("PATCH", `/api/v1/widgets/${id}`, { body });
  expect(patched.json["widgetId"]).toBe(id);
});

test("identifiers differ across entities, resources and instances of the service", async () => {
  const made: Promise<JsonObject>[] = [];
  for (const instance of [service, other]) {
    for (let count = 0; count < 50; count++) {
      made.push(instance.create("/api/v1/widgets", { name: "drill" }));
      made.push(instance.create("/api/v1/badges", newBadge(`badge ${count}`)));
    }
  }
  const entities = await Promise.all(made);
  const ids = entities.map((entity) => String(entity["widgetId"] ?? entity["badgeId"]));
  expect(ids.filter((id) => !UUID.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(200);
});

test("the identifier of a deleted entity does not come back", async () => {
  const body = { amount: "1.00" };
  const first = await service.create("/api/v1/shippingfees", body);
  const path = `/api/v1/shippingfees/${String(first["shippingFeeId"])}`;
  expect((await service.send("DELETE", path)).status).toBe(204);
  const second = await service.create("/api/v1/shippingfees", body);
  expect(second["shippingFeeId"]).not.toBe(first["shippingFeeId"]);
});

test.each(["11111111-1111-4111-8111-111111111111", 1, "", null])(
  "a client cannot choose it: %j",
  async (widgetId) => {
    const widget = await service.create("/api/v1/widgets", { name: "drill", widgetId });
    expect(widget["widgetId"]).toMatch(UUID);
    expect(widget["widgetId"]).not.toBe(widgetId);
  },
);

test("nothing of an identifier counts upwards by one", async () => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) {
    const log = await service.create("/api/v1/logs", { line: "a line" });
    ids.push(String(log["logId"]));
  }
  // The last 48 bits are random: neighbours there would be the mark of a counter.
  const tails = ids.map((id) => parseInt(id.slice(-12), 16));
  const steps = tails.slice(1).map((tail, index) => Math.abs(tail - (tails[index] ?? 0)));
  expect(Math.min(...steps)).toBeGreaterThan(1000);
});
