import { CloudEvent as KnownEvent } from "cloudevents";
import { Webhook as Verifier } from "standardwebhooks";
import { beforeEach, expect, test, vi } from "vitest";
import type { CloudEvent } from "#runtime/events/cloud-event";
import type { EventSinks, Webhook } from "#runtime/events/event-sinks";
import type { JsonObject } from "./support/client.js";
import { EventReceiver } from "./support/event-receiver.js";
import { startService } from "./support/service.js";

const V2 = "/api/v2";
const SECRETS = [
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
];

const delivered: CloudEvent<string, JsonObject>[] = [];
let refuses: (event: CloudEvent) => boolean = () => false;
let webhooks: readonly Webhook[] = [];
const sinks: EventSinks<CloudEvent<string, JsonObject>, object> = {
  deliver(event) {
    if (refuses(event)) throw new Error("not now");
    delivered.push(event);
  },
  webhooks: () => webhooks,
};
const extension = { provided: {}, routes: [], checks: {}, onStop: () => undefined, events: sinks };
const shop = await startService("versions", { extension });
let made = 0;

beforeEach(() => {
  delivered.length = 0;
  refuses = () => false;
});

/** An order of a new customer, made through the newer version; its identifier. */
async function order(changes: JsonObject = {}): Promise<string> {
  made += 1;
  const person = { fullName: "Ada Lovelace", email: `ada${made}@example.com` };
  const { customerId = null } = await shop.create(`${V2}/customers`, person);
  const { orderId } = await shop.create(`${V2}/orders`, { customer: { customerId }, ...changes });
  return String(orderId);
}

async function change(id: string, body: JsonObject): Promise<number> {
  return (await shop.send("PATCH", `${V2}/orders/${id}`, { body })).status;
}

/** The types of the events of an entity, in the order in which they came; those of one version. */
function typesOf(id: string, version = "v2"): string[] {
  const own = delivered.filter(
    ({ subject, type }) => subject === id && type.includes(`.${version}.`),
  );
  return own.map(({ type }) => type.replace(/^\w+\.\w+\./, ""));
}

async function until(isSo: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(isSo, { timeout: 30_000, interval: 50 });
}

test("what is made, changed and deleted is told in this order, as each version shows it", async () => {
  const id = await order({ note: "fragile", shippingAddress: { postalCode: "8000" } });
  expect(await change(id, { note: "solid" })).toBe(200);
  expect((await shop.send("DELETE", `${V2}/orders/${id}`)).status).toBe(204);
  const all = ["orders.created", "orders.updated", "orders.deleted"];
  await until(() => expect([typesOf(id, "v1"), typesOf(id)]).toEqual([all, all]));
  const [older] = delivered.filter(({ type }) => type === "versions.v1.orders.created");
  expect(older?.data).toMatchObject({ remark: "fragile", deliveryAddress: { zip: "8000" } });
  const [created, updated, deleted] = delivered.filter(
    ({ subject, type }) => subject === id && type.includes(".v2."),
  );
  expect(created?.data).toMatchObject({ orderId: id, note: "fragile", status: "placed" });
  expect(updated?.data).toMatchObject({ note: "solid" });
  expect(deleted?.data).toEqual({ orderId: id });
  expect(new Set(delivered.map((event) => event.id)).size).toBe(delivered.length);
  // It throws where one is no CloudEvent 1.0.
  for (const event of delivered)
    expect(new KnownEvent({ ...event }, true).source).toBe("/versions");
});

test("nothing is told of what did not happen, or changed nothing", async () => {
  const id = await order();
  expect(await change(id, { priority: 9 })).toBe(400);
  expect(await change(id, { priority: 3 })).toBe(200);
  expect(await change(id, { status: "shipped" })).toBe(409);
  expect(await change(id, { priority: 4 })).toBe(200);
  await until(() => expect(typesOf(id)).toEqual(["orders.created", "orders.updated"]));
});

test("what fails holds up its own entity alone, and comes again with the same id", async () => {
  const [stuck, other] = [await order(), await order()];
  const tried: string[] = [];
  refuses = ({ id, subject, type }) => {
    if (subject !== stuck || !type.endsWith(".created")) return false;
    tried.push(id);
    return tried.length < 5;
  };
  for (const id of [stuck, other]) expect(await change(id, { priority: 5 })).toBe(200);
  await until(() => expect(typesOf(other)).toEqual(["orders.created", "orders.updated"]));
  expect(typesOf(stuck)).toEqual([]);
  await until(() => expect(typesOf(stuck)).toEqual(["orders.created", "orders.updated"]));
  expect(tried.length).toBeGreaterThan(4);
  // One of each version.
  expect(new Set(tried).size).toBe(2);
});

test("a webhook is sent what it wants, signed with each secret; another address than that is not asked", async () => {
  const receiver = await new EventReceiver().start();
  const elsewhere = await new EventReceiver().start();
  const types = ["versions.v2.orders.created"];
  const hook = { name: "shipping", url: receiver.url, secrets: SECRETS, types, isPrivate: true };
  const hidden = { ...hook, name: "hidden", url: elsewhere.url, isPrivate: false };
  const named = { ...hidden, name: "named", url: elsewhere.url.replace("127.0.0.1", "localhost") };
  // One that cannot be used takes nothing from the others.
  const faulty = { ...hook, name: "faulty", secrets: ["hello"] };
  webhooks = [faulty, hook, hidden, named, { ...hook, url: elsewhere.url }];
  receiver.answer = () => (receiver.received.length === 1 ? { redirect: elsewhere.url } : 204);
  // They are asked for every few seconds.
  await until(async () => {
    await order();
    expect(receiver.received.length).toBeGreaterThan(1);
  });
  await until(() => {
    const [first, ...others] = receiver.received.map(({ body }) => body);
    expect(others).toContain(first);
  });
  for (const { body, headers } of receiver.received) {
    expect(headers["content-type"]).toBe("application/cloudevents+json; charset=utf-8");
    const { id, type } = JSON.parse(body) as CloudEvent;
    expect(types).toContain(type);
    expect(headers["webhook-id"]).toBe(id);
    const sent = headers as Record<string, string>;
    for (const secret of SECRETS) expect(new Verifier(secret).verify(body, sent)).toBeTruthy();
  }
  expect(elsewhere.received).toEqual([]);
  webhooks = [];
});
