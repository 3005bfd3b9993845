import { gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import type { JsonObject } from "./support/client.js";
import { CONVOYS, newConvoy, under } from "./support/convoys.js";
import { apiErrorClass, customCode } from "./support/custom-code.js";
import { expectError, expectFields } from "./support/errors.js";
import { answerOf, newKey, postKeyed } from "./support/keyed.js";
import { BADGES, FULL_WIDGET, newBadge, pathOf, WIDGETS } from "./support/samples.js";
import { newKeys, startKeyServer, startSecured, tokenOf } from "./support/secured.js";
import { startService } from "./support/service.js";

const REUSED = "IdempotencyKeyReusedMessage";
const PENDING = "IdempotencyKeyPendingMessage";
const DAY = 24 * 60 * 60 * 1000;

let now = Date.parse("2026-02-03T04:05:06.789Z");
const service = await startService("contract", { clock: () => now, ownErrors: true });
const widgets = await customCode("widgets");
const badges = await customCode("badges");
const ApiError = await apiErrorClass();

const post = async (key: string, body: JsonObject | string, path = WIDGETS) =>
  postKeyed(service, path, key, body);
const countOf = async (path: string) => (await service.read(path))["itemCount"];

test("the same request again gives the same answer again, and one entity", async () => {
  const key = newKey();
  const before = Number(await countOf(WIDGETS));
  const first = await post(key, FULL_WIDGET);
  expect(first.status).toBe(201);
  for (let time = 0; time < 3; time += 1) {
    expect(answerOf(await post(key, FULL_WIDGET))).toEqual(answerOf(first));
  }
  expect(first.headers.location).toBe(`${service.url}${pathOf(WIDGETS, first.json)}`);
  expect(await countOf(WIDGETS)).toBe(before + 1);
});

test("it is the first answer, also when the entity was changed or deleted since", async () => {
  const key = newKey();
  const first = await post(key, { name: "drill" });
  const path = pathOf(WIDGETS, first.json);
  await service.send("PATCH", path, { body: { name: "hammer" } });
  expect(answerOf(await post(key, { name: "drill" }))).toEqual(answerOf(first));
  await service.send("DELETE", path);
  expect(answerOf(await post(key, { name: "drill" }))).toEqual(answerOf(first));
  expect((await service.send("GET", path)).status).toBe(404);
});

test("another body under the same key is 409, and creates nothing", async () => {
  const key = newKey();
  const first = await post(key, { name: "drill" });
  const before = await countOf(WIDGETS);
  const { description } = expectError(await post(key, { name: "hammer" }), 409, REUSED);
  expect(description).toContain("another body");
  // Also one that would be refused, and one that differs in its bytes alone.
  expectError(await post(key, { name: "" }), 409, REUSED);
  expectError(await post(key, '{ "name": "drill" }'), 409, REUSED);
  expect(answerOf(await post(key, { name: "drill" }))).toEqual(answerOf(first));
  expect(await countOf(WIDGETS)).toBe(before);
});

test("without a key, and with another one, the same body makes another entity", async () => {
  const bodies = [await post(newKey(), FULL_WIDGET), await post(newKey(), FULL_WIDGET)];
  const plain = await service.create(WIDGETS, FULL_WIDGET);
  const ids = [...bodies.map(({ json }) => json["widgetId"]), plain["widgetId"]];
  expect(new Set(ids).size).toBe(3);
});

test("a repeated POST of a unique value is the same request, and no clash with itself", async () => {
  const key = newKey();
  const body = newBadge(key.slice(0, 12));
  const first = await post(key, body, BADGES);
  expect(answerOf(await post(key, body, BADGES))).toEqual(answerOf(first));
  expectError(await post(newKey(), body, BADGES), 409, "BadgeAlreadyExistsMessage");
});

test("a refused request is not remembered: the key is free for the next one", async () => {
  const key = newKey();
  expectFields(await post(key, { name: "" }), "name");
  expectError(await post(key, "{"), 400, "MalformedRequestMessage");
  expect((await post(key, { name: "drill" })).status).toBe(201);
  const taken = newBadge(key.slice(0, 12));
  const owner = await service.create(BADGES, taken);
  expectError(await post(key, taken, BADGES), 409, "BadgeAlreadyExistsMessage");
  await service.send("DELETE", pathOf(BADGES, owner));
  expect((await post(key, taken, BADGES)).status).toBe(201);
});

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

test("requests that meet are one: all of them are answered with the same entity", async () => {
  widgets.beforeCreate = async () => new Promise((resolve) => setTimeout(resolve, 50));
  const key = newKey();
  const before = Number(await countOf(WIDGETS));
  const answers = await Promise.all(
    Array.from({ length: 30 }, async () => post(key, { name: "drill" })),
  );
  const [first] = answers;
  for (const answer of answers) expect(answerOf(answer)).toEqual(first && answerOf(first));
  expect(first?.status).toBe(201);
  expect(await countOf(WIDGETS)).toBe(before + 1);
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

test("each path has keys of its own: parents, representations", async () => {
  const key = newKey();
  const [one, two] = [await newConvoy(service), await newConvoy(service)];
  const first = await post(key, { label: "w" }, under(one.convoy));
  const second = await post(key, { label: "w" }, under(two.convoy));
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(first.json["wagonId"]).not.toBe(second.json["wagonId"]);
  const upperCase = under(one.convoy).replace(/[0-9a-f-]{36}/, (id) => id.toUpperCase());
  expect(answerOf(await post(key, { label: "w" }, upperCase))).toEqual(answerOf(first));
  // The answer stands although the parent is gone.
  await service.send("DELETE", pathOf(CONVOYS, one.convoy));
  expect(answerOf(await post(key, { label: "w" }, under(one.convoy)))).toEqual(answerOf(first));
  expectError(
    await post(newKey(), { label: "w" }, under(one.convoy)),
    404,
    "ConvoyNotFoundMessage",
  );
});

test("other methods take no notice of the header, whatever it says", async () => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  const path = pathOf(WIDGETS, made);
  const headers = { "idempotency-key": "a b" };
  const body = { size: 1 };
  expect((await service.send("PATCH", path, { headers, body })).status).toBe(200);
  expect((await service.send("PUT", path, { headers, body: FULL_WIDGET })).json["size"]).toBe(12);
  expect((await service.send("GET", path, { headers })).status).toBe(200);
  expect((await service.send("DELETE", path, { headers })).status).toBe(204);
});

test("a large answer is repeated whole, compressed where that is asked for", async () => {
  const key = newKey();
  const body = { ...FULL_WIDGET, note: "ü€😀".repeat(1000) };
  const first = await post(key, body);
  expect(first.status, first.text).toBe(201);
  const headers = { "idempotency-key": key, "accept-encoding": "gzip" };
  const again = await service.send("POST", WIDGETS, { headers, body });
  expect(again.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(again.bytes).toString("utf8")).toBe(first.text);
});

test("nobody is answered with what was made for another caller", async () => {
  const keys = await newKeys("only");
  const secured = await startSecured((await startKeyServer([keys.jwk])).url);
  const key = newKey();
  const send = async (caller: string | null) => {
    const token = caller === null ? {} : { authorization: `Bearer ${await tokenOf(keys, caller)}` };
    const headers = { ...token, "idempotency-key": key };
    return secured.send("POST", "/api/v1/drafts", { headers, body: { text: "mine" } });
  };
  const [mine, theirs] = [await send("me"), await send("them")];
  expect([mine.status, theirs.status]).toEqual([201, 201]);
  expect(theirs.json["draftId"]).not.toBe(mine.json["draftId"]);
  expect(answerOf(await send("me"))).toEqual(answerOf(mine));
  expectError(await send(null), 401, "UnauthorizedMessage");
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
