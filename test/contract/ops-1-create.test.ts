import { expect, test } from "vitest";
import { expectError, expectFields } from "./support/errors.js";
import { BADGES, FULL_WIDGET, LOGS, newBadge, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();

test("a POST answers 201 with the whole entity: what was sent, and what the service writes", async () => {
  const answer = await service.send("POST", WIDGETS, { body: FULL_WIDGET });
  expect(answer.status).toBe(201);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  const { widgetId, createdDate, createdSubject, lastModifiedDate, lastModifiedSubject, ...rest } =
    answer.json;
  expect(rest).toEqual(FULL_WIDGET);
  expect(widgetId).toMatch(/^[0-9a-f-]{36}$/);
  expect([createdDate, createdSubject]).toEqual([lastModifiedDate, lastModifiedSubject]);
});

test("what a POST answers is byte for byte what a GET answers afterwards", async () => {
  const made = await service.send("POST", WIDGETS, { body: FULL_WIDGET });
  const read = await service.send("GET", pathOf(WIDGETS, made.json));
  expect(read.status).toBe(200);
  expect(read.text).toBe(made.text);
});

test("Location is the absolute URL of the new resource", async () => {
  const made = await service.send("POST", BADGES, { body: newBadge("located") });
  expect(made.headers.location).toBe(`${service.url}${pathOf(BADGES, made.json)}`);
  const found = await service.send("GET", new URL(made.headers.location ?? "").pathname);
  expect(found.json).toEqual(made.json);
});

test("a resource that cannot be read one by one has a Location all the same", async () => {
  const made = await service.send("POST", LOGS, { body: { line: "started" } });
  expect(made.headers.location).toBe(`${service.url}${pathOf(LOGS, made.json)}`);
});

test("BASE_URL decides what Location begins with", async () => {
  const behind = await startService("contract", { baseUrl: "https://api.example.com/workshop" });
  const made = await behind.send("POST", WIDGETS, { body: { name: "drill" } });
  const path = pathOf(WIDGETS, made.json);
  expect(made.headers.location).toBe(`https://api.example.com/workshop${path}`);
});

test.each([
  { host: "evil.example" },
  { host: "evil.example:443", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
  { forwarded: "host=evil.example;proto=https" },
])("Location takes nothing from the request's own headers: %o", async (headers) => {
  const made = await service.send("POST", WIDGETS, { body: { name: "drill" }, headers });
  expect(made.status).toBe(201);
  expect(made.headers.location).toBe(`${service.url}${pathOf(WIDGETS, made.json)}`);
});

test("a property that may be null can be left out and is then null, a list is [], a default is the default", async () => {
  const made = await service.create(WIDGETS, { name: "drill" });
  expect(made).toMatchObject({
    ...{ name: "drill", size: null, weight: null, price: null, active: null, status: "draft" },
    ...{ tags: [], note: null, email: null, pinCode: null, startDate: null, batch: null },
    ...{ deliveryAddress: null, parts: [] },
  });
});

test("a default stands in for what is left out, never for what is sent as null", async () => {
  const made = await service.create(WIDGETS, { name: "drill", status: null });
  expect(made["status"]).toBeNull();
  const refused = await service.send("POST", BADGES, {
    body: { ...newBadge("b1"), colour: null, level: null },
  });
  expectFields(refused, "colour", "level");
});

test("a default of a nested property and of a required one stand in as well", async () => {
  const made = await service.create(BADGES, newBadge("b2"));
  expect(made).toMatchObject({ colour: "red", level: 1, box: { width: 1, height: 5 } });
  const given = await service.create(BADGES, {
    ...newBadge("b3"),
    box: { width: 1, height: null },
  });
  expect(given["box"]).toEqual({ width: 1, height: null });
});

test("a required property without a default cannot be left out", async () => {
  expectFields(await service.send("POST", WIDGETS, { body: {} }), "name");
  expectFields(await service.send("POST", BADGES, { body: {} }), "serial", "addresses", "box");
  const flat = await service.send("POST", BADGES, { body: { ...newBadge("b4"), box: {} } });
  expectFields(flat, "box.width");
});

test("the same body twice makes two entities", async () => {
  const [first, second] = [
    await service.create(WIDGETS, FULL_WIDGET),
    await service.create(WIDGETS, FULL_WIDGET),
  ];
  expect(first["widgetId"]).not.toBe(second["widgetId"]);
});

test("a refused POST stores nothing and names no Location", async () => {
  const count = async () => (await service.read(WIDGETS))["itemCount"];
  const before = await count();
  const refused = await service.send("POST", WIDGETS, { body: { ...FULL_WIDGET, size: -1 } });
  expectFields(refused, "size");
  expect(refused.headers).not.toHaveProperty("location");
  expectError(
    await service.send("POST", WIDGETS, {
      body: "{",
      headers: { "content-type": "application/json" },
    }),
    400,
    "MalformedRequestMessage",
  );
  expect(await count()).toBe(before);
});
