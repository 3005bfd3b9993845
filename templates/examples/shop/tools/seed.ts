import app from "../src/app.js";
import type { Order } from "../src/generated/entities/orders/orders.entity.js";
import type { User } from "../src/generated/entities/users/users.entity.js";
import { Decimal, runJob, withEnvFile } from "@rulebound/runtime";
import type { Services } from "../src/generated/services.js";

// This file is yours. `npm run seed` fills the database of the service with things to look at, whether the service runs
// or not, and leaves alone what is there. Hooks use what `provide` makes, unless `runJob` is given `{ provided }`.

const HOUR = 3_600_000;
/** Kept by another service; `src/custom/shipments.ts` knows its name. */
const WAREHOUSE = { warehouseId: "0190a0a0-0000-7000-8000-000000000001" };
/** How far each order has come. */
const WAYS = [[], ["packed"], ["packed", "shipped"], ["cancelled"]] as const;
/** How many of each resource were made, and how many were there. */
const counts = new Map<string, { made: number; found: number }>();

await runJob(app, withEnvFile(process.env), async ({ services }) => {
  await seed(services);
  for (const [resource, { made, found }] of counts) {
    console.log(`${resource.padEnd(21)} ${made} created, ${found} already there`);
  }
});

/** Everything, what others refer to first. */
async function seed(services: Services): Promise<void> {
  const users = await seedUsers(services);
  const merchants = [];
  for (const merchant of [
    { name: "Harbour Prints", rating: 4.5 },
    { name: "Paper & Co", website: "https://paper.example.com/" },
    { name: "Old Press", rating: 3, open: false },
  ]) {
    const { name } = merchant;
    merchants.push(await made("merchants", services.merchants, { name }, merchant));
  }
  for (const fee of [
    { state: "TX", atMost: 5, amount: "4.90" },
    { state: "CA", atMost: 20, amount: "12.50" },
  ]) {
    await made("shippingfees", services.shippingfees, { state: fee.state }, fee);
  }
  for (let index = 0; index < 24; index += 1) {
    const [customer, merchant] = [users[index % 3], merchants[index % 2]];
    if (customer !== undefined && merchant !== undefined) {
      await seedOrder(services, index, { customer, merchant });
    }
  }
  const [desk, mailRoom] = users;
  await seedTickets(services, desk, mailRoom);
}

/** Three users, with ways to reach the first one, and where its designs are kept. */
async function seedUsers(services: Services): Promise<readonly [User, User, User]> {
  const user = async (input: Parameters<Services["users"]["create"]>[0]): Promise<User> =>
    made("users", services.users, { email: input.email }, input);
  const desk = await user({
    firstName: "Front",
    lastName: "Desk",
    email: "desk@example.com",
    emailAddresses: ["hall@example.com", "office@example.com"],
    company: "Harbour Offices",
  });
  const owner = { user: { userId: desk.userId } };
  await made(
    "communicationmethods",
    services.communicationmethods,
    { kind: "textMessage" },
    {
      ...owner,
      kind: "textMessage",
      address: "+1 555 0100",
      preferred: true,
    },
  );
  await made(
    "repositories",
    services.repositories,
    { name: "Birthday cards" },
    {
      ...owner,
      name: "Birthday cards",
      location: "https://designs.example.com/birthday",
      fileTypes: ["svg", "pdf"],
    },
  );
  return [
    desk,
    await user({ firstName: "Mail", lastName: "Room", email: "mail@example.com" }),
    await user({ firstName: "Workshop", email: "workshop@example.com" }),
  ];
}

async function seedOrder(
  services: Services,
  index: number,
  { customer, merchant }: { customer: User; merchant: { merchantId: string } },
): Promise<void> {
  const quantity = 10 * (index + 1);
  const items = [
    { product: "Postcard", quantity, price: "0.35", colour: "white" },
    { product: "Envelope", quantity, price: "0.10" },
  ] as const;
  const lines = items.map((item) => Decimal.of(item.price).times(item.quantity));
  const number = `SO-${20_031 + index}`;
  const street = `${index + 1} Harbour Road`;
  const order = await made(
    "orders",
    services.orders,
    { number },
    {
      customer,
      merchant,
      number,
      recipient: customer.firstName,
      items,
      price: Decimal.sum(["4.90", ...lines])
        .round(2)
        .toString(),
      priority: 1 + (index % 5),
      deliveryAddress: index % 6 === 5 ? null : { street, city: "Galveston", state: "TX" },
      dueDate: new Date(Date.now() + (index + 1) * 8 * HOUR).toISOString(),
      tags: index % 2 === 0 ? ["printed"] : [],
    },
  );
  const way = order.status === "placed" ? (WAYS[index % WAYS.length] ?? []) : [];
  for (const status of way) await services.orders.change(order.orderId, { status });
  if (index % WAYS.length === 2) await seedShipment(services, order, index);
}

async function seedShipment(services: Services, order: Order, index: number): Promise<void> {
  const trackingNumber = `1Z-${index}`;
  const { shipmentId, status } = await made(
    "shipments",
    services.shipments,
    { trackingNumber },
    {
      order,
      trackingNumber,
      weight: (index + 1) / 10,
      warehouse: WAREHOUSE,
    },
  );
  if (status === "inTransit" || status === "delivered") return;
  await services.shipments.change(shipmentId, { status: "inTransit" });
  if (index > 2) await services.shipments.change(shipmentId, { status: "delivered" });
}

async function seedTickets(services: Services, requester: User, watcher: User): Promise<void> {
  const [order] = (await services.orders.list({ where: { number: "SO-20033" } })).results;
  const missing = "Half of the postcards are missing";
  await made(
    "tickets",
    services.tickets,
    { title: missing },
    {
      title: missing,
      requester,
      watchers: [watcher],
      order: order ?? null,
      priority: 1,
    },
  );
  const asked = "Do you print on linen?";
  const { ticketId, status } = await made(
    "tickets",
    services.tickets,
    { title: asked },
    {
      title: asked,
      requester: watcher,
    },
  );
  if (status !== "closed") await services.tickets.change(ticketId, { status: "closed" });
}

/** What can be looked for and created. */
interface Seeded<Entity, Where, Input> {
  list(query: { readonly where: Where }): Promise<{ readonly results: readonly Entity[] }>;
  create(input: Input): Promise<Entity>;
}

/** The entity that `where` finds, or else a new one. */
async function made<Entity, Where, Input>(
  resource: string,
  service: Seeded<Entity, Where, Input>,
  where: Where,
  input: Input,
): Promise<Entity> {
  const count = counts.get(resource) ?? { made: 0, found: 0 };
  counts.set(resource, count);
  const [found] = (await service.list({ where })).results;
  count[found === undefined ? "made" : "found"] += 1;
  return found ?? service.create(input);
}
