import { expect, test } from "vitest";
import { startService } from "./support/service.js";

const STARTED = Date.parse("2026-01-31T23:59:59.000Z");
const FIRST = "0190a5d2-7c4e-7b1a-9f3e-000000000001";

let now = STARTED;
let made = 0;
const service = await startService("contract", {
  clock: () => now,
  newIdentifier: () => FIRST.replace(/1$/, String(++made)),
});

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
