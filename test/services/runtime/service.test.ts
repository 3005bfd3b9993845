import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { Service } from "#runtime/service/service";
import { connectSqlite } from "#runtime/store/sqlite/module";
import { ask } from "../../unit/runtime/fixture/ask.js";
import { errorTypeOf } from "../../unit/runtime/fixture/raw.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { WIDGETS } from "../../contract/support/samples.js";
import { loadService } from "../../contract/support/service.js";

const folder = temporaryFolder();
const { registry, createService } = await loadService("contract");
/** Readiness is looked at once a second. */
const PATIENCE = { timeout: 5000 };

test("a service that can do its work is alive and ready", async () => {
  const service = await createService(registry);
  const url = await service.listen();
  for (const path of ["/healthz", "/readyz"]) {
    const answer = await ask(url, "GET", path);
    expect([answer.status, answer.body]).toEqual([200, `{\n  "status": "ok"\n}`]);
  }
  await service.close();
});

test("a database file that is gone makes the service unready, not dead, and is not made anew", async () => {
  const file = join(folder, "gone.db");
  const service = await createService(registry, { databaseUrl: `sqlite:${file}` });
  const url = await service.listen();
  renameSync(file, `${file}.away`);
  const unready = await ask(url, "GET", "/readyz");
  expect(`${unready.status} ${errorTypeOf(unready)}`).toBe("503 ServiceUnavailableMessage");
  expect(unready.headers["retry-after"]).toBe("1");
  expect((await ask(url, "GET", "/healthz")).status).toBe(200);
  renameSync(`${file}.away`, file);
  await expect.poll(async () => (await ask(url, "GET", "/readyz")).status, PATIENCE).toBe(200);
  await service.close();
  rmSync(file);
});

test("a database that another process holds is 503 with Retry-After, and works again afterwards", async () => {
  const file = join(folder, "held.db");
  const service = await createService(registry, { databaseUrl: `sqlite:${file}` });
  const url = await service.listen();
  const other = await connectSqlite(file);
  other.exec("BEGIN IMMEDIATE");
  const json = { name: "Lamp" };
  const held = await ask(url, "POST", WIDGETS, { json });
  expect(`${held.status} ${errorTypeOf(held)}`).toBe("503 ServiceUnavailableMessage");
  expect(held.headers["retry-after"]).toBe("1");
  expect((await ask(url, "GET", WIDGETS)).status).toBe(200);
  other.exec("ROLLBACK");
  other.close();
  expect((await ask(url, "POST", WIDGETS, { json })).status).toBe(201);
  await service.close();
}, 20_000);

test("a route of the user's that clashes with the contract's is refused at start", async () => {
  const clash = createService(registry, {
    configure: (app) => {
      app.get(WIDGETS, () => "mine");
    },
  });
  await expect(clash).rejects.toThrow("already declared");
});

test("closing twice is closing once", async () => {
  const service = await createService(registry);
  await service.listen();
  await Promise.all([service.close(), service.close()]);
});

/** A service with checks of its own, the errors that it logs, and what it logs of being ready. */
async function checked(
  checks: Readonly<Record<string, () => Promise<void>>>,
  elapsed: () => number,
): Promise<{
  readonly service: Service;
  readonly told: readonly string[];
  readonly lines: readonly unknown[];
}> {
  const told: string[] = [];
  const lines: unknown[] = [];
  const log = (fields: Record<string, unknown>): Record<string, unknown> => {
    const { err, ...others } = fields;
    if (err instanceof Error) told.push(err.message);
    if (err instanceof Error || "seconds" in fields) {
      const cause = err instanceof Error ? { cause: String(err.cause) } : {};
      lines.push({ ...cause, ...others });
    }
    return fields;
  };
  // Nothing is printed: the lines are kept above.
  const logger = { formatters: { log }, hooks: { streamWrite: () => "" } };
  const service = await createService(registry, {
    ...{ elapsed, logLevel: "info" },
    logger,
    extension: { provided: {}, routes: [], checks, onStop: () => undefined },
  });
  return { service, told, lines };
}

test("the log tells when a check begins to fail, every ten minutes while it does, and when it is over", async () => {
  let now = 0;
  const gone = new Set(["warehouse"]);
  let why = "refused";
  const check = (name: string) => async (): Promise<void> => {
    if (gone.has(name)) throw new Error(why);
  };
  const checks = { warehouse: check("warehouse"), carrier: check("carrier") };
  const { service, lines } = await checked(checks, () => now);
  const url = await service.listen();
  const poll = async (minutes: number): Promise<void> => {
    for (const end = now + minutes * 60_000; now < end; now += 15_000)
      await ask(url, "GET", "/readyz");
  };
  await poll(4);
  gone.add("carrier");
  await poll(5);
  gone.delete("carrier");
  why = "timed out";
  await poll(14);
  gone.delete("warehouse");
  await poll(30);
  await service.close();
  expect(lines).toEqual([
    { cause: "Error: refused" },
    { cause: "Error: refused" },
    { part: "check carrier", seconds: 300 },
    { cause: "Error: timed out", seconds: 600 },
    { cause: "Error: timed out", seconds: 1200 },
    { part: "check warehouse", seconds: 1380 },
  ]);
});

test("several reasons for not being ready are told once each, until it is ready again", async () => {
  let polls = 0;
  let isThere = false;
  // What fails first is another check each time.
  const check = (turn: number) => async (): Promise<void> => {
    if (isThere) return;
    if (polls % 2 !== turn) await new Promise((resolve) => setTimeout(resolve, 20));
    throw new Error("gone");
  };
  const checks = { warehouse: check(0), carrier: check(1) };
  const { service, told } = await checked(checks, () => polls * 1000);
  const url = await service.listen();
  const poll = async (count: number): Promise<void> => {
    for (const end = polls + count; polls < end; polls += 1) await ask(url, "GET", "/readyz");
  };
  await poll(6);
  const once = ["The check warehouse failed", "The check carrier failed"];
  expect(told).toEqual(once);
  isThere = true;
  await poll(1);
  isThere = false;
  await poll(6);
  expect(told.toSorted()).toEqual([...once, ...once].sort());
  await service.close();
});

test("a check that hangs makes the service not ready after a second, and is named", async () => {
  const warehouse = async (): Promise<void> => new Promise(() => undefined);
  const { service, told } = await checked({ warehouse }, () => 0);
  const answer = await ask(await service.listen(), "GET", "/readyz");
  await service.close();
  expect(answer.status).toBe(503);
  expect(told).toEqual(["The check warehouse failed"]);
});
