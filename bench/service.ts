// What a generated service costs: `npm run bench:service -- [--quick] [--only-references] [--database postgres] [--date 2026-01-31]`. See docs/performance.md.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeSchema, schemaUrl } from "../test/support/postgres-schema.js";
import { startPostgres } from "../test/support/postgres-server.js";
import { benchOptions } from "./support/bench-options.js";
import {
  buildBootPrograms,
  buildService,
  serviceFolder,
  type BenchService,
} from "./support/bench-service.js";
import { compare, cpuPerRequest, type Comparison, type Rivals } from "./support/compare.js";
import { growthFigures } from "./support/growth.js";
import { sendLoad, type LoadRequest } from "./support/http-load.js";
import { measuredRun } from "./support/measured-run.js";
import { median } from "./support/median.js";
import { referenceFigures } from "./support/references.js";
import { report, type Figure } from "./support/report.js";
import { startServer } from "./support/server-process.js";
import { ticketBody, ticketPatch } from "./support/ticket-body.js";

const options = benchOptions();
const ROUNDS = options.quick ? 3 : 7;
const CONNECTIONS = 10;
const USUAL = { rounds: ROUNDS, connections: CONNECTIONS };
const ROWS = 1000;
const BOOT_SECONDS = { 10: 0.15, 100: 0.3 } as const;
const SIZES = options.quick ? [1000, 100_000] : [1000, 100_000, 1_000_000];

if (options.database === "postgres") await benchPostgres();
else await benchSqlite();
rmSync(serviceFolder(""), { recursive: true, force: true });

async function benchPostgres(): Promise<void> {
  const server = await startPostgres();
  if (!options.onlyReferences) {
    report("service-postgres", await requestFigures(await ticketService(), server.url), options);
  }
  const url = schemaUrl(server.url);
  await makeSchema(url);
  report("references-postgres", await referenceFigures(url, USUAL), options);
  await server.remove();
}

async function benchSqlite(): Promise<void> {
  if (!options.onlyReferences) {
    const service = await ticketService();
    const figures = [
      ...(await requestFigures(service, `sqlite:${join(service.folder, "service.sqlite")}`)),
      ...(await bootFigures(10)),
      ...(await bootFigures(100)),
      ...(await growthFigures(service, SIZES)),
    ];
    report("service", figures, options);
  }
  report("references", await referenceFigures(null, USUAL), options);
}

function ticketService(): Promise<BenchService> {
  return buildService("tickets", { resources: 2, lastUncounted: true });
}

/** The two servers with the same entities in them, and what is asked of both. */
async function requestFigures(
  { folder, resources }: BenchService,
  databaseUrl: string,
): Promise<readonly Figure[]> {
  const [table = ""] = resources;
  const migration = join(folder, "migrations/0001-initial/sqlite.sql");
  const idProperty = `${entityOf(table)}Id`;
  const rivals: Rivals = {
    floor: await startServer("floor", [migration, join(folder, "floor.sqlite"), table, idProperty]),
    service: await startServer("generated", [folder, databaseUrl]),
  };
  const collection = `/api/v1/${table}`;
  const known: Known = {
    collection,
    floor: await seed(rivals.floor.port, collection, idProperty),
    service: await seed(rivals.service.port, collection, idProperty),
  };
  const measured: Figure[] = [];
  for (const comparison of comparisons(known)) {
    measured.push(...(await compare(rivals, comparison)));
  }
  const request = () => entityRequest(known, "service", { method: "GET", index: 0, body: null });
  const body = await sendLoad({ port: rivals.service.port, connections: 1, count: 1, request });
  await rivals.floor.stop();
  await rivals.service.stop();
  return [...measured, ...(await cannedFigures(body, measured[0]?.value ?? 1))];
}

/** What the two servers hold. */
interface Known {
  readonly collection: string;
  /** Identifiers. */
  readonly floor: readonly string[];
  readonly service: readonly string[];
}

function comparisons(known: Known): readonly Comparison[] {
  const path = known.collection;
  const both = (request: (index: number) => LoadRequest) => ({
    ofFloor: request,
    ofService: request,
  });
  const each = (method: string, body: (index: number) => string | null) => ({
    ofFloor: (index: number) => entityRequest(known, "floor", { method, index, body: body(index) }),
    ofService: (index: number) =>
      entityRequest(known, "service", { method, index, body: body(index) }),
  });
  const posting = both((index) => ({ method: "POST", path, body: ticketBody(index) }));
  const listing = both(() => ({ method: "GET", path, body: null }));
  // What a server does is not in these figures, what it takes to talk to one is: only the read has a goal.
  const isServer = options.database === "postgres";
  const goal = (atMost: number): number | null => (isServer ? null : atMost);
  // So many writers share one transaction, and what it costs to make that durable.
  const together = { rounds: ROUNDS, connections: 64, count: 1500 };
  return [
    {
      ...USUAL,
      name: "GET by id",
      count: 4000,
      atMost: isServer ? 1.7 : 0.95,
      ...each("GET", () => null),
    },
    { ...USUAL, name: "list of 20 with exact count", count: 800, atMost: goal(0.8), ...listing },
    { ...USUAL, name: "PATCH", count: 2000, atMost: goal(0.8), ...each("PATCH", ticketPatch) },
    { ...USUAL, name: "POST", count: 1500, atMost: goal(1), ...posting },
    { ...together, name: "PATCH, 64 at a time", atMost: goal(0.8), ...each("PATCH", ticketPatch) },
    { ...together, name: "POST, 64 at a time", atMost: goal(1), ...posting },
    { ...USUAL, name: "POST, one at a time", connections: 1, count: 200, atMost: null, ...posting },
  ];
}

function entityRequest(
  known: Known,
  of: "floor" | "service",
  asked: { readonly method: string; readonly index: number; readonly body: string | null },
): LoadRequest {
  const { method, index, body } = asked;
  const id = known[of][index % known[of].length] ?? "";
  return { method, path: `${known.collection}/${id}`, body };
}

/** The same bytes without any work: what the transport alone costs. */
async function cannedFigures(body: string, floor: number): Promise<readonly Figure[]> {
  const measured: Figure[] = [];
  for (const kind of ["fastify", "node"]) {
    const server = await startServer("canned", [kind, body]);
    const request = () => ({ method: "GET", path: "/", body: null });
    const load = { connections: CONNECTIONS, count: 4000, request };
    const costs: number[] = [];
    for (let round = 0; round <= 3; round += 1) costs.push(await cpuPerRequest(server, load));
    await server.stop();
    const value = median(costs.slice(1));
    const name = `GET by id: ${kind === "node" ? "node:http" : "Fastify"}, canned body`;
    measured.push({ name, value, unit: "us", ratio: value / floor, goal: null });
  }
  return measured;
}

/** Creates the entities that are read and changed; gives their identifiers. */
async function seed(port: number, collection: string, idProperty: string): Promise<string[]> {
  const identifiers: string[] = [];
  await sendLoad({
    port,
    connections: CONNECTIONS,
    count: ROWS,
    request: (index) => ({ method: "POST", path: collection, body: ticketBody(index) }),
  });
  for (let page = 1; page <= ROWS / 20; page += 1) {
    const path = `${collection}?pageNumber=${page}`;
    const request = () => ({ method: "GET", path, body: null });
    const text = await sendLoad({ port, connections: 1, count: 1, request });
    for (const [, id] of text.matchAll(new RegExp(`"${idProperty}": "([^"]+)"`, "g"))) {
      if (id !== undefined) identifiers.push(id);
    }
  }
  return identifiers;
}

/** A whole process that starts the service, listens, and stops. */
async function bootFigures(resources: keyof typeof BOOT_SECONDS): Promise<readonly Figure[]> {
  const service = await buildService(`boot-${resources}`, { resources });
  const { compiled, bundle } = buildBootPrograms(service);
  const database = join(service.folder, "boot.sqlite");
  const boot = (program: string): number => measuredRun([program, database]).cpuSeconds;
  // The first start makes the tables.
  boot(compiled);
  const cost = (program: string) => median(Array.from({ length: 5 }, () => boot(program)));
  const name = `boot with ${resources} resources`;
  const goal = { of: "value", atMost: BOOT_SECONDS[resources] } as const;
  const unit = "CPU s";
  return [
    { name, value: cost(bundle), unit, ratio: null, goal },
    { name: `${name}, not bundled`, value: cost(compiled), unit, ratio: null, goal: null },
  ];
}

function entityOf(plural: string): string {
  const suffix = plural.slice("ticket".length, -1);
  return `ticket${suffix.charAt(0).toUpperCase()}${suffix.slice(1)}`;
}
