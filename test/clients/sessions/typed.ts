import assert from "node:assert/strict";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  ConnectionError,
  createClient,
  etagOf,
  isServiceError,
  type Client,
  type ClientOptions,
  type WidgetDto,
} from "../../.services/clients/fixtures/contract/client/v1/src/index.js";

/** Uses the service of fixtures/contract by its own client. Throws where an answer is another. */
export async function session(url: string): Promise<void> {
  const client = createClient({ baseUrl: url });
  await lists(client);
  await changes(client);
  await children(client);
  await refusals(client);
  await lostAnswers(url);
  await waits(url);
}

async function lists(client: Client): Promise<void> {
  const widget: WidgetDto = await client.widgets.create({ name: "drill & bit", tags: ["steel"] });
  for (const size of [1, 2, 3, 4]) {
    await client.widgets.create({ name: `nail ${size}`, size, status: "open" });
  }
  const query = { status: "open", sort: ["-size", "name"], pageSize: 3 } as const;
  const page = await client.widgets.list(query);
  assert.deepEqual([page.itemCount, page.results.map(({ size }) => size)], [4, [4, 3, 2]]);
  const walked: string[] = [];
  for await (const { name } of client.widgets.all({ sort: ["name"], pageSize: 2 })) {
    walked.push(name);
  }
  assert.deepEqual(walked, ["drill & bit", "nail 1", "nail 2", "nail 3", "nail 4"]);
  const found = await client.widgets.list({
    name: "drill & bit",
    size: null,
    "deliveryAddress.state": [null, "Bavaria"],
  });
  assert.deepEqual(found.results, [widget]);
}

async function changes(client: Client): Promise<void> {
  const widget = await client.widgets.create({ name: "counter", size: 0 });
  const { widgetId: id } = widget;
  const more = { retryOnConflict: true };
  const add = (stored: WidgetDto) => ({ size: (stored.size ?? 0) + 1 });
  await Promise.all(Array.from({ length: 4 }, () => client.widgets.update(id, add, more)));
  const counted = await client.widgets.read(id);
  assert.equal(counted.size, 4);
  await client.widgets.update(id, { note: "later" }, more);
  await assert.rejects(
    client.widgets.update(id, { note: "too late" }, { ifMatch: etagOf(counted) }),
    (error) => isServiceError(error) && error.type === "PreconditionFailedMessage",
  );
  await assert.rejects(client.widgets.update(id, add, { ifMatch: etagOf(counted) }), TypeError);
  assert.throws(() => etagOf({ ...counted }), TypeError);
  const replaced = await client.widgets.replace(id, { ...counted, price: "1.50" });
  assert.equal(replaced.price, "1.50");
  await client.widgets.delete(id, { ifMatch: etagOf(replaced) });
  assert.throws(() => client.widgets.read("../orders"), /"\.\.\/orders" is not an identifier/);
  assert.throws(() => createClient({ baseUrl: "localhost:3000" }), /baseUrl is "localhost:3000"/);
}

/** What stands under a parent, and actions. */
async function children(client: Client): Promise<void> {
  const { convoyId } = await client.convoys.create({ name: "north" });
  const under = client.wagons.ofConvoy(convoyId);
  const wagon = await under.create({ label: "first", status: "moving" });
  await under.create({ label: "second" });
  const moving = await under.aliases.movingones.list();
  assert.deepEqual(moving.results, [wagon]);
  const labels = await under.list({ sort: ["-label"] });
  assert.deepEqual(
    labels.results.map(({ label }) => label),
    ["second", "first"],
  );
  assert.equal((await client.wagons.list({ status: ["moving", "lost"] })).itemCount, 1);
  const gone = "00000000-0000-4000-8000-000000000000";
  const { deliveries } = client;
  assert.deepEqual(await deliveries.actions.plan({ vans: 2 }), { deliveries: 80 });
  const { deliveryId } = await deliveries.create({ reference: "north" });
  await deliveries.actions.start(deliveryId);
  const cancelled = await deliveries.actions.cancel(deliveryId, { reason: "late" });
  assert.deepEqual([cancelled.status, cancelled.reason], ["cancelled", "late"]);
  await assert.rejects(deliveries.actions.cancel(gone, { reason: "late" }), (error) => {
    return isServiceError(error) && error.type === "DeliveryNotFoundMessage";
  });
}

async function refusals(client: Client): Promise<void> {
  // @ts-expect-error the name is required, and there is no such status
  const wrong = client.widgets.create({ status: "broken" });
  await assert.rejects(wrong, (error) => {
    assert.ok(isServiceError(error) && error.type === "ValidationFailedMessage");
    assert.deepEqual(error.fields.map(({ field }) => field).sort(), ["name", "status"]);
    assert.equal(error.status, 400);
    return error.requestId.length > 10;
  });
  const gone = "00000000-0000-4000-8000-000000000000";
  await assert.rejects(client.widgets.read(gone), (error) => {
    return isServiceError(error) && error.type === "WidgetNotFoundMessage" && error.status === 404;
  });
}

/** Each request reaches the service, and what is told of the answers is up to `spoil`. */
async function behindProxy(
  url: string,
  spoil: (answered: number, sent: IncomingMessage, answer: ServerResponse) => boolean,
  use: (options: ClientOptions) => Promise<void>,
): Promise<void> {
  let answered = 0;
  const proxy = createServer((sent, answer) => {
    const { method, headers } = sent;
    const forwarded = request(url + (sent.url ?? ""), { method, headers }, (received) => {
      answered += 1;
      if (spoil(answered, sent, answer)) {
        received.resume();
        return;
      }
      answer.writeHead(received.statusCode ?? 500, received.headers);
      received.pipe(answer);
    });
    sent.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  try {
    await use({ baseUrl: `http://127.0.0.1:${port}` });
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
}

/** What was done, and not told, is done once. */
async function lostAnswers(url: string): Promise<void> {
  const first = (answered: number, sent: IncomingMessage): boolean => {
    if (answered === 1) sent.socket.destroy();
    return answered === 1;
  };
  const direct = createClient({ baseUrl: url });
  const named = async (name: string) => (await direct.widgets.list({ name })).itemCount;
  await behindProxy(url, first, async (options) => {
    const lost = await createClient(options).widgets.create({ name: "lost" });
    assert.deepEqual([lost.name, await named("lost")], ["lost", 1]);
  });
  await behindProxy(url, first, async (options) => {
    const client = createClient({ ...options, retries: 0 });
    await assert.rejects(client.widgets.create({ name: "unknown" }), (error) => {
      return error instanceof ConnectionError && error.requestId.length === 36;
    });
  });
  const one = await direct.widgets.create({ name: "patched" });
  await behindProxy(url, first, async (options) => {
    const change = createClient(options).widgets.update(one.widgetId, { size: 7 });
    await assert.rejects(change, ConnectionError);
    assert.equal((await direct.widgets.read(one.widgetId)).size, 7);
  });
}

/** Answers that ask to wait, and a signal that ends it. */
async function waits(url: string): Promise<void> {
  const busy =
    (status: number, retryAfter: string, times: number) =>
    (answered: number, _: IncomingMessage, answer: ServerResponse): boolean => {
      if (answered > times) return false;
      answer.writeHead(status, { "retry-after": retryAfter, "content-type": "text/html" });
      answer.end("<h1>Later</h1>");
      return true;
    };
  for (const after of ["1", new Date(Date.now() + 3500).toUTCString()]) {
    await behindProxy(url, busy(429, after, 1), async (options) => {
      const before = Date.now();
      await createClient(options).widgets.list();
      const waited = Date.now() - before;
      assert.ok(waited > 700 && waited < 5000, `it waited for ${waited} ms`);
    });
  }
  await behindProxy(url, busy(503, "60", 9), async (options) => {
    await assert.rejects(createClient(options).widgets.list(), (error) => {
      return isServiceError(error) && error.type === "unknown" && error.retryAfter === 60_000;
    });
    const patient = createClient({ ...options, longestWait: 90_000 });
    const signal = AbortSignal.timeout(300);
    const before = Date.now();
    await assert.rejects(patient.widgets.list({}, { signal }), { name: "TimeoutError" });
    assert.ok(Date.now() - before < 5000);
  });
}

/** What cannot be asked for does not compile. It is never called. */
export function mistakes({ deliveries, orders, permits, widgets }: Client, id: string): unknown[] {
  return [
    // @ts-expect-error no such status
    widgets.list({ status: "broken" }),
    // @ts-expect-error it cannot be filtered by its note
    widgets.list({ note: "x" }),
    // @ts-expect-error it cannot be sorted by its note
    widgets.list({ sort: ["note"] }),
    // @ts-expect-error a name is required
    widgets.create({}),
    // @ts-expect-error a replacement names every property
    widgets.replace(id, { name: "x" }),
    // @ts-expect-error a decimal is a text
    widgets.update(id, { price: 1.5 }),
    // @ts-expect-error an order begins as placed
    orders.create({ status: "shipped" }),
    // @ts-expect-error only creations and actions have a key
    widgets.read(id, { idempotencyKey: "x" }),
    // @ts-expect-error a permit is never changed unseen
    permits.delete(id),
    // @ts-expect-error the action has an input
    deliveries.actions.cancel(id),
    // @ts-expect-error the action has none
    deliveries.actions.start(id, { reason: "x" }),
  ];
}
