import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { resultsOf } from "./support/errors.js";
import { valuesNamed } from "./support/names.js";
import { newBadge } from "./support/samples.js";
import { startService } from "./support/service.js";

const COMMON = ["createdDate", "createdSubject", "lastModifiedDate", "lastModifiedSubject"];
const STARTED = Date.parse("2026-01-31T23:59:59.000Z");
const FIRST = "0190a5d2-7c4e-7b1a-9f3e-000000000001";

let now = STARTED;
let made = 0;
const service = await startService("contract", {
  clock: () => now,
  newIdentifier: () => FIRST.replace(/1$/, String(++made)),
});
const real = await startService("contract");

test("the service's own clock and identifiers are what an entity shows", async () => {
  const widget = await service.create("/api/v1/widgets", { name: "drill" });
  expect(widget).toMatchObject({
    widgetId: FIRST,
    createdDate: "2026-01-31T23:59:59.000Z",
    lastModifiedDate: "2026-01-31T23:59:59.000Z",
  });
});

test("a change moves the date of the last change alone", async () => {
  const created = await service.create("/api/v1/widgets", { name: "drill" });
  const path = `/api/v1/widgets/${String(created["widgetId"])}`;
  now = STARTED + 1001;
  const patched = await service.send("PATCH", path, { body: { name: "hammer" } });
  const afterPatch = { ...created, name: "hammer", lastModifiedDate: "2026-02-01T00:00:00.001Z" };
  expect(patched.json).toEqual(afterPatch);
  expect(await service.read(path)).toEqual(afterPatch);
  now = STARTED + 2001;
  const replaced = await service.send("PUT", path, { body: { ...afterPatch, name: "saw" } });
  const afterPut = { ...afterPatch, name: "saw", lastModifiedDate: "2026-02-01T00:00:01.001Z" };
  expect(replaced.json).toEqual(afterPut);
  expect(await service.read(path)).toEqual(afterPut);
  now = STARTED;
});

test.each<{ path: string; body: JsonObject; idProperty: string }>([
  { path: "widgets", body: { name: "drill" }, idProperty: "widgetId" },
  { path: "badges", body: newBadge("one"), idProperty: "badgeId" },
  { path: "crates", body: { title: "parts" }, idProperty: "crateId" },
  { path: "logs", body: { line: "a line" }, idProperty: "logId" },
  { path: "shippingfees", body: { amount: "1.00" }, idProperty: "shippingFeeId" },
])("a new one of $path has all five, written now", async ({ path, body, idProperty }) => {
  const before = new Date().toISOString();
  const entity = await real.create(`/api/v1/${path}`, body);
  const after = new Date().toISOString();
  expect(Object.keys(entity)).toEqual(expect.arrayContaining([idProperty, ...COMMON]));
  const { createdDate, lastModifiedDate, createdSubject, lastModifiedSubject } = entity;
  expect(createdDate).toBe(lastModifiedDate);
  expect(String(createdDate) >= before && String(createdDate) <= after).toBe(true);
  expect(lastModifiedSubject).toEqual(createdSubject);
});

test("entities of a collection have them, the collection itself has not", async () => {
  await real.create("/api/v1/widgets", { name: "drill" });
  const body = await real.read("/api/v1/widgets");
  const entities = resultsOf(body);
  expect(entities.length).toBeGreaterThan(0);
  for (const entity of entities) {
    expect(Object.keys(entity)).toEqual(expect.arrayContaining(["widgetId", ...COMMON]));
  }
  for (const name of COMMON) expect(body).not.toHaveProperty(name);
});

test("a nested object has none of them", async () => {
  const crate = await real.create("/api/v1/crates", { title: "t", spot: {}, lots: [{}] });
  for (const name of COMMON) expect(valuesNamed(crate, name)).toHaveLength(1);
});
