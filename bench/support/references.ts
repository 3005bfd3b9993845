import { join } from "node:path";
import { buildExample } from "./bench-service.js";
import { compare, type Comparison, type Rivals } from "./compare.js";
import { OURS, type Generator } from "./generator-revision.js";
import { sendLoad } from "./http-load.js";
import type { Figure } from "./report.js";
import { startServer } from "./server-process.js";

const ORDERS = "/api/v1/orders";
const ROWS = 1000;
const PARTIES = 40;
const SEED_CONNECTIONS = 10;

/** Where the service of another revision keeps its entities, and by what it is made. */
export interface Before {
  readonly generator: Generator;
  readonly databaseUrl: string | null;
}

/**
 * What reading the shop's orders costs, each with the names of its customer and its merchant: by the floor, which joins
 * them in SQLite, and by the generated service on the database of `databaseUrl`, in turns.
 */
export async function referenceFigures(
  databaseUrl: string | null,
  usual: Pick<Comparison, "rounds" | "connections">,
  before: Before | null = null,
): Promise<readonly Figure[]> {
  const service = await shopOf(databaseUrl, OURS);
  const other = before === null ? null : await shopOf(before.databaseUrl, before.generator);
  const file = join(service.folder, "floor.sqlite");
  const known = {
    floor: await fill(service.folder, `sqlite:${file}`),
    service: await fill(service.folder, service.url),
    before: other === null ? [] : await fill(other.folder, other.url),
  };
  const rivals: Rivals = {
    floor: await startServer("floor-orders", [file]),
    service: await startServer("generated", [service.folder, service.url]),
    before: other === null ? null : await startServer("generated", [other.folder, other.url]),
  };
  const reading: Comparison["request"] = (of, index) => {
    const id = known[of][index % known[of].length] ?? "";
    return { method: "GET", path: `${ORDERS}/${id}`, body: null };
  };
  const listing: Comparison["request"] = () => ({ method: "GET", path: ORDERS, body: null });
  const list = "list of 20 with exact count, two references embedded in each";
  const figures = [
    ...(await compare(rivals, {
      ...usual,
      name: "GET by id, two references embedded",
      count: 4000,
      request: reading,
    })),
    ...(await compare(rivals, { ...usual, name: list, count: 800, request: listing })),
  ];
  await rivals.floor.stop();
  await rivals.service.stop();
  await rivals.before?.stop();
  return figures;
}

/** The shop as a generator makes it, and its database: a file of its own unless there is a URL. */
async function shopOf(
  databaseUrl: string | null,
  generator: Generator,
): Promise<{ readonly folder: string; readonly url: string }> {
  const { folder } = await buildExample("references", "shop", generator);
  return { folder, url: databaseUrl ?? `sqlite:${join(folder, "service.sqlite")}` };
}

/** Fills a database through the service; gives the identifiers of its orders. */
async function fill(folder: string, databaseUrl: string): Promise<readonly string[]> {
  const { port, stop } = await startServer("generated", [folder, databaseUrl]);
  const create = (path: string, count: number, body: (index: number) => object) =>
    sendLoad({
      port,
      connections: SEED_CONNECTIONS,
      count,
      request: (index) => ({ method: "POST", path, body: JSON.stringify(body(index)) }),
    });
  const identifiers = async (path: string, idProperty: string): Promise<readonly string[]> => {
    const found: string[] = [];
    for (let page = 1; page <= ROWS / 100; page += 1) {
      const request = () => ({
        method: "GET",
        path: `${path}?pageSize=100&pageNumber=${page}`,
        body: null,
      });
      const text = await sendLoad({ port, connections: 1, count: 1, request });
      const ids = text.matchAll(new RegExp(`^ {6}"${idProperty}": "([^"]+)"`, "gm"));
      found.push(...[...ids].map(([, id = ""]) => id));
    }
    return found;
  };
  await create("/api/v1/users", PARTIES, userBody);
  await create("/api/v1/merchants", PARTIES, (index) => ({ name: `Harbour Prints ${index}` }));
  const users = await identifiers("/api/v1/users", "userId");
  const merchants = await identifiers("/api/v1/merchants", "merchantId");
  await create(ORDERS, ROWS, (index) => ({
    ...orderBody(index),
    customer: { userId: users[index % users.length] },
    merchant: { merchantId: merchants[index % merchants.length] },
  }));
  const orders = await identifiers(ORDERS, "orderId");
  await stop();
  if (orders.length !== ROWS) throw new Error(`${orders.length} of ${ROWS} orders were made`);
  return orders;
}

function userBody(index: number): object {
  return { firstName: "Front", lastName: "Desk", email: `desk${index}@example.com` };
}

/** All properties of an order but its references. */
function orderBody(index: number): object {
  return {
    number: `SO-${10_000 + index}`,
    recipient: "Front Desk",
    email: "desk@example.com",
    items: [{ product: "Postcard", quantity: 100, price: "0.35", colour: "navyBlue" }],
    price: "39.90",
    priority: (index % 5) + 1,
    deliveryAddress: { street: "1 Harbour Road", city: "Galveston", state: "TX" },
    dueDate: `2026-0${(index % 9) + 1}-15T10:30:00.000Z`,
    giftWrapped: index % 2 === 0,
    note: "Ring twice.",
    tags: ["printed", `batch${index % 40}`],
  };
}
