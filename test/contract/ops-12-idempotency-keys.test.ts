import { expect, test, vi } from "vitest";
import type { JsonObject } from "./support/client.js";
import { apiErrorClass, customCode, runtimeExport } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { answerOf, newKey, postKeyed } from "./support/keyed.js";
import { BADGES, newBadge, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const PENDING = "IdempotencyKeyPendingMessage";
const DAY = 24 * 60 * 60 * 1000;

let now = Date.parse("2026-02-03T04:05:06.789Z");
const service = await startService("contract", { clock: () => now, ownErrors: true });
const widgets = await customCode("widgets");
const badges = await customCode("badges");
const deliveries = await customCode("deliveries");
const ApiError = await apiErrorClass();
const forbidden = await runtimeExport("base/errors", "forbidden");

const post = async (key: string, body: JsonObject, path = WIDGETS) =>
  postKeyed(service, path, key, body);
const countOf = async (path: string) => (await service.read(path))["itemCount"];

test("what a hook refuses, and where one fails, is not remembered", async () => {
  const key = newKey();
  widgets.beforeCreate = () => {
    throw new ApiError(403, "ForbiddenMessage", "This is not allowed.");
  };
  expectError(await post(key, { name: "drill" }), 403, "ForbiddenMessage");
  widgets.beforeCreate = async () => Promise.reject(new Error("the other service is gone"));
  expectError(await post(key, { name: "drill" }), 500, "InternalErrorMessage");
  delete widgets.beforeCreate;
  const before = await countOf(BADGES);
  badges.beforeCommit = () => {
    throw new Error("the other service is gone");
  };
  expectError(await post(key, newBadge(key.slice(0, 12)), BADGES), 500, "InternalErrorMessage");
  delete badges.beforeCommit;
  expect(await countOf(BADGES)).toBe(before);
  expect((await post(key, { name: "drill" })).status).toBe(201);
});

test("hooks run for the first request alone, and what complete adds is part of its answer", async () => {
  const calls: string[] = [];
  widgets.beforeCreate = () => void calls.push("before");
  widgets.complete = ([widget]) => {
    calls.push("complete");
    if (widget !== undefined) widget["note"] = "completed";
  };
  widgets.afterCommit = ({ kind }) => void calls.push(kind);
  const key = newKey();
  const first = await post(key, { name: "drill" });
  expect(first.json["note"]).toBe("completed");
  expect(answerOf(await post(key, { name: "drill" }))).toEqual(answerOf(first));
  await vi.waitFor(() => expect(calls).toEqual(["before", "complete", "created"]));
});

test("a request that waits for one that is refused is carried out itself", async () => {
  let refusals = 0;
  widgets.beforeCreate = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    refusals += 1;
    if (refusals < 3) throw new ApiError(403, "ForbiddenMessage", "This is not allowed.");
  };
  const key = newKey();
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => post(key, { name: "drill" })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403, 403]);
});

test("a request waits for a slow one for a while, and is then told to come again", async () => {
  let finish = (): void => undefined;
  const isFinished = new Promise<void>((resolve) => (finish = resolve));
  widgets.beforeCreate = async () => isFinished;
  const key = newKey();
  const first = post(key, { name: "drill" });
  const refused = await post(key, { name: "drill" });
  expectError(refused, 409, PENDING);
  expect(refused.headers["retry-after"]).toBe("1");
  finish();
  expect((await first).status).toBe(201);
  expect(answerOf(await post(key, { name: "drill" }))).toEqual(answerOf(await first));
});

test("a key is kept for 24 hours, and is a new one then", async () => {
  const key = newKey();
  const first = await post(key, { name: "drill" });
  now += DAY - 1;
  expect(answerOf(await post(key, { name: "drill" }))).toEqual(answerOf(first));
  now += 1;
  const second = await post(key, { name: "hammer" });
  expect(second.status).toBe(201);
  expect(second.json["widgetId"]).not.toBe(first.json["widgetId"]);
  expect(answerOf(await post(key, { name: "hammer" }))).toEqual(answerOf(second));
});

test.each([
  { name: "that are refused", isRefused: true, most: 4 },
  { name: "of which the first is answered", isRefused: false, most: 1 },
])("requests with one key $name run one after another", async ({ isRefused, most }) => {
  let running = 0;
  const seen: number[] = [];
  badges.beforeCreate = async () => {
    running += 1;
    seen.push(running);
    await new Promise((resolve) => setTimeout(resolve, 50));
    running -= 1;
    if (isRefused) throw new ApiError(409, "BadgeAlreadyExistsMessage", "Not today.");
  };
  const key = newKey();
  const body = newBadge(`turns-${most}`);
  const send = async (): Promise<unknown> => answerOf(await post(key, body, BADGES));
  const answers = await Promise.all([send(), send(), send(), send()]);
  expect(seen).toEqual(Array.from({ length: most }, () => 1));
  if (!isRefused) expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
});

test("a key in quotes is the same key without them, where these end, and other bytes are another body", async () => {
  const key = newKey();
  const first = await post(key, { name: "drill" });
  expect(answerOf(await post(`"${key}"`, { name: "drill" }))).toEqual(answerOf(first));
  const bytes = await postKeyed(service, WIDGETS, key, '{ "name": "drill" }');
  expectError(bytes, 409, "IdempotencyKeyReusedMessage");
  for (const wrong of ['"a', 'a"', '"a";b=c', '"a\\b"', '"a b"']) {
    expectError(await post(wrong, { name: "drill" }), 400, "MalformedRequestMessage");
  }
});

test("other methods take no notice of a key", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, { name: "drill" }));
  const headers = { "idempotency-key": "a b" };
  expect((await service.send("PATCH", path, { headers, body: { size: 1 } })).status).toBe(200);
});

test("a kept answer is given only to a caller who may still do that, and no other code runs again", async () => {
  let mayCreate = true;
  let created = 0;
  badges.authorize = (operation) => {
    if (operation === "create" && !mayCreate) throw forbidden();
  };
  badges.beforeCreate = () => void (created += 1);
  const [key, body] = [newKey(), newBadge("lost")];
  const first = await post(key, body, BADGES);
  mayCreate = false;
  expectError(await post(key, body, BADGES), 403, "ForbiddenMessage");
  mayCreate = true;
  expect(answerOf(await post(key, body, BADGES))).toEqual(answerOf(first));
  expect([first.status, created]).toEqual([201, 1]);
});

test("an action under a key asks for access again as well, also where it answers with nothing", async () => {
  let mayAct = true;
  deliveries.authorize = (operation) => {
    if (operation.startsWith("action:") && !mayAct) throw forbidden();
  };
  const made = await service.create("/api/v1/deliveries", { reference: "a" });
  const path = `${pathOf("/api/v1/deliveries", made)}/start`;
  const headers = { "idempotency-key": newKey() };
  const send = async () => service.send("POST", path, { headers });
  const first = await send();
  mayAct = false;
  expectError(await send(), 403, "ForbiddenMessage");
  mayAct = true;
  expect(answerOf(await send())).toEqual(answerOf(first));
  expect(first.status).toBeLessThan(300);
});

test("of an answer that is too large to keep, the entity is read again", async () => {
  const doors = Array.from({ length: 8 }, () => "x".repeat(9000));
  const large = { name: "drill", deliveryAddress: { place: { doors } } };
  const key = newKey();
  const first = await post(key, large);
  const path = pathOf(WIDGETS, first.json);
  expect(answerOf(await post(key, large))).toEqual(answerOf(first));
  await service.send("PATCH", path, { body: { name: "hammer" } });
  const again = await post(key, large);
  expect([again.status, again.json["name"], again.headers.location]).toEqual([
    201,
    "hammer",
    first.headers.location,
  ]);
  await service.send("DELETE", path);
  expectError(await post(key, large), 404, "WidgetNotFoundMessage");
});
