import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { customCode, runtimeExport } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { answerOf, newKey, postKeyed } from "./support/keyed.js";
import { BADGES, newBadge, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService("contract", { ownErrors: true });
const badges = await customCode("badges");
const deliveries = await customCode("deliveries");
const forbidden = await runtimeExport("base/errors", "forbidden");

const post = async (key: string, body: JsonObject, path = WIDGETS) =>
  postKeyed(service, path, key, body);

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
