import { expect, test } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import { customCode, type Values } from "./support/custom-code.js";
import { expectFields } from "./support/errors.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";
import { startService } from "./support/service.js";

/** What own code can do with the entities of a resource that has actions: the generated types are not known here. */
interface Acting {
  create(input: Values): Promise<Values>;
  read(id: string): Promise<Values>;
  readonly actions: Readonly<Record<string, (...given: unknown[]) => Promise<Values>>>;
}
interface Services {
  readonly deliveries: Acting;
  readonly parcels: Acting;
  readonly unrestricted: Services;
}

const DELIVERIES = "/api/v1/deliveries";
const PARCELS = "/api/v1/parcels";
const MISSING = "ffffffff-ffff-4fff-8fff-ffffffffffff";

const keys = await newKeys("only");
const secured = await startSecured((await startKeyServer([keys.jwk])).url);
const service = await startService("contract");
const widgets = await customCode("widgets");
const deliveryHooks = await customCode("deliveries");
const parcels = await customCode("parcels", "secured");

const servicesOf = (context: Context): Services => (context as Context<unknown, Services>).services;

/** Lets a hook of another resource do something, whose document does not know of errors of deliveries; what is answered. */
async function inHook(work: (deliveries: Acting) => Promise<void>) {
  widgets.beforeCreate = async (_, context) => work(servicesOf(context).deliveries);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ name: "drill" });
  const answer = await fetch(`${service.url}/api/v1/widgets`, { method: "POST", headers, body });
  return { status: answer.status, text: await answer.text() };
}

test("own code calls actions: they see what the transaction has made, and are written with it", async () => {
  const seen: unknown[] = [];
  const made = await inHook(async (deliveries) => {
    const { actions } = deliveries;
    const id = String((await deliveries.create({ reference: "by a hook" }))["deliveryId"]);
    seen.push(id, await actions["estimate"]?.(id, { place: { city: "Oslo" } }));
    seen.push(await actions["plan"]?.({ vans: 2 }), await actions["sweep"]?.());
    seen.push((await actions["cancel"]?.(id, { reason: "late" }))?.["status"]);
    seen.push((await deliveries.read(id))["reason"]);
  });
  expect(made.status, made.text).toBe(201);
  const [id, estimate, ...others] = seen;
  expect(estimate).toMatchObject({ cost: "4.50", stops: ["Oslo"] });
  expect(others).toEqual([{ deliveries: 80 }, undefined, "cancelled", "late"]);
  const stored = await service.read(`${DELIVERIES}/${String(id)}`);
  expect(stored).toMatchObject({ status: "cancelled", reason: "late" });
});

test("what own code is refused by an action is written with nothing, and its inputs are read like a body", async () => {
  const made = await service.create(DELIVERIES, { reference: "to the harbour" });
  const id = String(made["deliveryId"]);
  const caught: unknown[] = [];
  const refused = await inHook(async ({ actions }) => {
    for (const input of [{ reason: "" }, { reason: "a", more: 1 }]) {
      await actions["cancel"]?.(id, input).catch((error: unknown) => caught.push(error));
    }
    await actions["cancel"]?.(MISSING, { reason: "a" }).catch((error: unknown) =>
      caught.push(error),
    );
    await actions["cancel"]?.(id, { reason: "a" });
    await actions["cancel"]?.(id, { reason: "b" });
  });
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining("InvalidDeliveryStateMessage"),
  ]);
  const code = "services.deliveries.actions.cancel";
  expect(caught).toMatchObject([
    { name: "OwnCodeFault", code, fields: [{ field: "reason" }] },
    { name: "OwnCodeFault", code, fields: [{ field: "more" }] },
    { status: 404 },
  ]);
  expect(await service.read(`${DELIVERIES}/${id}`)).toEqual(made);
});

test("who may do an action is asked of own code, unless it says otherwise", async () => {
  const [maker, other] = [await tokenOf(keys, "maker"), await tokenOf(keys, "other")];
  const post = async (token: string, label: string) =>
    sendAs(secured, token, ["POST", PARCELS], { label });
  const { json: made } = await post(maker, "first");
  const id = String(made["parcelId"]);
  const seen: unknown[] = [];
  const kept = async (work?: Promise<Values>): Promise<void> => {
    await work?.then(
      () => seen.push("done"),
      (error: unknown) => seen.push((error as { status?: number }).status),
    );
  };
  parcels.beforeCreate = async (_, context) => {
    const services = servicesOf(context);
    for (const { actions } of [services.parcels, services.unrestricted.parcels]) {
      await kept(actions["mark"]?.(id));
      await kept(actions["relabel"]?.(id, { label: "another" }));
      await kept(actions["recount"]?.());
    }
  };
  expect((await post(maker, "second")).status).toBe(201);
  expect(seen.splice(0)).toEqual(["done", 403, 403, "done", "done", "done"]);
  expect((await post(other, "third")).status).toBe(201);
  expect(seen).toEqual([404, 404, 403, "done", "done", "done"]);
  const { json } = await sendAs(secured, maker, ["GET", `${PARCELS}/${id}`]);
  expect(json["label"]).toBe("another");
});

test("complete is asked only for what an answer shows", async () => {
  const deliveries = await customCode("deliveries");
  const made = await service.create(DELIVERIES, { reference: "shown or not" });
  const id = String(made["deliveryId"]);
  const path = `${DELIVERIES}/${id}`;
  const headers = { "idempotency-key": "shown-or-not" };
  const estimate = { place: { city: "Oslo" } };
  const asked: unknown[] = [];
  deliveries.complete = (shown) => void asked.push(shown.map(({ status }) => status));
  expect((await service.send("POST", `${path}/estimate`, { body: estimate })).status).toBe(200);
  const started = await service.send("POST", `${path}/start`, { headers });
  expect(started.status).toBe(204);
  const called = await inHook(
    async ({ actions }) => void (await actions["estimate"]?.(id, estimate)),
  );
  expect([called.status, asked]).toEqual([201, []]);
  const cancelled = await service.send("POST", `${path}/cancel`, { body: { reason: "late" } });
  expect([cancelled.status, asked]).toEqual([200, [["cancelled"]]]);
});

/** A new delivery, and what sends it an action. */
async function newDelivery() {
  const made = await service.create(DELIVERIES, { reference: "to the harbour" });
  const id = String(made["deliveryId"]);
  const path = `${DELIVERIES}/${id}`;
  const act = async (name: string, body: Values) =>
    service.send("POST", `${path}/${name}`, { body });
  return { made, id, path, act };
}

test("business rules hold for what an action changes, and nothing is stored where they refuse it", async () => {
  const { made, path, act } = await newDelivery();
  const asked: unknown[] = [];
  deliveryHooks.validate = (next, stored, problems) => {
    asked.push([stored?.["reason"], next["reason"], next["status"]]);
    if (next["reason"] === "none") problems.add("reason", "is no reason");
  };
  deliveryHooks.beforeUpdate = (next) => void asked.push(next["reason"]);
  const refused = await act("cancel", { reason: "none" });
  expectFields(refused, "reason");
  expect(refused.text).toContain("is no reason");
  const read = await service.send("GET", path);
  expect(read.json).toEqual(made);
  expect(read.headers.etag).toMatch(/^"1-/);
  expect((await act("cancel", { reason: "late" })).status).toBe(200);
  expect(asked).toEqual([[null, "none", "cancelled"], [null, "late", "cancelled"], "late"]);
});

test("business rules are not asked about an action that changes nothing", async () => {
  const { act } = await newDelivery();
  deliveryHooks.validate = (_next, _stored, problems) => problems.add("reference", "is refused");
  const { status, text } = await act("estimate", { place: { city: "Oslo" } });
  expect(status, text).toBe(200);
});

test("own code whose action is refused by business rules is at fault", async () => {
  const { id, made, path } = await newDelivery();
  deliveryHooks.validate = (_next, _stored, problems) => problems.add("reason", "is no reason");
  const caught: unknown[] = [];
  const { status, text } = await inHook(async ({ actions }) => {
    await actions["cancel"]?.(id, { reason: "a" }).catch((error: unknown) => caught.push(error));
  });
  expect(status, text).toBe(201);
  const fields = [{ field: "reason", message: "is no reason" }];
  expect(caught).toMatchObject([{ code: "services.deliveries.actions.cancel", fields }]);
  expect(await service.read(path)).toEqual(made);
});
