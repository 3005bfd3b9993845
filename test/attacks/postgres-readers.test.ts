import { randomUUID } from "node:crypto";
import { Client as Connection } from "pg";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { Answer, JsonObject } from "../contract/support/client.js";
import { expectError } from "../contract/support/errors.js";
import { pause } from "../contract/support/process-tests.js";
import { BADGES, FULL_WIDGET, newBadge, pathOf, WIDGETS } from "../contract/support/samples.js";
import { startService, type TestService } from "../contract/support/service.js";
import { makeSchema, query, schemaUrl } from "../support/postgres-schema.js";
import { startPostgres } from "../support/postgres-server.js";

// No read waits for another's: heavy lists and locked tables harm those who ask for them, and nobody else.

const CONNECTIONS = 10;

const server = await startPostgres();
// Registered before the services' own: hooks run last first, so that the services let go of the server before.
afterAll(() => server.remove());

/** Widgets take as long to list as their names say; a lookup of them takes no longer than any other. */
const SLOW_VIEW = `
  ALTER TABLE "widgets" RENAME TO "stored_widgets";
  CREATE VIEW "widgets" AS SELECT * FROM "stored_widgets" WHERE CASE "name"
    WHEN 'slow' THEN pg_sleep(1.5) IS NOT NULL
    WHEN 'slower' THEN pg_sleep(0.4) IS NOT NULL
    WHEN 'endless' THEN pg_sleep(60) IS NOT NULL
    ELSE true END`;

interface Attacked {
  readonly service: TestService;
  readonly url: string;
  readonly widget: string;
  readonly badge: string;
}

async function attacked(options: Parameters<typeof startService>[1] = {}): Promise<Attacked> {
  const url = schemaUrl(server.url);
  await makeSchema(url);
  const service = await startService("contract", { databaseUrl: url, ...options });
  await query(url, SLOW_VIEW);
  for (const name of ["slow", "slower", "endless"]) {
    await service.create(WIDGETS, { ...FULL_WIDGET, name });
  }
  const widget = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  const badge = pathOf(BADGES, await service.create(BADGES, newBadge("one")));
  return { service, url, widget, badge };
}

/** How many answers have come of requests that were sent together. */
function counted(requests: readonly Promise<Answer>[]): {
  readonly all: Promise<readonly Answer[]>;
  readonly arrived: () => number;
} {
  let arrived = 0;
  const counting = requests.map(async (request) => {
    const answer = await request;
    arrived += 1;
    return answer;
  });
  return { all: Promise.all(counting), arrived: () => arrived };
}

/** What is sent with a key of its own (OPS-12). */
function keyed(body: JsonObject) {
  return { body, headers: { "idempotency-key": randomUUID() } };
}

function statuses(answers: readonly Answer[]): readonly number[] {
  return [...new Set(answers.map(({ status }) => status))];
}

async function connectionsOf(url: string): Promise<number> {
  const own =
    "SELECT count(*)::int AS own FROM pg_stat_activity WHERE application_name = 'workshop'";
  const [row] = await query(url, own);
  return Number(row?.["own"]);
}

const QUICK_LIST = `${WIDGETS}?status=draft`;
const ORDINARY_LIST = `${WIDGETS}?name=drill`;
const SHAPES = ["name", "-name", "size", "-size", "price", "-price", "weight", "-weight"];

const main = await attacked();

test.each([
  { shapes: "one shape", sortOf: () => "name" },
  { shapes: "a shape each", sortOf: (index: number) => SHAPES[index] ?? "name" },
])("reads go on beside eight heavy lists of $shapes", async ({ sortOf }) => {
  const { service, widget, badge } = main;
  // Known to be quick, as lists are that somebody uses.
  for (let time = 0; time < 4; time += 1) await service.read(QUICK_LIST);
  const heavy = counted(
    SHAPES.map(async (_, index) =>
      service.send("GET", `${WIDGETS}?name=slow&sort=${sortOf(index)}`),
    ),
  );
  await pause(100);
  for (const path of [widget, badge, QUICK_LIST, BADGES, widget, badge]) await service.read(path);
  expect((await service.send("PATCH", widget, { body: { size: 7 } })).status).toBe(200);
  expect((await service.send("GET", "/readyz")).status).toBe(200);
  expect(heavy.arrived()).toBe(0);
  expect(statuses(await heavy.all)).toEqual([200]);
});

test("the first pages of a list go on beside its far ones", async () => {
  const { service } = main;
  const list = `${WIDGETS}?name=drill&sort=size`;
  for (let time = 0; time < 4; time += 1) await service.read(list);
  const far = counted(
    [1, 2, 3, 4].map(async () =>
      service.send("GET", `${WIDGETS}?name=slow&sort=size&pageNumber=999`),
    ),
  );
  await pause(100);
  for (let time = 0; time < 4; time += 1) await service.read(list);
  expect(far.arrived()).toBe(0);
  expect(statuses(await far.all)).toEqual([200]);
});

test("a list of another shape does not wait for all of the heavy ones that came before", async () => {
  const { service } = main;
  const heavy = counted(
    Array.from({ length: 24 }, async () => service.send("GET", `${WIDGETS}?name=slower`)),
  );
  await pause(50);
  await service.read(`${WIDGETS}?name=slower&sort=-startDate`);
  expect(heavy.arrived()).toBeLessThan(15);
  expect(statuses(await heavy.all)).toEqual([200]);
});

test("a locked table harms its own readers and writers only, within the bound of connections", async () => {
  const { service, url, widget, badge } = main;
  const other = new Connection({ connectionString: url });
  await other.connect();
  onTestFinished(async () => other.end());
  await other.query(`BEGIN; LOCK TABLE "stored_widgets" IN ACCESS EXCLUSIVE MODE`);
  const locked = counted(
    Array.from({ length: 200 }, async (_, index) => {
      if (index % 4 === 0) return service.send("GET", ORDINARY_LIST);
      if (index % 8 === 1) return service.send("POST", WIDGETS, { body: FULL_WIDGET });
      if (index % 8 === 5) return service.send("POST", WIDGETS, keyed(FULL_WIDGET));
      if (index % 4 === 2) return service.send("PATCH", widget, { body: { size: index } });
      return service.send("GET", widget);
    }),
  );
  await pause(200);
  for (let time = 0; time < 10; time += 1) {
    const { status } = await service.send("POST", BADGES, keyed(newBadge(`beside ${time}`)));
    expect(status).toBe(201);
    await service.read(badge);
    await service.read(`${BADGES}?pageSize=1`);
    await service.create(BADGES, newBadge(`locked ${time}`));
    expect((await service.send("GET", "/readyz")).status).toBe(200);
  }
  expect(await connectionsOf(url)).toBeLessThanOrEqual(CONNECTIONS);
  expect(locked.arrived()).toBe(0);
  await other.query("ROLLBACK");
  expect(statuses(await locked.all).filter((status) => status >= 300)).toEqual([]);
  expect(await connectionsOf(url)).toBeLessThanOrEqual(CONNECTIONS);
});

test("a locked row harms its writers only", async () => {
  const { service, url, widget, badge } = main;
  const other = new Connection({ connectionString: url });
  await other.connect();
  onTestFinished(async () => other.end());
  await other.query(`BEGIN; SELECT * FROM "stored_widgets" FOR UPDATE`);
  const locked = counted(
    Array.from({ length: 40 }, async (_, index) =>
      service.send("PATCH", widget, { body: { size: index } }),
    ),
  );
  await pause(200);
  for (const path of [widget, badge, QUICK_LIST, widget]) await service.read(path);
  await service.create(BADGES, newBadge("beside a locked row"));
  expect(locked.arrived()).toBe(0);
  await other.query("ROLLBACK");
  expect(statuses(await locked.all)).toEqual([200]);
});

test("whoever asks for a locked table is told within seconds, however many ask", async () => {
  const { service, url, widget, badge } = main;
  const other = new Connection({ connectionString: url });
  await other.connect();
  onTestFinished(async () => other.end());
  await other.query(`BEGIN; LOCK TABLE "stored_widgets" IN ACCESS EXCLUSIVE MODE`);
  const start = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, index) =>
      service.send("GET", index % 2 === 0 ? widget : ORDINARY_LIST),
    ),
  );
  // One after the other they would take minutes.
  expect(performance.now() - start).toBeLessThan(20_000);
  for (const answer of answers) {
    expectError(answer, 503, "ServiceUnavailableMessage");
    expect(answer.headers["retry-after"]).toBe("1");
  }
  await other.query("ROLLBACK");
  for (const path of [widget, badge, ORDINARY_LIST]) {
    expect((await eventually(async () => service.send("GET", path))).status).toBe(200);
  }
});

test("a list that takes too long is ended on the server, and is 504", async () => {
  const { service, url, widget } = await attacked({ limits: { requestSeconds: 1 } });
  const heavy = Array.from({ length: 3 }, async () =>
    service.send("GET", `${WIDGETS}?name=endless`),
  );
  for (const answer of await Promise.all(heavy)) expectError(answer, 504, "TimeoutMessage");
  const running = `SELECT pid FROM pg_stat_activity WHERE query LIKE '%widgets%' AND state = 'active' AND pid <> pg_backend_pid()`;
  // The server looks at its clock now and then, and a busy machine is late.
  await expect.poll(() => query(url, running), { timeout: 10_000 }).toEqual([]);
  await service.read(widget);
});

test.each([2, 5])(
  "%i connections are enough for lookups beside heavy lists",
  async (connections) => {
    const { service, widget, badge } = await attacked({ databaseConnections: connections });
    const heavy = counted(
      Array.from({ length: 2 }, async () => service.send("GET", `${WIDGETS}?name=slow`)),
    );
    await pause(100);
    const made: JsonObject = await service.create(BADGES, newBadge("beside"));
    for (const path of [widget, badge, pathOf(BADGES, made)]) await service.read(path);
    expect(heavy.arrived()).toBe(0);
    expect(statuses(await heavy.all)).toEqual([200]);
  },
);

/** The first answer that is not 503, within ten seconds. */
async function eventually(ask: () => Promise<Answer>): Promise<Answer> {
  for (const end = Date.now() + 10_000; ;) {
    const answer = await ask();
    if (answer.status !== 503 || Date.now() > end) return answer;
    await pause(100);
  }
}
