import { expect, test } from "vitest";
import { CONVOYS } from "../contract/support/convoys.js";
import { pause, places, stop } from "../contract/support/process-tests.js";
import { pathOf } from "../contract/support/samples.js";
import { logOf, startProcess } from "../contract/support/service-process.js";
import { expectError } from "../contract/support/errors.js";
import { otherConnection, percentile99, waitsDuring } from "./support/sqlite-file.js";

const place = places();
/** Far above what is seen on an idle machine, far below the seconds that the lock is held. */
const MOST_MILLISECONDS = 1000;

test("while another process keeps the database locked, reads go on and writes are 503 in time", async () => {
  const cwd = place("locked");
  const running = startProcess(cwd);
  const client = await running.ready;
  const path = pathOf(CONVOYS, await client.create(CONVOYS, { name: "small" }));
  const other = await otherConnection(cwd);
  other.exec("BEGIN IMMEDIATE");
  const began = performance.now();
  const writes = Promise.all(
    Array.from({ length: 50 }, async () => client.send("POST", CONVOYS, { body: { name: "x" } })),
  );
  const reads = await waitsDuring(writes, async () => {
    expect((await client.send("GET", path)).status).toBe(200);
  });
  const seconds = (performance.now() - began) / 1000;
  for (const answer of await writes) {
    expectError(answer, 503, "ServiceUnavailableMessage");
    expect(answer.headers["retry-after"]).toBe("1");
  }
  // All of them at the same time, and not one after the other.
  expect(seconds).toBeGreaterThan(4);
  expect(seconds).toBeLessThan(15);
  expect(percentile99(reads)).toBeLessThan(MOST_MILLISECONDS);
  // A lock is no reason to send everybody's reads elsewhere.
  expect((await client.send("GET", "/readyz")).status).toBe(200);

  other.exec("ROLLBACK");
  other.close();
  await client.create(CONVOYS, { name: "after" });
  expect((await client.read(CONVOYS))["itemCount"]).toBe(2);
  expect(await stop(running)).toBe(0);
  // One line for all of them, and one that says that it is over.
  const lines = logOf(running.output).map(({ msg }) => msg);
  expect(lines.filter((line) => line.includes("keeps the database locked"))).toHaveLength(1);
  expect(lines.filter((line) => line.includes("can be written again"))).toHaveLength(1);
});

test("writes that meet a lock for a while are carried out in their order, and a stop waits for them", async () => {
  const cwd = place("passing");
  const running = startProcess(cwd);
  const client = await running.ready;
  const path = pathOf(CONVOYS, await client.create(CONVOYS, { name: "first" }));
  const other = await otherConnection(cwd);
  other.exec("BEGIN IMMEDIATE");
  const writes: Promise<number>[] = [];
  for (let index = 0; index < 20; index += 1) {
    const answer = client.send("POST", CONVOYS, { body: { name: `n${index}` } });
    writes.push(answer.then(({ status }) => status));
    await pause(20);
  }
  writes.push(client.send("PATCH", path, { body: { name: "last" } }).then(({ status }) => status));
  await pause(300);
  running.child.kill("SIGTERM");
  await pause(300);
  other.exec("ROLLBACK");
  expect(await Promise.all(writes)).toEqual([...Array<number>(20).fill(201), 200]);
  expect((await running.ended).code).toBe(0);
  const names = other.prepare(`SELECT "name" FROM "convoys" ORDER BY rowid`).all();
  other.close();
  expect(names.map(({ name }) => name)).toEqual([
    "last",
    ...Array.from({ length: 20 }, (_, index) => `n${index}`),
  ]);
});
