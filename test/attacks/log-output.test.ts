import { openSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { places } from "../contract/support/process-tests.js";
import { spawnService, type SpawnedService } from "./support/spawned-service.js";

const place = places();
/** At level debug a line each: more than a pipe and what waits for it take. */
const REQUESTS = 8000;

async function send({ client }: SpawnedService, count: number): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>();
  const one = async (): Promise<void> => {
    for (let sent = 0; sent < count / 20; sent += 1) {
      statuses.add((await client.send("GET", "/healthz")).status);
    }
  };
  await Promise.all(Array.from({ length: 20 }, one));
  return statuses;
}

async function stopped({ child, ended }: SpawnedService): Promise<unknown> {
  child.kill("SIGTERM");
  return ended;
}

test("a full disk under the log costs lines, and not the service", async () => {
  const full = openSync("/dev/full", "w");
  const service = await spawnService(place("full"), ["ignore", full, "ignore"]);
  expect([...(await send(service, 200))]).toEqual([200]);
  expect(await stopped(service)).toBe(0);
});

test("so does a reader of the log that is gone", async () => {
  const service = await spawnService(place("gone"), ["ignore", "pipe", "ignore"]);
  service.child.stdout?.destroy();
  expect([...(await send(service, 200))]).toEqual([200]);
  expect(await stopped(service)).toBe(0);
});

test("lines that nobody reads are dropped, and their number is logged once somebody reads again", async () => {
  const service = await spawnService(place("unread"), ["ignore", "pipe", "ignore"]);
  expect([...(await send(service, REQUESTS))]).toEqual([200]);
  let log = "";
  service.child.stdout?.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const began = Date.now();
  while (!log.includes('"dropped"') && Date.now() - began < 20_000) {
    await send(service, 20);
    await pause(50);
  }
  const dropped = log
    .split('"dropped":')
    .slice(1)
    .map((rest) => Number.parseInt(rest, 10));
  expect(dropped[0]).toBeGreaterThan(0);
  expect(await stopped(service)).toBe(0);
  // The last lines of a stop are written, and every line is whole.
  expect(log).toContain("has stopped");
  for (const line of log.trim().split("\n")) JSON.parse(line);
  const written = log.split('"msg":"request"').length - 1;
  const lost = dropped.reduce((sum, count) => sum + count, 0);
  expect(written + lost).toBeGreaterThanOrEqual(REQUESTS);
});

test("a log that nobody reads does not keep the process from stopping", async () => {
  const service = await spawnService(place("stuck"), ["ignore", "pipe", "ignore"]);
  await send(service, REQUESTS);
  const began = Date.now();
  expect(await stopped(service)).toBe(0);
  expect(Date.now() - began).toBeLessThan(10_000);
});
