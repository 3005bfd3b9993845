import { withEnvFile } from "../src/generated/kernel/service/env-file.js";

// This file is yours. `npm run seed` fills a service that runs with things to look at. It is found at BASE_URL, or on
// PORT of this machine, as the service itself is told in the environment or in `.env`. TOKEN is sent, if there
// is one. What is there already is left alone, so that a second run does no harm.

type Json = string | number | boolean | null | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [name: string]: Json;
}

const HOUR = 3_600_000;
/** Kept by another service; `src/custom/shipments.ts` knows its name. */
const WAREHOUSE = { warehouseId: "0190a0a0-0000-7000-8000-000000000001" };
const { BASE_URL, PORT = "3000", TOKEN } = withEnvFile(process.env);
const base = `${BASE_URL ?? `http://127.0.0.1:${PORT}`}/api/v1`;
/** How far each order has come. */
const WAYS = [[], ["packed"], ["packed", "shipped"], ["cancelled"]] as const;
/** How many of each resource were made, and how many were there. */
const counts = new Map<string, { made: number; found: number }>();

try {
  await seed();
  for (const [resource, { made, found }] of counts) {
    console.log(`${resource.padEnd(21)} ${made} made, ${found} there already`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Everything, what others refer to first. */
async function seed(): Promise<void> {
  const [desk, mailRoom, workshop] = await seedUsers();
  const merchants = [
    await made("merchants", "name", { name: "Harbour Prints", rating: 4.5 }),
    await made("merchants", "name", { name: "Paper & Co", website: "https://paper.example.com/" }),
    await made("merchants", "name", { name: "Old Press", rating: 3, open: false }),
  ];
  await made("shippingfees", "state", { state: "TX", atMost: 5, amount: "4.90" });
  await made("shippingfees", "state", { state: "CA", atMost: 20, amount: "12.50" });
  for (let index = 0; index < 24; index += 1) {
    const user = [desk, mailRoom, workshop][index % 3];
    const customer = { userId: idOf("user", user) };
    const merchant = { merchantId: idOf("merchant", merchants[index % 2]) };
    await seedOrder(index, { customer, merchant, recipient: user?.["firstName"] ?? null });
  }
  await seedTickets(idOf("user", desk), { userId: idOf("user", mailRoom) });
}

/** Three users, with ways to reach the first one, and where its designs are kept. */
async function seedUsers(): Promise<readonly [JsonObject, JsonObject, JsonObject]> {
  const desk = await made("users", "email", {
    firstName: "Front",
    lastName: "Desk",
    email: "desk@example.com",
    emailAddresses: ["hall@example.com", "office@example.com"],
    company: "Harbour Offices",
  });
  const below = `users/${idOf("user", desk)}`;
  await made(`${below}/communicationmethods`, "kind", {
    kind: "textMessage",
    address: "+1 555 0100",
    preferred: true,
  });
  await made(`${below}/repositories`, "name", {
    name: "Birthday cards",
    location: "https://designs.example.com/birthday",
    fileTypes: ["svg", "pdf"],
  });
  return [
    desk,
    await made("users", "email", {
      firstName: "Mail",
      lastName: "Room",
      email: "mail@example.com",
    }),
    await made("users", "email", { firstName: "Workshop", email: "workshop@example.com" }),
  ];
}

async function seedOrder(index: number, parties: JsonObject): Promise<void> {
  const quantity = 10 * (index + 1);
  const order = await made(
    "orders",
    "number",
    {
      ...parties,
      number: `SO-${20_031 + index}`,
      items: [
        { product: "Postcard", quantity, price: "0.35", colour: "white" },
        { product: "Envelope", quantity, price: "0.10", colour: null },
      ],
      price: (4.9 + quantity * 0.45).toFixed(2),
      priority: 1 + (index % 5),
      deliveryAddress:
        index % 6 === 5
          ? null
          : { street: `${index + 1} Harbour Road`, city: "Galveston", state: "TX" },
      dueDate: new Date(Date.now() + (index + 1) * 8 * HOUR).toISOString(),
      tags: index % 2 === 0 ? ["printed"] : [],
    },
    WAYS[index % WAYS.length],
  );
  const isShipped = index % WAYS.length === 2;
  if (!isShipped) return;
  await made(
    `orders/${idOf("order", order)}/shipments`,
    "trackingNumber",
    { trackingNumber: `1Z-${index}`, weight: quantity / 100, warehouse: WAREHOUSE },
    index === 2 ? ["inTransit"] : ["inTransit", "delivered"],
  );
}

async function seedTickets(requester: string, watcher: JsonObject): Promise<void> {
  const [order] = await search("orders", "number", "SO-20033");
  const missing = {
    title: "Half of the postcards are missing",
    requester: { userId: requester },
    watchers: [watcher],
    order: { orderId: idOf("order", order) },
    priority: 1,
  };
  await made("tickets", "title", missing);
  const asked = { title: "Do you print on linen?", requester: watcher };
  await made("tickets", "title", asked, ["closed"]);
}

/**
 * The entity whose `key` has the value that it has in `body`. One that is not there is created, and led through the states
 * of `way`. Throws when the service refuses.
 */
async function made(
  collection: string,
  key: string,
  body: JsonObject,
  way: readonly string[] = [],
): Promise<JsonObject> {
  const resource = collection.slice(collection.lastIndexOf("/") + 1);
  const count = counts.get(resource) ?? { made: 0, found: 0 };
  counts.set(resource, count);
  const [found] = await search(collection, key, String(body[key]));
  if (found !== undefined) {
    count.found += 1;
    return found;
  }
  let entity = await send("POST", collection, body);
  count.made += 1;
  for (const status of way) {
    entity = await send("PATCH", `${resource}/${Object.values(entity)[0]}`, { status });
  }
  return entity;
}

async function search(collection: string, key: string, value: string): Promise<JsonObject[]> {
  const { results } = await send("GET", `${collection}?${key}=${encodeURIComponent(value)}`);
  // What a collection answers is in `results`, always.
  return results as unknown as JsonObject[];
}

/** Throws with the answer when the service refuses, and with what to do when it is not there, or wants a token. */
async function send(method: string, path: string, body?: JsonObject): Promise<JsonObject> {
  const headers = {
    ...(TOKEN !== undefined && { authorization: `Bearer ${TOKEN}` }),
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const answer = await fetch(`${base}/${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error(`Nothing answers at ${base}: start the service first (npm start).`);
  });
  const text = await answer.text();
  if (answer.status === 401) {
    throw new Error("The service asks who calls: TOKEN=$(npm run -s token) npm run seed.");
  }
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}\n${text}`);
  return JSON.parse(text) as JsonObject;
}

function idOf(entity: string, { [`${entity}Id`]: id }: JsonObject = {}): string {
  return String(id);
}
