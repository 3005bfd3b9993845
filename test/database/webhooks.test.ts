import { setTimeout as pause } from "node:timers/promises";
import { stringify } from "yaml";
import { expect, test, vi } from "vitest";
import type { CloudEvent, Webhook } from "#runtime/events/event-sinks";
import type { Service } from "#runtime/service/service";
import { EventReceiver } from "../contract/support/event-receiver.js";
import { hostileReceiver, type HostileReceiver } from "../support/hostile-receivers.js";
import { renderValid } from "../support/render-files.js";
import { compiled, DATABASES, newDatabase } from "./support/order-services.js";

// EVT-1: a receiver, and custom code that names receivers, hold up nothing but what is meant for them.

const ROOMS = 40;
const SECRETS = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
const PATIENCE = { timeout: 60_000, interval: 100 };
const service = await compiled(
  "hotel",
  await renderValid({
    "service.yaml": "service: hotel\n",
    "resources/v1/rooms.yaml": stringify({
      ...{ resource: "rooms", entity: "room", events: ["created", "updated", "deleted"] },
      properties: { name: "string" },
    }),
  }),
);

type Sinks = NonNullable<Parameters<typeof service.createService>[1]>["extension"];

/** A service with these sinks, and its log. */
class Hotel {
  readonly lines: string[] = [];
  private running: Service | null = null;
  private base = "";

  async start(databaseUrl: string, events: object): Promise<this> {
    const nothing = { provided: {}, routes: [], checks: {}, onStop: () => undefined };
    const extension = { ...nothing, events } as Sinks & object;
    const streamWrite = (line: string): string => {
      this.lines.push(line);
      return "";
    };
    const logger = { formatters: {}, hooks: { streamWrite } };
    const options = { databaseUrl, extension, logger, logLevel: "warn" };
    this.running = await service.createService(service.registry, options);
    this.base = `${await this.running.listen()}/api/v1/rooms`;
    return this;
  }

  async rooms(count: number): Promise<void> {
    const headers = { "content-type": "application/json" };
    for (let made = 0; made < count; made += 1) {
      const body = JSON.stringify({ name: String(made) });
      const answer = await fetch(this.base, { method: "POST", headers, body });
      expect(answer.status).toBe(201);
    }
  }

  /** Creates rooms and changes each again and again, so that each has this many events. */
  async changedRooms(count: number, events: number): Promise<void> {
    const headers = { "content-type": "application/json" };
    const send = async (path: string, method: string, name: string): Promise<string> => {
      const body = JSON.stringify({ name });
      const answer = await fetch(this.base + path, { method, headers, body });
      expect(answer.ok).toBe(true);
      return ((await answer.json()) as { roomId: string }).roomId;
    };
    const ids = await Promise.all(Array.from({ length: count }, () => send("", "POST", "0")));
    for (let change = 1; change < events; change += 1) {
      await pause(400);
      await Promise.all(ids.map((id) => send(`/${id}`, "PATCH", String(change))));
    }
  }

  /** Stops the service; how long that took, in milliseconds. */
  async stop(): Promise<number> {
    const began = performance.now();
    this.running?.app.server.closeIdleConnections();
    await this.running?.close();
    return performance.now() - began;
  }
}

const hook = (name: string, url: string, rest: object = {}): Webhook => ({
  ...{ name, url, secrets: SECRETS, isPrivate: true },
  ...rest,
});

const roomsOf = (receiver: EventReceiver | HostileReceiver): number =>
  new Set(
    "received" in receiver
      ? receiver.received.map(({ headers }) => headers["webhook-id"])
      : receiver.requests.map((request) => /webhook-id: (\S+)/.exec(request)?.[1]),
  ).size;

const well = (socket: { write(text: string): unknown }): void =>
  void socket.write("HTTP/1.1 204 x\r\n\r\n");

test.concurrent.each(DATABASES)(
  "%s: a receiver that switches protocols takes no place, is warned of, and gets its events when it is well",
  async (database) => {
    const [good, bad] = [
      await new EventReceiver().start(),
      await hostileReceiver(
        (socket) =>
          void socket.write("HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"),
      ),
    ];
    const webhooks = () => [hook("bad", bad.url), hook("good", good.url)];
    const hotel = await new Hotel().start(await newDatabase(database), { webhooks });
    await hotel.rooms(ROOMS);
    await vi.waitFor(() => expect(roomsOf(good)).toBe(ROOMS), PATIENCE);
    await vi.waitFor(() => expect(hotel.lines.join()).toMatch(/"sink":"bad"/), PATIENCE);
    expect(hotel.lines.join()).not.toMatch(/"sink":"good"/);
    bad.requests.splice(0);
    bad.behave = well;
    await vi.waitFor(() => expect(roomsOf(bad)).toBe(ROOMS), PATIENCE);
    expect(await hotel.stop()).toBeLessThan(4000);
    bad.close();
  },
);

test.concurrent.each(DATABASES)(
  "%s: a receiver whose responses never end has as many connections as a sink has places, and is not sent an event twice",
  async (database) => {
    const drips = await hostileReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
      const timer = setInterval(() => socket.write("x"), 100);
      socket.on("close", () => clearInterval(timer));
    });
    const webhooks = () => [hook("drips", drips.url)];
    const hotel = await new Hotel().start(await newDatabase(database), { webhooks });
    await hotel.rooms(ROOMS);
    await vi.waitFor(() => expect(roomsOf(drips)).toBe(ROOMS), PATIENCE);
    expect(drips.connections.most).toBe(20);
    expect(drips.requests.length).toBe(ROOMS);
    // It does not wait for what was accepted.
    expect(await hotel.stop()).toBeLessThan(4000);
    expect(hotel.lines).toEqual([]);
    drips.close();
  },
);

const throwing = {
  get name(): string {
    throw new Error("not now");
  },
};
const hidden = new Proxy({}, { get: () => ({}) });

/** What `webhooks()` may return beside a webhook that is right, and what the log says of it. */
const FAULTY: readonly (readonly [what: string, entry: unknown, log: RegExp])[] = [
  ["null", null, /Webhook 1 of src\/app.ts needs a name/],
  ["undefined", undefined, /Webhook 1 of src\/app.ts needs a name/],
  ["a text", "https://example.com", /Webhook 1 of src\/app.ts needs a name/],
  ["no name", { url: "http://127.0.0.1:1", secrets: SECRETS }, /Webhook 1 of/],
  ["a name that is a number", hook(5 as never, "http://127.0.0.1:1"), /Webhook 1 of/],
  ["a name that throws", throwing, /Webhook 1 of/],
  ["properties of anything", hidden, /Webhook 1 of/],
  ["an empty name", hook("", "http://127.0.0.1:1"), /webhook \\"\\" of/],
  ["a name of 101 characters", hook("n".repeat(101), "http://127.0.0.1:1"), /needs a name/],
  ["a name with U+0000", hook("a\0b", "http://127.0.0.1:1"), /needs a name of its own/],
  ["a name of half a pair", hook("a\ud800", "http://127.0.0.1:1"), /needs a name of its own/],
  ["the name of custom code", hook("custom code", "http://127.0.0.1:1"), /needs a name/],
  ["no secrets", { name: "bad", url: "http://127.0.0.1:1" }, /\\"bad\\" of src\/app.ts needs secr/],
  ["secrets of null", hook("bad", "http://127.0.0.1:1", { secrets: [null] }), /needs secrets/],
  ["a secret as a text", hook("bad", "http://127.0.0.1:1", { secrets: SECRETS[0] }), /needs secr/],
  ["no URL", { name: "bad", secrets: SECRETS }, /needs a URL/],
  ["a URL that is none", hook("bad", "http://"), /needs a URL/],
  ["a URL object", hook("bad", new URL("http://127.0.0.1:1") as never), /needs a URL/],
  ["types of null", hook("bad", "http://127.0.0.1:1", { types: null }), /needs a list of texts/],
  ["types that are a text", hook("bad", "http://127.0.0.1:1", { types: "x" }), /needs a list of/],
  ["isPrivate that is a text", hook("bad", "http://127.0.0.1:1", { isPrivate: "no" }), /true or f/],
];

test.concurrent.each(DATABASES)(
  "%s: an entry of webhooks() that is none costs the others nothing, and is named in the log",
  async (database) => {
    const good = await new EventReceiver().start();
    const databaseUrl = await newDatabase(database);
    for (const [what, entry, log] of FAULTY) {
      good.received.splice(0);
      const webhooks = () => [entry, hook("good", good.url)];
      const hotel = await new Hotel().start(databaseUrl, { webhooks });
      await hotel.rooms(2);
      await vi.waitFor(() => expect(roomsOf(good), what).toBe(2), PATIENCE);
      const named = hotel.lines.filter((line) => log.test(line));
      expect(named.length, `${what}: ${hotel.lines.join("\n")}`).toBeGreaterThan(0);
      await hotel.stop();
    }
  },
);

test.concurrent.each(DATABASES)(
  "%s: events for more webhooks than are begun as one unit reach each of them",
  async (database) => {
    const receiver = await new EventReceiver().start();
    const names = Array.from({ length: 450 }, (_, number) => `hook-${number}`);
    const webhooks = () => names.map((name) => hook(name, `${receiver.url}/${name}`));
    const hotel = await new Hotel().start(await newDatabase(database), { webhooks });
    await hotel.rooms(3);
    await vi.waitFor(() => expect(receiver.received.length).toBe(3 * names.length), PATIENCE);
    expect(roomsOf(receiver)).toBe(3);
    await hotel.stop();
  },
);

test.concurrent.each(DATABASES)(
  "%s: the events of a webhook with a mistake wait until it is corrected",
  async (database) => {
    const receiver = await new EventReceiver().start();
    let secrets: unknown = null;
    const webhooks = () => [hook("named", receiver.url, { secrets })];
    const hotel = await new Hotel().start(await newDatabase(database), { webhooks });
    await hotel.rooms(5);
    await vi.waitFor(
      () => expect(hotel.lines.join()).toMatch(/"reason":"The webhook .*needs secrets/),
      PATIENCE,
    );
    secrets = SECRETS;
    await vi.waitFor(() => expect(roomsOf(receiver)).toBe(5), PATIENCE);
    await hotel.stop();
  },
);

const never = new Promise<never>(() => undefined);
const FAILURES = [
  ["throws", () => Promise.reject(new Error("the vault is sealed")), 1],
  ["returns no list", () => ({ name: "x" }), 1],
  ["never resolves", () => never, 0],
] as const;

test.concurrent.each(DATABASES.flatMap((name) => FAILURES.map((one) => [name, ...one] as const)))(
  "%s: where webhooks() %s, deliver goes on, the webhooks that are known as well, and none loses an event",
  async (database, _what, fails, lines) => {
    const receiver = await new EventReceiver().start();
    const delivered = new Set<string>();
    let isFailing = true;
    const sinks = {
      deliver: ({ id }: CloudEvent) => void delivered.add(id),
      webhooks: () => (isFailing ? fails() : [hook("one", receiver.url)]),
    };
    const hotel = await new Hotel().start(await newDatabase(database), sinks);
    // Before any webhook is known, events wait for all of them.
    await hotel.rooms(3);
    await vi.waitFor(() => expect(delivered.size).toBe(3), PATIENCE);
    expect(roomsOf(receiver)).toBe(0);
    isFailing = false;
    await vi.waitFor(() => expect(roomsOf(receiver)).toBe(3), PATIENCE);
    isFailing = true;
    await pause(6000);
    await hotel.rooms(3);
    await vi.waitFor(() => expect([delivered.size, roomsOf(receiver)]).toEqual([6, 6]), PATIENCE);
    const told = hotel.lines.filter((line) => line.includes("webhooks of src/app.ts"));
    expect(told.length).toBeGreaterThanOrEqual(lines);
    expect(told.length).toBeLessThanOrEqual(2);
    await hotel.stop();
  },
);

/** The sequences of the events of each entity, in the order in which each came first. */
function sequences(receiver: EventReceiver): ReadonlyMap<string, readonly number[]> {
  const seen = new Set<string>();
  const found = new Map<string, number[]>();
  for (const { body } of receiver.received) {
    const { id, subject, sequence } = JSON.parse(body) as CloudEvent;
    if (seen.has(id)) continue;
    seen.add(id);
    found.set(subject, [...(found.get(subject) ?? []), Number(sequence)]);
  }
  return found;
}

const EVENTS = 12;
const IN_ORDER = Array.from({ length: EVENTS }, (_, index) => index + 1);

test.concurrent.each(
  DATABASES.flatMap((database) => [1, 2].map((count) => [database, count] as const)),
)(
  "%s: webhooks that are read late get every event of an entity in order, from %d processes",
  async (database, processes) => {
    const receiver = await new EventReceiver().start();
    const delivered = new Set<string>();
    const databaseUrl = await newDatabase(database);
    const began = performance.now();
    const sinks = (waits: number) => ({
      deliver: ({ id }: CloudEvent) => void delivered.add(id),
      webhooks: async () => {
        await pause(Math.max(0, waits - (performance.now() - began)));
        return [hook("late", receiver.url)];
      },
    });
    const hotels = [await new Hotel().start(databaseUrl, sinks(3000))];
    // The second one knows its webhooks from the start.
    if (processes === 2) hotels.push(await new Hotel().start(databaseUrl, sinks(0)));
    await hotels[0]?.changedRooms(3, EVENTS);
    await vi.waitFor(() => {
      const found = [...sequences(receiver).values()];
      expect(found).toEqual([IN_ORDER, IN_ORDER, IN_ORDER]);
      expect(delivered.size).toBe(3 * EVENTS);
    }, PATIENCE);
    for (const hotel of hotels) await hotel.stop();
  },
);

test.concurrent.each(DATABASES)(
  "%s: an event that custom code refuses with anything is tried again, and the others go on",
  async (database) => {
    const thrown = [Object.create(null), "text", undefined, hidden, new Error("\0\ud800")];
    const delivered = new Set<string>();
    const refused = new Map<string, unknown>();
    const deliver = ({ subject }: CloudEvent): void => {
      if (thrown.length > 0 && !refused.has(subject)) {
        const error = thrown.pop();
        refused.set(subject, error);
        // What custom code throws is anything.
        throw error;
      }
      delivered.add(subject);
    };
    const hotel = await new Hotel().start(await newDatabase(database), { deliver });
    await hotel.rooms(8);
    await vi.waitFor(() => expect(delivered.size).toBe(8), { ...PATIENCE, timeout: 20_000 });
    await hotel.stop();
  },
);
