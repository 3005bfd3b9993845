import { expect, test } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import type { EntityService } from "#runtime/entity/entity-service";
import { customCode, type Values } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

type Services = Readonly<Record<"orders" | "depots", EntityService<never, Values, Values, Values>>>;

const ORDERS = "/api/v1/orders";
const DEPOTS = "/api/v1/depots";
const service = await startService("contract");
const orders = await customCode("orders");
const depots = await customCode("depots");

const servicesOf = (context: Context): Services => (context as Context<unknown, Services>).services;

/** Changes the label of an order through services, once. */
function relabelOnce(): (order: Values, context: Context) => Promise<void> {
  let hasBegun = false;
  return async ({ orderId = "" }, context) => {
    if (hasBegun) return;
    hasBegun = true;
    await servicesOf(context).orders.change(String(orderId), { label: "of own code" });
  };
}

test("an answer shows what beforeCommit has changed once more, with its tag", async () => {
  const relabelNew = relabelOnce();
  orders.beforeCommit = async ({ entity }, context) => relabelNew(entity, context);
  const made = await service.send("POST", ORDERS, { body: { label: "a" } });
  expect([made.status, made.json["label"]]).toEqual([201, "of own code"]);
  const path = pathOf(ORDERS, made.json);
  const read = await service.send("GET", path);
  expect([read.json, read.headers.etag]).toEqual([made.json, made.headers.etag]);
  const relabel = relabelOnce();
  orders.beforeCommit = async ({ entity }, context) => relabel(entity, context);
  const changed = await service.send("PATCH", path, { body: { label: "b" } });
  expect([changed.status, changed.json["label"]]).toEqual([200, "of own code"]);
  const after = await service.send("GET", path);
  expect([after.json, after.headers.etag]).toEqual([changed.json, changed.headers.etag]);
});

test("a hook that changes what it was given, and the same entity through services, is at fault", async () => {
  const made = await service.create(ORDERS, { label: "a" });
  orders.beforeUpdate = async (next, stored, context) => {
    if (next["label"] !== "of own code") await relabelOnce()(stored, context);
  };
  const body = { label: "b" };
  const path = pathOf(ORDERS, made);
  expectError(await service.send("PATCH", path, { body }), 500, "InternalErrorMessage");
  expect(await service.read(path)).toEqual(made);
});

test("a hook that changes what is being deleted does not stand in its way", async () => {
  const made = await service.create(DEPOTS, { name: "a" });
  depots.beforeDelete = async ({ depotId = "" }, context) => {
    await servicesOf(context).depots.change(String(depotId), { name: "b" });
  };
  const path = pathOf(DEPOTS, made);
  expect((await service.send("DELETE", path)).status).toBe(204);
  expect((await service.send("GET", path)).status).toBe(404);
});

test("a hook has copies: it may make its answer of what is stored, and changes no answer", async () => {
  const made = await service.create(DEPOTS, { name: "a" });
  const path = pathOf(DEPOTS, made);
  depots.beforeUpdate = (next, stored) => Object.assign(stored, { name: next["name"] });
  depots.beforeCommit = ({ entity }) => void Object.assign(entity, { name: "never stored" });
  const changed = await service.send("PATCH", path, { body: { name: "b" } });
  expect([changed.status, changed.json["name"]]).toEqual([200, "b"]);
  expect(changed.headers.etag).toMatch(/^"2-/);
  expect(await service.read(path)).toEqual(changed.json);
});
