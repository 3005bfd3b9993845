import { expect, test, vi } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import { checkWebhooks, type CloudEvent, type EventSinks } from "#runtime/events/event-sinks";
import type { JsonObject } from "./support/client.js";
import { EventReceiver } from "./support/event-receiver.js";
import { startTenants } from "./support/tenants.js";

interface Listed {
  list(query?: object): Promise<{ readonly itemCount: number }>;
}
type Services = Readonly<Record<"customers", Listed>>;
type Own = Context<never, Services>;

/** What `deliver` got, with what its context finds. */
const delivered: {
  readonly event: CloudEvent;
  readonly tenant: string;
  readonly found: unknown;
}[] = [];
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const receivers = {
  acme: await new EventReceiver().start(),
  globex: await new EventReceiver().start(),
  shared: await new EventReceiver().start(),
};
const sinks: EventSinks<CloudEvent, Own> = {
  async deliver(event, { caller, services }) {
    const tenant = caller.tenant ?? "none";
    const found = await services.customers.list().then(
      ({ itemCount }) => itemCount,
      ({ name }: Error) => name,
    );
    delivered.push({ event, tenant, found });
  },
  webhooks: () =>
    Object.entries(receivers).map(([name, { url }]) => ({
      ...{ name, url, secrets: [SECRET], isPrivate: true },
      ...(name !== "shared" && { tenant: name }),
    })),
};
const extension = { provided: {}, routes: [], checks: {}, onStop: () => undefined, events: sinks };
const { made, filled, ofTenant, sendAs } = await startTenants({ extension });
const [a, b] = [await ofTenant("a", "acme"), await ofTenant("b", "globex")];

/** The events that a receiver got, as `orders.created <id>`, without those of v2. */
function receivedBy(receiver: EventReceiver): string[] {
  return receiver.received
    .map(({ body }) => JSON.parse(body) as CloudEvent)
    .filter(({ type }) => type.startsWith("depot.v1."))
    .map(({ type, subject }) => `${type.slice("depot.v1.".length)} ${subject}`)
    .sort();
}

async function until(isSo: () => void): Promise<void> {
  await vi.waitFor(isSo, { timeout: 30_000, interval: 50 });
}

test("each event goes to the webhooks of its tenant, whoever causes it, and that of what is shared to all", async () => {
  const [ofA, ofB] = [await filled(a), await filled(b)];
  const act = async (token: string, method: string, path: string): Promise<void> => {
    const { status, text } = await sendAs(token, [method, `/api/v1/${path}`]);
    expect(status, text).toBeLessThan(300);
  };
  await act(a, "POST", `orders/${ofA.orders}/send`);
  // The parcel goes along with its order.
  await act(a, "DELETE", `orders/${ofA.orders}`);
  // A customer of the other tenant loses its country.
  await act(b, "DELETE", `countries/${ofA.countries}`);
  const shared = [
    `countries.created ${ofA.countries}`,
    `countries.created ${ofB.countries}`,
    `countries.deleted ${ofA.countries}`,
  ];
  const ofTenantA = [
    `customers.created ${ofA.customers}`,
    `customers.updated ${ofA.customers}`,
    `orders.created ${ofA.orders}`,
    `orders.deleted ${ofA.orders}`,
    `orders.shipped ${ofA.orders}`,
    `orders.updated ${ofA.orders}`,
    `parcels.deleted ${ofA.parcels}`,
  ];
  const ofTenantB = [`customers.created ${ofB.customers}`, `orders.created ${ofB.orders}`];
  await until(() => {
    expect(receivedBy(receivers.acme)).toEqual([...shared, ...ofTenantA].sort());
    expect(receivedBy(receivers.globex)).toEqual([...shared, ...ofTenantB].sort());
    expect(receivedBy(receivers.shared)).toEqual(shared);
  });
  const bodies = Object.values(receivers).flatMap(({ received }) => received);
  for (const { body } of bodies) expect(body).not.toMatch(/acme|globex/);
  await until(() => {
    const told = delivered.filter(({ event }) => event.type.startsWith("depot.v1."));
    expect(told).toHaveLength(shared.length + ofTenantA.length + ofTenantB.length);
  });
  for (const { event, tenant, found } of delivered) {
    const isShared = event.type.includes(".countries.");
    const isOfA = Object.values(ofA).includes(event.subject);
    expect([event.type, tenant, found]).toEqual(
      isShared ? [event.type, "none", "MissingTenant"] : [event.type, isOfA ? "acme" : "globex", 1],
    );
  }
});

test("an event that was given to a webhook is not sent once that is of another tenant", async () => {
  const { received } = receivers.acme;
  const { answer } = receivers.acme;
  receivers.acme.answer = () => 503;
  const { customerId = null } = await made(a, "customers", { name: "N", email: "n@example.com" });
  const isOfIt = ({ body }: { body: string }): boolean => body.includes(String(customerId));
  await until(() => expect(received.some(isOfIt)).toBe(true));
  const { webhooks } = sinks;
  const moved = { name: "acme", url: receivers.globex.url, tenant: "globex" };
  sinks.webhooks = () => [{ ...moved, secrets: [SECRET], isPrivate: true }];
  const tried = (): number => received.filter(isOfIt).length;
  await until(() => expect(tried()).toBeGreaterThan(1));
  // The list of webhooks is read every five seconds.
  await new Promise((resolve) => setTimeout(resolve, 8000));
  expect(receivers.globex.received.some(isOfIt)).toBe(false);
  receivers.acme.answer = answer;
  if (webhooks !== undefined) sinks.webhooks = webhooks;
});

test.each([1, "", "a\u0000b", null, ["acme"]])("a webhook of the tenant %j is told", (tenant) => {
  const hook: JsonObject = { name: "depot", url: "https://depot.example.com", secrets: [SECRET] };
  const { mistakes } = checkWebhooks([{ ...hook, tenant }], { taken: "custom code", types: [] });
  expect(mistakes).toEqual([
    'The webhook "depot" of src/app.ts needs the name of a tenant as its tenant.',
  ]);
});
