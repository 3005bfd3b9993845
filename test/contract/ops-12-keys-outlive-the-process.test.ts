import { expect, test } from "vitest";
import type { Client, JsonObject } from "./support/client.js";
import { newKey, postKeyed } from "./support/keyed.js";
import { allWidgets, created, places, stop } from "./support/process-tests.js";
import { FULL_WIDGET, pathOf, WIDGETS } from "./support/samples.js";
import { startProcess } from "./support/service-process.js";

const place = places();

/** One POST with a key; null where the connection broke before the answer was whole. */
async function tried(client: Client, key: string, body: JsonObject) {
  return created(() => postKeyed(client, WIDGETS, key, body));
}

test("kill -9 in the middle of 500 POSTs: sent again with their keys, each has made one widget", async () => {
  const cwd = place("killed");
  const keys = Array.from({ length: 500 }, newKey);
  const answered = new Map<string, string>();
  for (const after of [1, 100, 300]) {
    const running = startProcess(cwd);
    const client = await running.ready;
    let count = 0;
    await Promise.all(
      keys.map(async (key, size) => {
        const answer = await tried(client, key, { ...FULL_WIDGET, size });
        if (answer !== null) {
          expect(answer.text).toBe(answered.get(key) ?? answer.text);
          answered.set(key, answer.text);
        }
        count += 1;
        if (count === after) running.child.kill("SIGKILL");
      }),
    );
    expect((await running.ended).code).toBeNull();
  }
  const last = startProcess(cwd);
  const client = await last.ready;
  for (const [size, key] of keys.entries()) {
    const again = await postKeyed(client, WIDGETS, key, { ...FULL_WIDGET, size });
    expect(again.status).toBe(201);
    expect(again.text).toBe(answered.get(key) ?? again.text);
    // It begins as the service that answers does: each one listens at another port.
    expect(again.headers.location).toBe(client.url + pathOf(WIDGETS, again.json));
  }
  expect(answered.size).toBeGreaterThan(1);
  const sizes = (await allWidgets(client)).map((widget) => Number(widget["size"]));
  expect(sizes.sort((one, other) => one - other)).toEqual([...keys.keys()]);
  expect(await stop(last)).toBe(0);
});

test("two processes over one database: a key that is sent to both at once makes one widget", async () => {
  const cwd = place("shared");
  const first = startProcess(cwd);
  const clients = [await first.ready];
  const second = startProcess(cwd);
  clients.push(await second.ready);
  for (let round = 0; round < 10; round += 1) {
    const key = newKey();
    const body = { name: `round ${round}` };
    const answers = await Promise.all(
      [...clients, ...clients].map(async (client) => tried(client, key, body)),
    );
    expect(new Set(answers.map((answer) => answer?.text)).size).toBe(1);
  }
  const [client] = clients;
  expect(client && (await allWidgets(client))).toHaveLength(10);
  expect([await stop(first), await stop(second)]).toEqual([0, 0]);
});
