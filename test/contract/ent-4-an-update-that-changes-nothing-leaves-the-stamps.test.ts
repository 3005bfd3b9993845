import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { FULL_WIDGET } from "./support/samples.js";
import { startService } from "./support/service.js";

let now = Date.parse("2026-01-01T00:00:00.000Z");
const service = await startService("contract", { clock: () => (now += 1000) });
const widget = await service.create("/api/v1/widgets", FULL_WIDGET);
const widgetPath = `/api/v1/widgets/${String(widget["widgetId"])}`;

test("a time of the service has its milliseconds also where they end in noughts", () => {
  expect(widget["createdDate"]).toMatch(/^2026-01-01T00:00:\d\d\.000Z$/);
});

test.each<{ name: string; method: string; body: JsonObject }>([
  {
    name: "a PATCH of the same value two objects deep",
    method: "PATCH",
    body: { deliveryAddress: { place: { floor: 3 } } },
  },
  { name: "a PATCH of the same list", method: "PATCH", body: { tags: ["steel", "red"] } },
  {
    name: "a PUT with the properties in another order",
    method: "PUT",
    body: Object.fromEntries(Object.entries(widget).reverse()),
  },
  { name: "a decimal with fewer digits", method: "PATCH", body: { price: "19.9" } },
  {
    name: "a UUID in upper case",
    method: "PATCH",
    body: { batch: String(widget["batch"]).toUpperCase() },
  },
])("$name changes nothing", async ({ method, body }) => {
  const answer = await service.send(method, widgetPath, { body });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json).toEqual(widget);
  expect(await service.read(widgetPath)).toEqual(widget);
});

test("nothing but blank text for what is null changes nothing, at every depth", async () => {
  const crate = await service.create("/api/v1/crates", {
    title: "t",
    spot: { shelf: {} },
    lots: [{}],
  });
  const path = `/api/v1/crates/${String(crate["crateId"])}`;
  for (const body of [
    { note: " ", labels: null },
    { spot: { note: "", shelf: { note: "\t", labels: [] } } },
    { lots: [{ note: "", labels: null, shelf: null }] },
  ]) {
    const answer = await service.send("PATCH", path, { body });
    expect(answer.json).toEqual(crate);
  }
});

test.each<{ name: string; body: JsonObject }>([
  { name: "another order of a list", body: { tags: ["red", "steel"] } },
  { name: "another value in a list of objects", body: { parts: [{ label: "chuck", amount: 2 }] } },
  { name: "text in another case", body: { note: "the small one." } },
  { name: "white space around text", body: { note: " The small one." } },
])("$name is a change and moves the date", async ({ body }) => {
  const own = await service.create("/api/v1/widgets", FULL_WIDGET);
  const path = `/api/v1/widgets/${String(own["widgetId"])}`;
  const answer = await service.send("PATCH", path, { body });
  expect(answer.status, answer.text).toBe(200);
  expect(String(answer.json["lastModifiedDate"]) > String(own["lastModifiedDate"])).toBe(true);
  expect(answer.json["createdDate"]).toBe(own["createdDate"]);
});
