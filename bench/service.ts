// What a generated service costs: `npm run bench:service -- [--quick] [--only-references] [--database postgres]
// [--against main] [--date 2026-01-31]`. See bench/notes.md.
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
  type BootPrograms,
} from "./support/bench-service.js";
import {
  beforeFigure,
  compare,
  cpuPerRequest,
  type Comparison,
  type Rival,
  type Rivals,
} from "./support/compare.js";
import { eventFigures } from "./support/events.js";
import { generatorAt, OURS, type Generator } from "./support/generator-revision.js";
import { growthFigures } from "./support/growth.js";
import { sendLoad, type LoadRequest } from "./support/http-load.js";
import { loadFigures, type Asked } from "./support/load.js";
import { measuredRun } from "./support/measured-run.js";
import { median } from "./support/median.js";
import { referenceFigures } from "./support/references.js";
import { repeated } from "./support/repeated.js";
import { report, type Figure } from "./support/report.js";
import { startServer, type ServerProcess } from "./support/server-process.js";
import { ticketBody, ticketPatch } from "./support/ticket-body.js";
import { versionFigures } from "./support/versions.js";

const options = benchOptions();
const ROUNDS = options.quick ? 3 : 7;
const CONNECTIONS = 10;
const USUAL = { rounds: ROUNDS, connections: CONNECTIONS };
const ROWS = 1000;
const SIZES = options.quick ? [1000, 100_000] : [1000, 100_000, 1_000_000];

/** How often the servers of a comparison with another revision are started anew. */
const LIVES = options.against === null ? 1 : 5;

const before = options.against === null ? null : generatorAt(options.against, serviceFolder(""));
// Of another name, so that what is measured alone is not replaced.
const suffix = before === null ? "" : "-against";
try {
  if (options.database === "postgres") await benchPostgres();
  else await benchSqlite();
} finally {
  before?.remove();
  rmSync(serviceFolder(""), { recursive: true, force: true });
}

async function benchPostgres(): Promise<void> {
  const server = await startPostgres();
  const newSchema = async (): Promise<string> => {
    const url = schemaUrl(server.url);
    await makeSchema(url);
    return url;
  };
  if (!options.onlyReferences) {
    const figures = await repeated(LIVES, () => requestFigures(newSchema));
    report(`service-postgres${suffix}`, figures, options);
  }
  const figures = await repeated(LIVES, async () => {
    const other = before && { generator: before, databaseUrl: await newSchema() };
    return referenceFigures(await newSchema(), USUAL, other);
  });
  report(`references-postgres${suffix}`, figures, options);
  if (before === null) {
    report("versions-postgres", await versionFigures(await newSchema(), USUAL), options);
    report("events-postgres", await eventFigures(newSchema, USUAL), options);
  }
  await server.remove();
}

async function benchSqlite(): Promise<void> {
  if (!options.onlyReferences) {
    const file = async ({ folder }: BenchService) => `sqlite:${join(folder, "service.sqlite")}`;
    const figures = [
      ...(await repeated(LIVES, () => requestFigures(file))),
      ...(await bootFigures(10)),
      ...(await bootFigures(100)),
      // How lists grow is measured alone.
      ...(before === null ? await growthFigures(await growingService(), SIZES) : []),
    ];
    report(`service${suffix}`, figures, options);
  }
  const other = before && { generator: before, databaseUrl: null };
  const figures = await repeated(LIVES, () => referenceFigures(null, USUAL, other));
  report(`references${suffix}`, figures, options);
  if (before !== null) return;
  report("versions", await versionFigures(null, USUAL), options);
  const file = async (name: string) => `sqlite:${join(serviceFolder(""), `${name}.sqlite`)}`;
  report("events", await eventFigures(file, USUAL), options);
}

/** With an alias and an index of its own, which no earlier generator knows. */
function growingService(): Promise<BenchService> {
  return buildService("growth", {
    ...{ resources: 2, lastUncounted: true, lastIndexed: true, lastSearched: true },
  });
}

function ticketService(generator: Generator): Promise<BenchService> {
  return buildService("tickets", { resources: 2, lastUncounted: true }, generator);
}

/** The servers with the same entities in them, and what is asked of all of them. */
async function requestFigures(
  databaseUrl: (service: BenchService) => Promise<string>,
): Promise<readonly Figure[]> {
  const service = await ticketService(OURS);
  const { folder, resources } = service;
  const [table = ""] = resources;
  const migration = join(folder, "migrations/0001-initial/sqlite.sql");
  const idProperty = `${entityOf(table)}Id`;
  const start = async (of: BenchService): Promise<ServerProcess> =>
    startServer("generated", [of.folder, await databaseUrl(of)]);
  const rivals: Rivals = {
    floor: await startServer("floor", [migration, join(folder, "floor.sqlite"), table, idProperty]),
    service: await start(service),
    before: before === null ? null : await start(await ticketService(before)),
  };
  const collection = `/api/v1/${table}`;
  const seeded = async (server: ServerProcess | null): Promise<readonly string[]> =>
    server === null ? [] : seed(server.port, collection, idProperty);
  const known: Known = {
    collection,
    floor: await seeded(rivals.floor),
    service: await seeded(rivals.service),
    before: await seeded(rivals.before),
  };
  const measured: Figure[] = [];
  for (const comparison of comparisons(known)) {
    measured.push(...(await compare(rivals, comparison)));
  }
  if (before === null) {
    const asked = loads(known);
    measured.push(...(await loadFigures(rivals.service.port, asked, options.quick ? 1 : 5)));
  }
  const request = () => entityRequest(known, "service", { method: "GET", index: 0, body: null });
  const body = await sendLoad({ port: rivals.service.port, connections: 1, count: 1, request });
  await rivals.floor.stop();
  await rivals.service.stop();
  await rivals.before?.stop();
  if (before !== null) return measured;
  return [...measured, ...(await cannedFigures(body, measured[0]?.value ?? 1))];
}

/** What the servers hold. */
interface Known {
  readonly collection: string;
  /** Identifiers. */
  readonly floor: readonly string[];
  readonly service: readonly string[];
  /** Nothing where there is no such server. */
  readonly before: readonly string[];
}

function comparisons(known: Known): readonly Comparison[] {
  const path = known.collection;
  const each = (method: string, body: (index: number) => string | null) => ({
    request: (of: Rival, index: number) =>
      entityRequest(known, of, { method, index, body: body(index) }),
  });
  const posting = {
    request: (_of: Rival, index: number) => ({ method: "POST", path, body: ticketBody(index) }),
  };
  const listing = { request: () => ({ method: "GET", path, body: null }) };
  const reading = each("GET", () => null);
  const patching = each("PATCH", ticketPatch);
  // So many writers share one transaction, and what it costs to make that durable.
  const together = { rounds: ROUNDS, connections: 64, count: 1500 };
  const list = "list of 20 with exact count";
  const readTogether: readonly Comparison[] = [
    { ...together, name: "GET by id, 64 at a time", ...reading, count: 4000 },
    { ...together, name: `${list}, 64 at a time`, ...listing, count: 800 },
  ];
  return [
    { ...USUAL, name: "GET by id", count: 4000, ...reading },
    { ...USUAL, name: list, count: 800, ...listing },
    ...(before === null ? [] : readTogether),
    { ...USUAL, name: "PATCH", count: 2000, ...patching },
    { ...USUAL, name: "POST", count: 1500, ...posting },
    { ...together, name: "PATCH, 64 at a time", ...patching },
    { ...together, name: "POST, 64 at a time", ...posting },
    { ...USUAL, name: "POST, one at a time", connections: 1, count: 200, ...posting },
  ];
}

/** Requests whose latency is measured under load. */
function loads(known: Known): readonly Asked[] {
  const read = { method: "GET", body: null };
  const path = known.collection;
  return [
    {
      name: "GET by id",
      count: 4000,
      request: (index) => entityRequest(known, "service", { ...read, index }),
    },
    {
      name: "POST",
      count: 2000,
      request: (index) => ({ method: "POST", path, body: ticketBody(index) }),
    },
  ];
}

function entityRequest(
  known: Known,
  of: Rival,
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
    measured.push({ name, value, unit: "us", ratio: value / floor });
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
async function bootFigures(resources: number): Promise<readonly Figure[]> {
  const ours = await bootPrograms(resources, OURS);
  const other = before === null ? null : await bootPrograms(resources, before);
  const rounds = Array.from({ length: before === null ? 5 : 15 }, () => ({
    bundle: boot(ours, "bundle"),
    compiled: boot(ours, "compiled"),
    before: other === null ? NaN : boot(other, "bundle"),
  }));
  const name = `boot with ${resources} resources`;
  const unit = "CPU s";
  const value = (of: "bundle" | "compiled" | "before") => median(rounds.map((round) => round[of]));
  const ratio = median(rounds.map((round) => round.bundle / round.before));
  return [
    { name: `${name}: bundled`, value: value("bundle"), unit, ratio: null },
    { name: `${name}: not bundled`, value: value("compiled"), unit, ratio: null },
    ...(other === null ? [] : [beforeFigure(name, { value: value("before"), unit, ratio })]),
  ];
}

interface Bootable extends BootPrograms {
  readonly database: string;
}

/** Its first start, which makes the tables, is over. */
async function bootPrograms(resources: number, generator: Generator): Promise<Bootable> {
  const service = await buildService(`boot-${resources}`, { resources }, generator);
  const bootable = {
    ...buildBootPrograms(service),
    database: join(service.folder, "boot.sqlite"),
  };
  boot(bootable, "compiled");
  return bootable;
}

function boot(bootable: Bootable, program: keyof BootPrograms): number {
  return measuredRun([bootable[program], bootable.database]).cpuSeconds;
}

function entityOf(plural: string): string {
  const suffix = plural.slice("ticket".length, -1);
  return `ticket${suffix.charAt(0).toUpperCase()}${suffix.slice(1)}`;
}
