import { CloudEvent as KnownEvent } from "cloudevents";
import { Webhook as Verifier } from "standardwebhooks";
import { beforeEach, expect, test, vi } from "vitest";
import type { EntityService } from "#runtime/entity/entity-service";
import type { Context } from "#runtime/entity/hooks";
import {
  type CloudEvent,
  checkWebhooks,
  type EventSinks,
  type Webhook,
} from "#runtime/events/event-sinks";
import type { JsonObject } from "./support/client.js";
import { customCode, type Values } from "./support/custom-code.js";
import { EventReceiver } from "./support/event-receiver.js";
import { startService } from "./support/service.js";

const [V1, V2] = ["/api/v1", "/api/v2"];
const SECRETS = [
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
];

type Customers = EntityService<never, Values, Values, Values>;
type Emitting = EntityService<never, Values, Values, Values, "weighed">;
type OwnContext = Context<unknown, { readonly customers: Customers }>;

const delivered: CloudEvent<string, JsonObject>[] = [];
let refuses: (event: CloudEvent) => boolean = () => false;
let webhooks: readonly Webhook[] = [];
let works: (event: CloudEvent, context: OwnContext) => Promise<unknown> = async () => undefined;
const sinks: EventSinks<CloudEvent<string, JsonObject>, OwnContext> = {
  async deliver(event, context) {
    await works(event, context);
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
  works = async () => undefined;
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
  const sequences = [created, updated, deleted].map((event) => event?.sequence ?? "");
  expect(sequences).toEqual([...new Set(sequences)].sort());
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

test("an action emits its event after the change, and custom code emits others, whichever version is called", async () => {
  const id = await order();
  const { headers } = await shop.send("POST", `${V1}/orders/${id}/pack`);
  // The answer has the tag of what is stored: the event has given it a revision.
  const match = { headers: { "If-Match": headers.etag ?? "" }, body: { remark: "taped" } };
  expect((await shop.send("PATCH", `${V1}/orders/${id}`, match)).status).toBe(200);
  expect((await shop.send("POST", `${V2}/orders/${id}/pack`)).status).toBe(409);
  expect((await shop.send("POST", `${V2}/orders/${id}/restore`)).status).toBe(200);
  expect((await shop.send("POST", `${V2}/orders/${id}/weigh`)).status).toBe(204);
  const changes = ["created", "updated", "updated", "updated"].map((kind) => `orders.${kind}`);
  const [first = "", packed = "", ...others] = changes;
  const all = [first, packed, "orders.boxed", ...others, "orders.weighed"];
  await until(() => expect([typesOf(id, "v1"), typesOf(id)]).toEqual([changes, all]));
  const boxed = delivered.find(({ type }) => type === "versions.v2.orders.boxed");
  expect(boxed?.data).toMatchObject({ orderId: id, status: "packed" });
});

test("what a hook emits before the commit comes after the change, and the answer has the tag of what is stored", async () => {
  const orders = await customCode("orders", "versions");
  orders.beforeCommit = async (change, context) => {
    if (change.kind === "deleted") return;
    const { services } = context as { readonly services: { readonly orders: Emitting } };
    await services.orders.emit(String(change.entity["orderId"]), "weighed");
  };
  const { customerId = null } = await shop.create(`${V2}/customers`, {
    ...{ fullName: "Ada Lovelace", email: "weighed@example.com" },
  });
  const body = { customer: { customerId } };
  const made = await shop.send("POST", `${V2}/orders`, { body });
  const id = String(made.json["orderId"]);
  const headers = { "If-Match": made.headers.etag ?? "" };
  const packed = await shop.send("POST", `${V2}/orders/${id}/pack`, { headers });
  delete orders.beforeCommit;
  expect([made.status, packed.status]).toEqual([201, 200]);
  const last = { headers: { "If-Match": packed.headers.etag ?? "" }, body: { priority: 2 } };
  expect((await shop.send("PATCH", `${V2}/orders/${id}`, last)).status).toBe(200);
  const all = ["created", "weighed", "updated", "weighed", "boxed", "updated"];
  await until(() => expect(typesOf(id)).toEqual(all.map((kind) => `orders.${kind}`)));
});

test.each(["lost", "created"])(
  "custom code that emits %s, which is not named under emits, fails, and nothing is told",
  async (kind) => {
    const id = await order();
    const orders = await customCode("orders", "versions");
    orders.beforeCommit = async (_change, context) => {
      const { services } = context as { readonly services: { readonly orders: Emitting } };
      // As it is in code that has the name from elsewhere.
      await services.orders.emit(id, kind as "weighed");
    };
    const status = await change(id, { priority: 4 });
    delete orders.beforeCommit;
    expect([status, await change(id, { priority: 5 })]).toEqual([500, 200]);
    await until(() => expect(typesOf(id)).toEqual(["orders.created", "orders.updated"]));
  },
);

test("a type that no event has is told with those that there are", () => {
  const types = ["shop.v1.orders.created"];
  const hook = { name: "depot", url: "https://depot.example.com", secrets: SECRETS };
  const mistakesIn = (asked: readonly string[]) =>
    checkWebhooks([{ ...hook, types: asked }], { taken: "custom code", types }).mistakes;
  expect(mistakesIn(types)).toEqual([]);
  expect(mistakesIn(["shop.v1.orders.craeted"])).toEqual([
    expect.stringMatching(/"depot".* "shop\.v1\.orders\.craeted", .* shop\.v1\.orders\.created\.$/),
  ]);
});

test("an event of a change that is refused afterwards is not told", async () => {
  const id = await order();
  const orders = await customCode("orders", "versions");
  orders.beforeCommit = () => {
    throw new Error("after all");
  };
  expect((await shop.send("POST", `${V2}/orders/${id}/pack`)).status).toBe(500);
  delete orders.beforeCommit;
  expect((await shop.send("POST", `${V2}/orders/${id}/weigh`)).status).toBe(204);
  await until(() => expect(typesOf(id)).toEqual(["orders.created", "orders.weighed"]));
});

test("what custom code does once is done once, though its event comes again, and again where it failed", async () => {
  const id = await order();
  const done: boolean[] = [];
  let runs = 0;
  works = async (event, context) => {
    if (event.subject !== id || !event.type.includes(".v2.")) return;
    const work = async (): Promise<void> => {
      runs += 1;
      const person = { fullName: event.id, email: `${event.id}@example.com` };
      await context.services.customers.create(person);
      if (runs === 1) throw new Error("after all");
    };
    done.push(await context.once(event.id, work));
    if (done.length < 3) throw new Error("not now");
  };
  await until(() => expect(typesOf(id)).toEqual(["orders.created"]));
  expect([done, runs]).toEqual([[true, false, false], 2]);
  const [told] = delivered.filter(({ subject, type }) => subject === id && type.includes(".v2."));
  const made = await shop.read(`${V2}/customers?email=${String(told?.id)}@example.com`);
  expect(made["itemCount"]).toBe(1);
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
