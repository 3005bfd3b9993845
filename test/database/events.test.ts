import { setTimeout as pause } from "node:timers/promises";
import { stringify } from "yaml";
import { expect, test, vi } from "vitest";
import type { CloudEvent } from "#runtime/events/event-sinks";
import { EventQueue } from "#runtime/events/event-queue";
import { textOf } from "#runtime/store/rows";
import { DATABASE_NOW } from "#runtime/store/releases";
import { openDatabase } from "#runtime/store/open-database";
import { EventReceiver } from "../contract/support/event-receiver.js";
import type { Client, JsonObject } from "../contract/support/client.js";
import { places } from "../contract/support/process-tests.js";
import { startProcess } from "../contract/support/service-process.js";
import { renderValid } from "../support/render-files.js";
import { cases } from "../support/thorough.js";
import { compiled, DATABASES, newDatabase, type Yaml } from "./support/order-services.js";

// EVT-1: what others lose by a deletion is told as well, and no stop of the process loses anything.

const EVERY = ["created", "updated", "deleted"];
const KILLS = cases({ usual: 4, long: 100 });
const ENTITIES = 6;
const place = places();

const resource = (name: string, entity: string, rest: Yaml): string =>
  stringify({ resource: name, entity, events: EVERY, ...rest });
const service = await compiled(
  "announcing",
  await renderValid({
    "service.yaml": "service: depot\nevents: { source: /depots/7 }\n",
    "resources/v1/racks.yaml": resource("racks", "rack", { properties: { name: "string" } }),
    "resources/v1/boxes.yaml": resource("boxes", "box", {
      parent: "racks",
      properties: { name: "string" },
    }),
    "resources/v1/labels.yaml": resource("labels", "label", {
      parent: "boxes",
      properties: { name: "string", other: { reference: "labels", onDelete: "setNull" } },
    }),
    "resources/v1/orders.yaml": resource("orders", "order", {
      properties: {
        label: { reference: "labels", onDelete: "setNull", embed: ["name"] },
        rack: { reference: "racks", onDelete: "setNull" },
      },
    }),
  }),
);

test.concurrent.each(DATABASES)(
  "%s: what goes with an entity and what lets go of it is told, each once, and shows what is left",
  async (database) => {
    const told: CloudEvent<string, JsonObject>[] = [];
    const deliver = (event: CloudEvent<string, JsonObject>): void => void told.push(event);
    const events = { deliver };
    const extension = { provided: {}, routes: [], checks: {}, onStop: () => undefined, events };
    const databaseUrl = await newDatabase(database);
    const running = await service.createService(service.registry, { databaseUrl, extension });
    const base = `${await running.listen()}/api/v1`;
    const post = async (path: string, body: object): Promise<JsonObject> => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(base + path, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(201);
      return (await answer.json()) as JsonObject;
    };
    const { rackId } = await post("/racks", { name: "r" });
    const { boxId } = await post(`/racks/${String(rackId)}/boxes`, { name: "b" });
    const labels = [];
    for (const name of ["one", "two"]) {
      labels.push((await post(`/boxes/${String(boxId)}/labels`, { name }))["labelId"]);
    }
    const [first, second] = labels.map(String);
    await post(`/boxes/${String(boxId)}/labels`, { name: "three", other: { labelId: first } });
    const { orderId } = await post("/orders", { label: { labelId: first }, rack: { rackId } });
    const { orderId: other } = await post("/orders", { label: { labelId: second } });
    const made = 7;
    await vi.waitFor(() => expect(told.length).toBe(made), { timeout: 20_000 });
    expect((await fetch(`${base}/racks/${String(rackId)}`, { method: "DELETE" })).status).toBe(204);
    await vi.waitFor(() => expect(told.length).toBe(made + 7), { timeout: 20_000 });
    await pause(1500);
    const after = told.slice(made);
    expect(after.map(({ type }) => type.replace("depot.v1.", "")).sort()).toEqual([
      ...["boxes.deleted", "labels.deleted", "labels.deleted", "labels.deleted"],
      ...["orders.updated", "orders.updated", "racks.deleted"],
    ]);
    const updated = after.filter(({ type }) => type.endsWith("updated"));
    expect(new Set(updated.map(({ subject }) => subject))).toEqual(
      new Set([orderId, other].map(String)),
    );
    for (const { data, source } of updated) {
      expect(data).toMatchObject({ label: null, rack: null });
      expect(source).toBe("/depots/7");
    }
    await running.close();
  },
);

test.concurrent.each(DATABASES)(
  "%s: no kill loses an event or changes their order, and a repeated one is the same",
  async (database) => {
    const receiver = await new EventReceiver().start();
    receiver.answer = () => (Math.random() < 1 / 3 ? 500 : 204);
    const databaseUrl = await newDatabase(database);
    const variables = {
      ...{ DATABASE_URL: databaseUrl, TEST_MAKE_SCHEMA: "true" },
      ...{ TEST_SERVICE: "versions", TEST_WEBHOOK: receiver.url },
    };
    const acknowledged = new Map<string, number>();
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const running = startProcess(place(`kills-${database}`), variables);
      const client = await running.ready;
      if (acknowledged.size === 0)
        for (const id of await sixOrders(client)) acknowledged.set(id, 0);
      const stopping = new AbortController();
      const work = [...acknowledged.keys()].map((id) =>
        countUp(client, { id, acknowledged, signal: stopping.signal }),
      );
      await pause(kill === KILLS ? 500 : 100 + Math.random() * 1500);
      stopping.abort();
      if (kill < KILLS) running.child.kill("SIGKILL");
      await Promise.all(work);
      if (kill < KILLS) continue;
      // What the kills have left waits for leases to end, and then for a third of all attempts, once more.
      await vi.waitFor(() => expectAll(receiver, acknowledged), {
        timeout: 120_000 + KILLS * 5000,
        interval: 500,
      });
      running.child.kill("SIGTERM");
      await running.ended;
    }
  },
  400_000 + KILLS * 10_000,
);

// Bounded in time, and so alone.
test.each(DATABASES)(
  "%s: a sink that is down is asked now and then, and gets everything when it is back",
  async (database) => {
    let attempts = 0;
    let isDown = true;
    const told = new Set<string>();
    const deliver = ({ subject }: CloudEvent): void => {
      attempts += 1;
      if (isDown) throw new Error("down");
      told.add(String(subject));
    };
    const extension = {
      ...{ provided: {}, routes: [], checks: {}, onStop: () => undefined },
      events: { deliver },
    };
    const databaseUrl = await newDatabase(database);
    const running = await service.createService(service.registry, { databaseUrl, extension });
    const url = `${await running.listen()}/api/v1/racks`;
    const headers = { "content-type": "application/json" };
    for (let index = 0; index < 100; index += 1)
      await fetch(url, { method: "POST", headers, body: `{ "name": "${index}" }` });
    await pause(5000);
    // Each alone would have been tried three times or more.
    expect(attempts).toBeGreaterThanOrEqual(20);
    expect(attempts).toBeLessThan(120);
    isDown = false;
    await vi.waitFor(() => expect(told.size).toBe(100), { timeout: 20_000, interval: 200 });
    await running.close();
  },
);

test.concurrent.each(DATABASES)(
  "%s: an event is given up at last, kept with its reason, and delivered when somebody asks for it",
  async (database) => {
    const told: string[] = [];
    let isBroken = true;
    const deliver = ({ subject, type }: CloudEvent): void => {
      if (isBroken && type.endsWith("created")) throw new Error("the shelf is full");
      told.push(`${subject} ${type}`);
    };
    const events = { deliver };
    const extension = { provided: {}, routes: [], checks: {}, onStop: () => undefined, events };
    const databaseUrl = await newDatabase(database);
    const running = await service.createService(service.registry, { databaseUrl, extension });
    const base = `${await running.listen()}/api/v1/racks`;
    const send = async (path: string, method: string, name: string): Promise<JsonObject> => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(base + path, { method, headers, body: JSON.stringify({ name }) });
      return (await answer.json()) as JsonObject;
    };
    const id = String((await send("", "POST", "one"))["rackId"]);
    await send(`/${id}`, "PATCH", "two");
    const other = await openDatabase({
      ...{ url: databaseUrl, connections: 2, requestSeconds: 30, name: "test" },
    });
    // Nobody waits for a day here: it looks as if it had been tried as often.
    await vi.waitFor(
      async () => {
        const sql = "UPDATE event_streams SET attempts = 26, due = 0 WHERE lease IS NULL";
        await other.write([{ sql, values: [] }]);
        expect(told).toEqual([`${id} depot.v1.racks.updated`]);
      },
      { timeout: 20_000, interval: 500 },
    );
    await other.close();
    const [failure, ...none] = (await running.events?.failures()) ?? [];
    expect(none).toEqual([]);
    const kept = { entityId: id, type: "depot.v1.racks.created", sink: "custom code" };
    expect(failure).toMatchObject({ ...kept, reason: "the shelf is full" });
    if (failure === undefined) throw new Error("nothing was given up");
    expect(await running.events?.retry(failure)).toBe("the shelf is full");
    isBroken = false;
    expect(await running.events?.retry(failure)).toBeNull();
    expect(told.at(-1)).toBe(`${id} depot.v1.racks.created`);
    expect(await running.events?.failures()).toEqual([]);
    await running.close();
  },
);

test.concurrent.each(DATABASES)(
  "%s: what a sink that is gone did not get is forgotten after a week, what was given up after 30 days, and nothing else",
  async (database) => {
    const databaseUrl = await newDatabase(database);
    await (await service.createService(service.registry, { databaseUrl })).close();
    const store = await openDatabase({
      ...{ url: databaseUrl, connections: 2, requestSeconds: 30, name: "test" },
    });
    const queue = new EventQueue(store, () => "unused", false);
    const ago = `${DATABASE_NOW[database]} - ?`;
    const hours = (count: number): number => count * 3_600_000;
    const waiting = (rack: string, sink: string, age: number) => ({
      sql: `INSERT INTO event_streams (topic, entity_id, sink, revision, added, attempts, due)
        VALUES ('v1/racks', ?, ?, 0, 1, 0, ${ago})`,
      values: [rack, sink, age],
    });
    const written = (rack: string) => ({
      sql: `INSERT INTO entity_events VALUES ('v1/racks', ?, 1, 'created', ?, ?, '{}', 1)`,
      values: [rack, "2026-01-01T00:00:00.000Z", rack],
    });
    const givenUp = (id: string, sink: string, age: number) => ({
      sql: `INSERT INTO event_failures VALUES (?, ?, 'v1/racks', 'rack', 1, 'created', ?, '{}', 'full', ${ago})`,
      values: [id, sink, "2026-01-01T00:00:00.000Z", age],
    });
    const [week, month] = [hours(7 * 24), hours(30 * 24)];
    await store.write([
      ...["old", "shared", "young", "present"].map(written),
      waiting("old", "gone", week + hours(1)),
      waiting("shared", "gone", week + hours(1)),
      waiting("shared", "present", week + hours(1)),
      waiting("young", "gone", week - hours(1)),
      waiting("present", "present", 2 * month),
      givenUp("old of present", "present", month + hours(1)),
      givenUp("old of gone", "gone", month + hours(1)),
      givenUp("young of present", "present", month - hours(1)),
      givenUp("young of gone", "gone", month - hours(1)),
    ]);
    await queue.forgetOld(["present"]);
    await queue.sweep();
    const left = async (what: string, table: string): Promise<string[]> => {
      const rows = await store.all(`SELECT ${what} AS one FROM ${table}`, []);
      return rows.map((row) => textOf(row["one"])).sort();
    };
    expect(await left("entity_id || ' for ' || sink", "event_streams")).toEqual([
      ...["present for present", "shared for present", "young for gone"],
    ]);
    expect(await left("entity_id", "entity_events")).toEqual(["present", "shared", "young"]);
    expect(await left("event_id", "event_failures")).toEqual(["young of gone", "young of present"]);
    await store.close();
  },
);

async function sixOrders(client: Client): Promise<string[]> {
  const person = { fullName: "Ada Lovelace", email: "ada@example.com" };
  const { customerId = null } = await client.create("/api/v2/customers", person);
  const body = { customer: { customerId }, note: "0" };
  const ids: string[] = [];
  for (let made = 0; made < ENTITIES; made += 1) {
    ids.push(String((await client.create("/api/v2/orders", body))["orderId"]));
  }
  return ids;
}

/** Changes an order again and again, each time to the next number, until it is stopped or the connection breaks. */
async function countUp(
  client: Client,
  {
    id,
    acknowledged,
    signal,
  }: { id: string; acknowledged: Map<string, number>; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const next = (acknowledged.get(id) ?? 0) + 1;
    const body = { note: String(next) };
    const answer = await client.send("PATCH", `/api/v2/orders/${id}`, { body }).catch(() => null);
    // What was not answered may have happened: the next one sends it again, which changes nothing then.
    if (answer === null) return;
    if (answer.status === 200) acknowledged.set(id, next);
    await pause(200);
  }
}

/** Each change of each order was received, and for the first time in their order. */
function expectAll(receiver: EventReceiver, acknowledged: ReadonlyMap<string, number>): void {
  const bodies = new Map<string, string>();
  const received = new Map<string, number[]>();
  for (const { body } of receiver.received) {
    const { id, type, subject, data } = JSON.parse(body) as CloudEvent<string, JsonObject>;
    if (!type.includes(".v2.")) continue;
    expect(bodies.get(id) ?? body).toBe(body);
    if (!bodies.has(id)) {
      received.set(subject, [...(received.get(subject) ?? []), Number(data["note"])]);
    }
    bodies.set(id, body);
  }
  for (const [id, most] of acknowledged) {
    const numbers = received.get(id) ?? [];
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, number) => number));
    expect(numbers.length).toBeGreaterThan(most);
  }
}
