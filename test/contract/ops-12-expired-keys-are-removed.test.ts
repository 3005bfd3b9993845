import { setTimeout as pause } from "node:timers/promises";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { openDatabase } from "#runtime/store/open-database";
import type { createService } from "#runtime/service/service";
import type { ServiceRegistry } from "#runtime/http/settings";
import { compiledModule } from "../support/compiled-module.js";
import { Client } from "./support/client.js";
import { databaseUrl, makeDatabase } from "./support/database.js";
import { newKey, postKeyed } from "./support/keyed.js";
import { created } from "./support/process-tests.js";
import { documentOf } from "./support/openapi-oracle.js";
import { WIDGETS } from "./support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { serviceRuntime } from "../support/runtime.js";

const DAY = 24 * 60 * 60 * 1000;
const START = Date.parse("2026-02-03T04:05:06.789Z");

const { registry } = await compiledModule<{ registry: ServiceRegistry }>(
  "contract",
  "generated/app",
);
const load = <Module>(name: string) => serviceRuntime<Module>("contract", name);
const service = await load<{ createService: typeof createService }>("service/service");
const store = await load<{ openDatabase: typeof openDatabase }>("store/open-database");

const url = databaseUrl(temporaryFolder());
await makeDatabase(url);

/** A service on the one database, at a time; it removes what has expired when it starts. */
async function startAt(now: number) {
  const running = await service.createService(registry, { databaseUrl: url, clock: () => now });
  await running.listen();
  // It listens on a port, never on a socket file.
  const { port } = running.app.server.address() as AddressInfo;
  return { client: new Client(port, documentOf("contract")), close: () => running.close() };
}

async function keptKeys(): Promise<number> {
  const database = await store.openDatabase({
    url,
    connections: 2,
    requestSeconds: 30,
    name: "test",
  });
  const row = await database.get("SELECT count(*) AS keys FROM idempotency_key_answers", []);
  await database.close();
  return Number(row?.["keys"]);
}

async function keptKeysBecome(count: number): Promise<void> {
  for (let time = 0; time < 200 && (await keptKeys()) !== count; time += 1) await pause(50);
  expect(await keptKeys()).toBe(count);
}

/** Makes a widget with each key, all at once; a busy service refuses some for a moment, and has stored nothing then (LIM-2). */
async function makeAll(client: Client, keys: readonly string[]): Promise<void> {
  const made = await Promise.all(
    keys.map(async (key) => created(() => postKeyed(client, WIDGETS, key, { name: "drill" }))),
  );
  expect(made.map((answer) => answer?.status)).toEqual(keys.map(() => 201));
}

test("keys of more than 24 hours are removed, a piece after the other, by several services at once", async () => {
  const first = await startAt(START);
  const keys = Array.from({ length: 230 }, newKey);
  await makeAll(first.client, keys);
  await first.close();
  const second = await startAt(START + DAY - 1);
  const young = await postKeyed(second.client, WIDGETS, newKey(), { name: "drill" });
  expect(young.status).toBe(201);
  expect(await keptKeys()).toBe(231);
  await second.close();
  const others = await Promise.all([startAt(START + DAY), startAt(START + DAY)]);
  await keptKeysBecome(1);
  for (const { client, close } of others) {
    // The entities stay, and requests were answered meanwhile.
    expect((await client.read(WIDGETS))["itemCount"]).toBe(231);
    await close();
  }
});

test("a service that is stopped while it removes stops at once, and the next one goes on", async () => {
  const first = await startAt(START + 2 * DAY);
  const keys = Array.from({ length: 500 }, newKey);
  await makeAll(first.client, keys);
  await first.close();
  const stopped = await startAt(START + 4 * DAY);
  await stopped.close();
  const next = await startAt(START + 4 * DAY);
  await keptKeysBecome(0);
  await next.close();
});
