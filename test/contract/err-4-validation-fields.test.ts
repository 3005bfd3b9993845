import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectError, expectFields } from "./support/errors.js";
import { BADGES, FULL_WIDGET, newBadge, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const post = async (body: JsonObject) => service.send("POST", WIDGETS, { body });

test("a validation error has fields, each a property and what is wrong with it, and no more", async () => {
  const answer = await post({ name: "drill", size: -1 });
  const { fields } = expectError(answer, 400, "ValidationFailedMessage");
  expect(fields).toEqual([{ field: "size", message: "must be at least 0" }]);
});

test("all offending properties are named at once, at every depth", async () => {
  const answer = await post({
    ...{ size: "big", weight: "heavy", price: 1.5, active: "yes", status: "OPEN", note: 5 },
    ...{ tags: ["a", 5, "a", "x".repeat(31)], email: "no", pinCode: "12", startDate: "today" },
    ...{ batch: "1", extra: true },
    deliveryAddress: { state: 1, place: { floor: 1.5, doors: [""] }, more: 1 },
    parts: [{ label: "ok" }, { amount: "x" }, "text", null],
  });
  expectFields(
    answer,
    ...["name", "size", "weight", "price", "active", "status", "note", "email", "pinCode"],
    ...["startDate", "batch", "extra", "tags[1]", "tags[2]", "tags[3]", "deliveryAddress.state"],
    ...["deliveryAddress.place.floor", "deliveryAddress.place.doors[0]", "deliveryAddress.more"],
    ...["parts[1].label", "parts[1].amount", "parts[2]", "parts[3]"],
  );
});

test.each<[JsonObject, string]>([
  [{ name: null }, "name"],
  [{ name: "" }, "name"],
  [{ name: " \t\n" }, "name"],
  [{ name: 5 }, "name"],
  [{ name: ["drill"] }, "name"],
  [{ name: "x".repeat(65) }, "name"],
  [{ name: "a\0b" }, "name"],
  [{ name: "a\ud800b" }, "name"],
  [{ size: 1.5 }, "size"],
  [{ size: "1" }, "size"],
  [{ size: true }, "size"],
  [{ size: -1 }, "size"],
  [{ size: 1_000_001 }, "size"],
  [{ weight: "1" }, "weight"],
  [{ price: 1 }, "price"],
  [{ price: "1.234" }, "price"],
  [{ price: "1e2" }, "price"],
  [{ price: "12345678901234567890.12" }, "price"],
  [{ active: 1 }, "active"],
  [{ active: "true" }, "active"],
  [{ status: "Open" }, "status"],
  [{ status: "toString" }, "status"],
  [{ status: 0 }, "status"],
  [{ tags: "red" }, "tags"],
  [{ tags: {} }, "tags"],
  [{ tags: [null] }, "tags[0]"],
  [{ tags: [""] }, "tags[0]"],
  [{ tags: [["red"]] }, "tags[0]"],
  [{ tags: ["a", "b", "a"] }, "tags[2]"],
  [{ tags: "abcdefghijk".split("") }, "tags"],
  [{ email: "a@b..c" }, "email"],
  [{ pinCode: "1234\n" }, "pinCode"],
  [{ pinCode: "１２３４" }, "pinCode"],
  [{ startDate: 1_700_000_000 }, "startDate"],
  [{ startDate: "2026-02-30T00:00:00.000Z" }, "startDate"],
  [{ startDate: "2026-01-01T00:00:00.000+00:00" }, "startDate"],
  [{ batch: "{0190a0a0-1111-7000-8000-000000000000}" }, "batch"],
  [{ deliveryAddress: "Hof" }, "deliveryAddress"],
  [{ deliveryAddress: [] }, "deliveryAddress"],
  [{ deliveryAddress: { place: 5 } }, "deliveryAddress.place"],
  [{ deliveryAddress: { place: { doors: {} } } }, "deliveryAddress.place.doors"],
  [{ parts: [{ label: "a" }, { label: null }] }, "parts[1].label"],
  [{ parts: [{ label: "a", amount: 9_007_199_254_740_992 }] }, "parts[0].amount"],
])("%o is one issue, on %s, for POST, PUT and PATCH alike", async (part, field) => {
  expectFields(await post({ name: "drill", ...part }), field);
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  expectFields(await service.send("PUT", path, { body: { ...FULL_WIDGET, ...part } }), field);
  expectFields(await service.send("PATCH", path, { body: part }), field);
  expect(await service.read(path)).toMatchObject(FULL_WIDGET);
});

test.each<JsonObject>([
  ...[{ size: 0 }, { size: 1_000_000 }, { name: "x" }, { name: "x".repeat(64) }],
  ...[{ tags: "abcdefghij".split("") }, { tags: ["x".repeat(30)] }],
  ...[9_007_199_254_740_991, -9_007_199_254_740_991].map((amount) => ({
    parts: [{ label: "a", amount }],
  })),
])("%o is at a bound, which is no issue", async (part) => {
  expect(await service.create(WIDGETS, { name: "drill", ...part })).toMatchObject(part);
});

test("one property is one element, however much is wrong with it", async () => {
  const answer = await post({ name: "drill", email: " ".repeat(3) + "x".repeat(300) + "\0" });
  const { fields = [] } = expectError(answer, 400, "ValidationFailedMessage");
  expect(fields.map(({ field }) => field)).toEqual(["email"]);
});

test("an array is bounded by its own path, and a duplicate item stands at its own", async () => {
  const addresses = ["a@example.com", "b@example.com"];
  expectFields(await post({ name: "drill", tags: ["a", "b", "b", "a"] }), "tags[2]", "tags[3]");
  for (const none of [[], null]) {
    const body = { ...newBadge("none"), addresses: none };
    expectFields(await service.send("POST", BADGES, { body }), "addresses");
  }
  const body = { ...newBadge("two"), addresses: [...addresses, "no"] };
  expectFields(await service.send("POST", BADGES, { body }), "addresses[2]");
});

test.each([
  ...["1e-400", "-12.5E-999", "1e400", `0.${"0".repeat(400)}1`, "-1e999"],
  ...["9007199254740991.4", "-1.00000000000000000001", "100000000000000000001e-2"],
])("a number that no reader can hold is one issue, on its property: %#", async (text) => {
  const headers = { "content-type": "application/json" };
  const body = `{"name":"e: 1e-400","weight":${text},"size":${text},"active":true,"tags":["1e-400"]}`;
  const answer = await service.send("POST", WIDGETS, { body, headers });
  const messages = expectFields(answer, "size", "weight");
  expect(messages["weight"]).toBe("must be a number that 64 bits can hold");
  const found = await service.send("GET", `${WIDGETS}?weight=${text}`);
  expectFields(found, "weight");
  for (const zero of ["0e-400", "-0.0E+5", "0"]) {
    const sent = `{"name":"drill","weight":${zero}}`;
    const made = await service.send("POST", WIDGETS, { body: sent, headers });
    expect([made.status, made.json["weight"]]).toEqual([201, 0]);
  }
});

test.each([
  { count: 100, told: undefined },
  { count: 101, told: "The first 100 are listed; there is 1 more." },
  { count: 4321, told: "The first 100 are listed; there are 4321 more." },
])("of $count problems 100 are listed, and the others are counted", async ({ count, told }) => {
  const more = count === 4321 ? count + 100 : count;
  const names = Array.from({ length: more - 1 }, (_, index) => [`x${index}`, 1] as const);
  const answer = await post({ ...Object.fromEntries(names), name: 5 });
  const { fields = [], description } = expectError(answer, 400, "ValidationFailedMessage");
  expect([fields.length, description]).toEqual([100, told]);
});

test("problems in a list are counted to its end", async () => {
  const body = { title: "full", fees: Array.from({ length: 200 }, () => 1) };
  const answer = await service.send("POST", "/api/v1/crates", { body });
  const { description } = expectError(answer, 400, "ValidationFailedMessage");
  expect(description).toBe("The first 100 are listed; there are 100 more.");
});

test("a message says what is right, in words, and never repeats what was sent", async () => {
  const sent = "canary-".repeat(5);
  const answer = await post({ name: "drill", startDate: sent, email: sent, pinCode: sent });
  const messages = expectFields(answer, "startDate", "email", "pinCode");
  expect(messages["startDate"]).toContain("yyyy-MM-ddTHH:mm:ss.SSSZ");
  expect(JSON.stringify(messages)).not.toContain("canary");
});

test("a sensitive value never shows in an error", async () => {
  const body = { ...newBadge("secret"), secret: `canary${"x".repeat(40)}` };
  const answer = await service.send("POST", BADGES, { body });
  expectFields(answer, "secret");
  expect(answer.text).not.toContain("canary");
});

test("a long or strange unknown name is shown clipped, and as JSON", async () => {
  const answer = await post({ name: "drill", ["x".repeat(5000)]: 1, 'a"b\n': 1 });
  const { fields = [] } = expectError(answer, 400, "ValidationFailedMessage");
  expect(fields.map(({ field }) => field)).toContain('a"b\n');
  expect(answer.text.length).toBeLessThan(2000);
});
