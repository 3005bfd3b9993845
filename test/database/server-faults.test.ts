import { Client as Connection } from "pg";
import { afterAll, expect, test } from "vitest";
import type { Answer, JsonObject } from "../contract/support/client.js";
import { expectError } from "../contract/support/errors.js";
import { allWidgets, pause } from "../contract/support/process-tests.js";
import { FULL_WIDGET, pathOf, WIDGETS } from "../contract/support/samples.js";
import { startService } from "../contract/support/service.js";
import { query } from "../support/postgres-schema.js";
import { startPostgres } from "../support/postgres-server.js";

// S24: a server that goes away is 503, and the service goes on as soon as it is back. It has a server of its own.

const server = await startPostgres();
// Registered before the service's own: hooks run last first, so that the service lets go of the server before.
afterAll(() => server.remove());
const service = await startService("contract", { databaseUrl: server.url });

/** The first answer that is none of 503, within ten seconds. */
async function recovered(method: string, path: string, body?: JsonObject): Promise<Answer> {
  for (const end = Date.now() + 10_000; ;) {
    const answer = await service.send(method, path, body === undefined ? {} : { body });
    if (answer.status !== 503) return answer;
    expectError(answer, 503, "ServiceUnavailableMessage");
    if (Date.now() > end) throw new Error("the service has not recovered");
    await pause(50);
  }
}

/** `/readyz` looks again. */
const renewed = async (): Promise<void> => pause(1100);

test("a server that dies under load and comes back loses nothing that was answered", async () => {
  const answered: JsonObject[] = [];
  let isOver = false;
  const load = Array.from({ length: 20 }, async () => {
    while (!isOver) {
      const answer = await service.send("POST", WIDGETS, { body: FULL_WIDGET });
      if (answer.status === 201) answered.push(answer.json);
      else expectError(answer, 503, "ServiceUnavailableMessage");
      const list = await service.send("GET", `${WIDGETS}?pageSize=1`);
      expect([200, 503]).toContain(list.status);
    }
  });
  for (let round = 0; round < 2; round += 1) {
    await pause(500);
    await (round === 0 ? server.crash() : server.stop());
    await renewed();
    expectError(await service.send("GET", "/readyz"), 503, "ServiceUnavailableMessage");
    expect((await service.send("GET", "/healthz")).status).toBe(200);
    await server.start();
    expect((await recovered("GET", "/readyz")).status).toBe(200);
  }
  await pause(300);
  isOver = true;
  await Promise.all(load);
  const stored = new Map((await allWidgets(service)).map((widget) => [widget["widgetId"], widget]));
  expect(answered.length).toBeGreaterThan(20);
  for (const widget of answered) expect(stored.get(widget["widgetId"])).toEqual(widget);
});

test("a read that meets connections cut by the server is answered all the same", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  for (let round = 0; round < 5; round += 1) {
    await cutConnections();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => service.send("GET", path)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await recovered("PATCH", path, { size: round })).status).toBe(200);
  }
});

test("a table that somebody locks is 503 before the client gives up, and free again afterwards", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  const other = new Connection({ connectionString: server.url });
  await other.connect();
  await other.query(`BEGIN; LOCK TABLE "widgets"`);
  const [read, written] = await Promise.all([
    service.send("GET", path),
    service.send("PATCH", path, { body: { size: 1 } }),
  ]);
  for (const answer of [read, written]) {
    expectError(answer, 503, "ServiceUnavailableMessage");
    expect(answer.headers["retry-after"]).toBe("1");
  }
  await other.query("ROLLBACK");
  await other.end();
  expect((await service.send("PATCH", path, { body: { size: 1 } })).json["size"]).toBe(1);
});

test("a server that only reads is 503 for writes", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  const writable = `${server.url}&options=-cdefault_transaction_read_only%3Doff`;
  await query(writable, `ALTER DATABASE postgres SET default_transaction_read_only = on`);
  await cutConnections();
  expect((await recovered("GET", path)).status).toBe(200);
  expectError(await service.send("DELETE", path), 503, "ServiceUnavailableMessage");
  await renewed();
  expectError(await service.send("GET", "/readyz"), 503, "ServiceUnavailableMessage");
  // Connections that were made before know nothing of it; those that met it are made anew.
  await query(writable, `ALTER DATABASE postgres SET default_transaction_read_only = off`);
  expect((await recovered("GET", "/readyz")).status).toBe(200);
  expect((await recovered("DELETE", path)).status).toBe(204);
});

test("a server whose disk is full is not ready, until a write succeeds", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  // As the server says it: its own disk is left alone.
  await query(
    server.url,
    `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`,
  );
  await query(
    server.url,
    `CREATE TRIGGER full_disk BEFORE INSERT ON "widgets" EXECUTE FUNCTION full_disk()`,
  );
  const refused = await service.send("POST", WIDGETS, { body: FULL_WIDGET });
  expectError(refused, 503, "ServiceUnavailableMessage");
  await renewed();
  expectError(await service.send("GET", "/readyz"), 503, "ServiceUnavailableMessage");
  expect((await service.send("GET", path)).status).toBe(200);
  await query(server.url, `DROP FUNCTION full_disk CASCADE`);
  await service.create(WIDGETS, FULL_WIDGET);
  await renewed();
  expect((await service.send("GET", "/readyz")).status).toBe(200);
});

test("/readyz answers within a second, more or less, when the server hangs, and asks it once", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  server.hang();
  try {
    await renewed();
    const start = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => service.send("GET", "/readyz")),
    );
    // A second, and what a busy machine adds.
    expect(performance.now() - start).toBeLessThan(3000);
    for (const answer of answers) expectError(answer, 503, "ServiceUnavailableMessage");
    expect((await service.send("GET", "/healthz")).status).toBe(200);
  } finally {
    server.resume();
  }
  expect((await recovered("GET", "/readyz")).status).toBe(200);
  expect((await recovered("PATCH", path, { size: 3 })).status).toBe(200);
});

test("reads of a server that hangs are 503, and the service goes on when it does", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  server.hang();
  try {
    const answers = await Promise.all(
      Array.from({ length: 40 }, async () => service.send("GET", path)),
    );
    for (const answer of answers) expectError(answer, 503, "ServiceUnavailableMessage");
  } finally {
    server.resume();
  }
  expect((await recovered("GET", path)).status).toBe(200);
});

/** Ends every connection of the service, as an operator or a failover does. */
async function cutConnections(): Promise<void> {
  const own = "SELECT pid FROM pg_stat_activity WHERE application_name = 'workshop'";
  await query(server.url, `SELECT pg_terminate_backend(pid) FROM (${own}) AS own`);
}
