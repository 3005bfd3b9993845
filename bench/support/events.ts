import { openDatabase } from "#runtime/store/open-database";
import { DATABASE_NOW } from "#runtime/store/releases";
import { buildService } from "./bench-service.js";
import { cpuPerRequest, type Comparison } from "./compare.js";
import type { LoadRequest } from "./http-load.js";
import { median } from "./median.js";
import type { Figure } from "./report.js";
import { startServer, type ServerProcess } from "./server-process.js";
import { ticketBody } from "./ticket-body.js";

const WAITING = 1_000_000;
const PART = 50_000;
const COUNT = 1500;

/** One of two kinds of POST that take turns. */
interface Side {
  readonly name: string;
  readonly server: ServerProcess;
  readonly plural: string;
}

/** What events cost a POST: one of its own, and a million that wait for a sink that is down. */
export async function eventFigures(
  newUrl: (name: string) => Promise<string>,
  usual: Pick<Comparison, "rounds" | "connections">,
): Promise<readonly Figure[]> {
  const project = { resources: 2, lastAnnounced: true };
  const { folder, resources } = await buildService("events", project);
  const [silent = "", plural = ""] = resources;
  const start = (url: string, sink: string): Promise<ServerProcess> =>
    startServer("generated", [folder, url, sink]);
  const undelivered = await start(await newUrl("undelivered"), "unknown");
  const own = await inTurns(usual, [
    { name: "POST: without events", server: undelivered, plural: silent },
    { name: "POST: with events", server: undelivered, plural },
  ]);
  await undelivered.stop();
  const full = await newUrl("full");
  // Its first start makes the tables.
  await (await start(full, "unknown")).stop();
  await fill(full, `v1/${plural}`);
  const [none, million] = [await start(await newUrl("empty"), "down"), await start(full, "down")];
  const others = await inTurns(usual, [
    { name: "POST with events: none wait", server: none, plural },
    { name: `POST with events: ${WAITING} wait`, server: million, plural },
  ]);
  await none.stop();
  await million.stop();
  return [...own, ...others];
}

/** CPU time of the service and elapsed time, of a request: most of the work of PostgreSQL is in the second alone. */
async function inTurns(
  { rounds, connections }: Pick<Comparison, "rounds" | "connections">,
  sides: readonly [Side, Side],
): Promise<readonly Figure[]> {
  const measured: { readonly cpu: number; readonly elapsed: number }[][] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    for (const place of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const { server, plural } = sides[place === 0 ? 0 : 1];
      const request = (index: number): LoadRequest => ({
        ...{ method: "POST", path: `/api/v1/${plural}`, body: ticketBody(index) },
      });
      const started = performance.now();
      const cpu = await cpuPerRequest(server, { connections, count: COUNT, request });
      const elapsed = ((performance.now() - started) * 1000) / COUNT;
      // The first round warms up.
      if (round > 0) measured[place]?.push({ cpu, elapsed });
    }
  }
  const [first = [], second = []] = measured;
  return (["cpu", "elapsed"] as const).flatMap((of) => {
    const value = (side: typeof first): number => median(side.map((one) => one[of]));
    const ratio = median(second.map((one, round) => one[of] / (first[round]?.[of] ?? NaN)));
    const name = (side: Side): string => side.name + (of === "cpu" ? "" : ", elapsed");
    return [
      { name: name(sides[0]), value: value(first), unit: "us", ratio: 1 },
      { name: name(sides[1]), value: value(second), unit: "us", ratio },
    ];
  });
}

/** Events of other entities that have waited for a day: their next attempts are spread over the longest wait. */
async function fill(url: string, topic: string): Promise<void> {
  const database = await openDatabase({ url, connections: 2, requestSeconds: 600, name: "bench" });
  const id = "'01a00000-0000-7000-8000-' || CAST(100000000000 + n AS TEXT)";
  const due = `${DATABASE_NOW[database.dialect]} + n % 7200 * 1000`;
  const event = `'${topic}', ${id}, 1, 'created', '2026-01-31T10:30:00.000Z', ${id}, '${ticketBody(0)}', 1`;
  const stream = `'${topic}', ${id}, 0, 'custom code', 1, 14, ${due}, NULL`;
  // In parts: PostgreSQL stops a statement that takes long.
  for (let end = PART; end <= WAITING; end += PART) {
    const numbers = `WITH RECURSIVE numbers (n) AS
      (SELECT ${end - PART} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${end - 1})`;
    const into = (table: string, values: string) => ({
      ...{ sql: `${numbers} INSERT INTO ${table} SELECT ${values} FROM numbers`, values: [] },
    });
    await database.write([into("entity_events", event)]);
    await database.write([into("event_streams", stream)]);
  }
  await database.close();
}
