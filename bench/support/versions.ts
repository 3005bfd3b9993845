import { join } from "node:path";
import { buildFixture } from "./bench-service.js";
import { cpuPerRequest, type Comparison } from "./compare.js";
import { sendLoad, type LoadRequest } from "./http-load.js";
import { median } from "./median.js";
import type { Figure } from "./report.js";
import { startServer, type ServerProcess } from "./server-process.js";

const VERSIONS = ["v1", "v2"] as const;
type Version = (typeof VERSIONS)[number];

const ROWS = 1000;
const CONNECTIONS = 10;

/** One kind of request, sent to both versions in turns. */
interface Asked {
  readonly name: string;
  readonly count: number;
  readonly request: (version: Version, index: number) => LoadRequest;
}

/** What an older version costs beside the newest, on the same store: each converts everything that a version can. */
export async function versionFigures(
  databaseUrl: string | null,
  { rounds }: Pick<Comparison, "rounds">,
): Promise<readonly Figure[]> {
  const folder = await buildFixture("versions");
  const url = databaseUrl ?? `sqlite:${join(folder, "service.sqlite")}`;
  const server = await startServer("generated", [folder, url]);
  const { ids, customerId } = await fill(server);
  const path = (version: Version, index: number): string =>
    `/api/${version}/orders/${ids[index % ids.length] ?? ""}`;
  const asked: readonly Asked[] = [
    {
      name: "GET by id",
      count: 4000,
      request: (version, index) => ({ method: "GET", path: path(version, index), body: null }),
    },
    {
      name: "list of 20 with exact count",
      count: 800,
      request: (version) => ({ method: "GET", path: `/api/${version}/orders`, body: null }),
    },
    {
      name: "PATCH",
      count: 2000,
      request: (version, index) => patch(version, path(version, index), index),
    },
    {
      name: "POST",
      count: 1500,
      request: (version, index) => post(version, index, customerId),
    },
  ];
  const figures: Figure[] = [];
  for (const one of asked) figures.push(...(await figuresOf(server, one, rounds)));
  await server.stop();
  return figures;
}

async function figuresOf(server: ServerProcess, asked: Asked, rounds: number): Promise<Figure[]> {
  const measured: Readonly<Record<Version, number>>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const costs = { v1: NaN, v2: NaN };
    for (const version of round % 2 === 0 ? VERSIONS : VERSIONS.toReversed()) {
      const request = (index: number): LoadRequest =>
        asked.request(version, round * asked.count + index);
      const load = { connections: CONNECTIONS, count: asked.count, request };
      costs[version] = await cpuPerRequest(server, load);
    }
    // The first round warms up.
    if (round > 0) measured.push(costs);
  }
  const value = (version: Version): number => median(measured.map((costs) => costs[version]));
  const ratio = median(measured.map(({ v1, v2 }) => v1 / v2));
  return [
    { name: `${asked.name}: newest version`, value: value("v2"), unit: "us", ratio: 1 },
    { name: `${asked.name}: older version`, value: value("v1"), unit: "us", ratio },
  ];
}

function patch(version: Version, path: string, index: number): LoadRequest {
  const text = `changed ${index}`;
  const body = version === "v1" ? { remark: text } : { note: text };
  return { method: "PATCH", path, body: JSON.stringify(body) };
}

function post(version: Version, index: number, customerId: string): LoadRequest {
  const body = version === "v1" ? olderBody : orderBody;
  return {
    method: "POST",
    path: `/api/${version}/orders`,
    body: JSON.stringify(body(index, customerId)),
  };
}

/** What the entries of a filled database are called. */
interface Filled {
  /** Of the orders. */
  readonly ids: readonly string[];
  readonly customerId: string;
}

/** Fills the database through the newest version. */
async function fill({ port }: ServerProcess): Promise<Filled> {
  const create = async (plural: string, count: number, body: (index: number) => object) => {
    const request = (index: number): LoadRequest => ({
      method: "POST",
      path: `/api/v2/${plural}`,
      body: JSON.stringify(body(index)),
    });
    return sendLoad({ port, connections: CONNECTIONS, count, request });
  };
  const customer = await create("customers", 1, () => ({
    fullName: "Front Desk",
    email: "desk@example.com",
    phoneNumber: "12",
  }));
  const [, customerId = ""] = /"customerId": "([^"]+)"/.exec(customer) ?? [];
  await create("orders", ROWS, (index) => orderBody(index, customerId));
  const found: string[] = [];
  for (let page = 1; page <= ROWS / 100; page += 1) {
    const path = `/api/v2/orders?pageSize=100&pageNumber=${page}`;
    const request = (): LoadRequest => ({ method: "GET", path, body: null });
    const text = await sendLoad({ port, connections: 1, count: 1, request });
    found.push(...[...text.matchAll(/"orderId": "([^"]+)"/g)].map(([, id = ""]) => id));
  }
  if (found.length !== ROWS) throw new Error(`${found.length} of ${ROWS} orders were made`);
  return { ids: found, customerId };
}

function orderBody(index: number, customerId: string): object {
  return {
    customer: { customerId },
    shippingAddress: { street: "1 Harbour Road", postalCode: "77550", country: "us" },
    lines: [
      { article: `A-${index}`, quantity: 2, colour: "green", engraving: "To Ann" },
      { article: "B-1", quantity: 1, colour: "red" },
    ],
    channels: ["mail", "chat"],
    note: "Ring twice.",
    priority: (index % 5) + 1,
  };
}

/** The same order as far as the older version knows it. */
function olderBody(index: number, customerId: string): object {
  return {
    customer: { customerId },
    deliveryAddress: { street: "1 Harbour Road", zip: "77550" },
    lines: [
      { sku: `A-${index}`, quantity: 2, colour: "blue" },
      { sku: "B-1", quantity: 1, colour: "red" },
    ],
    channels: ["mail", "phone"],
    remark: "Ring twice.",
  };
}
