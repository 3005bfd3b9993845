import { expect, test } from "vitest";
import { at, expectError, expectFields, resultsOf } from "./support/errors.js";
import { DEPTHS } from "./support/full-bodies.js";
import { startService } from "./support/service.js";

const KEY = "0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f";
const service = await startService();
const widget = await service.create("/api/v1/widgets", { name: "drill", batch: KEY.toUpperCase() });
const id = String(widget["widgetId"]);
const upperCasePath = `/api/v1/widgets/${id.toUpperCase()}`;

test("an identifier in upper case names the entity, which answers it in lower case", async () => {
  expect(await service.read(upperCasePath)).toEqual(widget);
  const patched = await service.send("PATCH", upperCasePath, { body: { size: 1 } });
  expect(patched.json).toMatchObject({ widgetId: id, size: 1 });
  const { size: _, ...all } = patched.json;
  const replaced = await service.send("PUT", upperCasePath, { body: { ...all, size: 2 } });
  expect(replaced.json).toMatchObject({ widgetId: id, size: 2 });
});

test("a delete finds the entity by its upper-case identifier too", async () => {
  const { widgetId } = await service.create("/api/v1/widgets", { name: "short-lived" });
  const path = `/api/v1/widgets/${String(widgetId)}`;
  const upper = `/api/v1/widgets/${String(widgetId).toUpperCase()}`;
  expect((await service.send("DELETE", upper)).status).toBe(204);
  expectError(await service.send("GET", path), 404, "WidgetNotFoundMessage");
});

test.each(DEPTHS)("a UUID in upper case is answered in lower case $depth", async (place) => {
  const body = place.bodyWith({ key: KEY.toUpperCase() });
  const crate = await service.create("/api/v1/crates", body);
  expect(at(crate, `${place.path}key`)).toBe(KEY);
});

test("so is one of a list, and one in a filter finds what was sent in the other case", async () => {
  const keys = [KEY.toUpperCase(), KEY];
  const crate = await service.create("/api/v1/crates", { title: "t", keys });
  expect(crate["keys"]).toEqual([KEY, KEY]);
  for (const batch of [KEY, KEY.toUpperCase()]) {
    const found = resultsOf(await service.read(`/api/v1/widgets?batch=${batch}`));
    expect(found.map(({ widgetId }) => widgetId)).toEqual([id]);
  }
});

const NO_UUIDS = [
  "1",
  "abc",
  "null",
  "undefined",
  id.slice(0, -1),
  `${id}0`,
  id.replaceAll("-", ""),
  `{${id}}`,
  `urn:uuid:${id}`,
  id.replace(/.$/, "g"),
  `${id.slice(0, 8)}_${id.slice(9)}`,
  `%20${id}`,
  "%00",
  "%ff",
  "*",
];

const NO_KEYS = [
  "1",
  KEY.slice(1),
  `{${KEY}}`,
  KEY.replaceAll("-", ""),
  KEY.replaceAll("-", "_"),
  KEY.replaceAll("-", "0"),
  KEY.replace(/.$/, "g"),
  `${KEY} `,
  7,
  true,
  [],
];

test.each(NO_UUIDS)("what is no UUID names no entity: %s", async (text) => {
  const path = `/api/v1/widgets/${text}`;
  const body = { name: "drill" };
  for (const method of ["GET", "DELETE"]) {
    expectError(await service.send(method, path), 404, "WidgetNotFoundMessage");
  }
  expectError(await service.send("PATCH", path, { body }), 404, "WidgetNotFoundMessage");
  expectError(await service.send("PUT", path, { body }), 404, "WidgetNotFoundMessage");
  expect((await service.send("HEAD", path)).status).toBe(404);
});

test("a UUID that names nothing is not found, and neither is that of another resource", async () => {
  const { badgeId } = await service.create("/api/v1/badges", {
    serial: "one",
    addresses: ["a@example.com"],
    box: { width: 1 },
  });
  for (const absent of [KEY, String(badgeId)]) {
    const answer = await service.send("GET", `/api/v1/widgets/${absent}`);
    const error = expectError(answer, 404, "WidgetNotFoundMessage");
    expect(error.description).toContain(absent);
  }
});

test.each(DEPTHS)("as a value what is no UUID is a validation error $depth", async (place) => {
  for (const key of NO_KEYS) {
    const body = place.bodyWith({ key });
    const answer = await service.send("POST", "/api/v1/crates", { body });
    expectFields(answer, `${place.prefix}key`);
  }
});

test("as a filter what is no UUID is a validation error", async () => {
  expectFields(await service.send("GET", "/api/v1/widgets?batch=1"), "batch");
});
