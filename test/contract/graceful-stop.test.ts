import { Agent, request } from "node:http";
import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { allWidgets, pause, places, postWidget, stop } from "./support/process-tests.js";
import { WIDGETS } from "./support/samples.js";
import { startProcess } from "./support/service-process.js";

const place = places();

test("SIGTERM under load: what is in flight is answered, what is stored was answered, and the exit code is 0", async () => {
  const cwd = place("drained");
  const running = startProcess(cwd, { TEST_SLOW_MILLISECONDS: "3000" });
  const client = await running.ready;
  const answered: JsonObject[] = [];
  let isStopping = false;
  const slow = Array.from({ length: 100 }, async () => postWidget(client, { name: "slow" }));
  // They have all arrived before there is any load: what waits to be accepted is not in flight yet.
  await pause(1000);
  const load = Array.from({ length: 50 }, async () => {
    for (;;) {
      const made = await postWidget(client, { name: "load" });
      if (made !== null) answered.push(made);
      else if (isStopping) return;
      else throw new Error("a connection broke before the service was told to stop");
    }
  });
  await pause(800);
  const began = Date.now();
  isStopping = true;
  running.child.kill("SIGTERM");
  const inFlight = await Promise.all(slow);
  expect(inFlight.filter((widget) => widget === null)).toEqual([]);
  const { code } = await running.ended;
  expect(code).toBe(0);
  expect(Date.now() - began).toBeLessThan(10_000);
  await Promise.all(load);
  const restarted = startProcess(cwd);
  const stored = await allWidgets(await restarted.ready);
  const ids = [...answered, ...inFlight].map((widget) => widget?.["widgetId"]);
  // Nothing that was answered is lost, and nothing was stored whose caller went without an answer.
  expect(stored.map(({ widgetId }) => widgetId).sort()).toEqual(ids.sort());
  expect(answered.length).toBeGreaterThan(0);
  await stop(restarted);
});

test("new connections are refused while what is in flight is answered", async () => {
  const running = startProcess(place("refusing"), { TEST_SLOW_MILLISECONDS: "1000" });
  const client = await running.ready;
  const slow = client.send("POST", WIDGETS, { body: { name: "slow" } });
  await pause(300);
  running.child.kill("SIGTERM");
  await pause(200);
  await expect(
    client.send("GET", "/healthz", { headers: { connection: "close" } }),
  ).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
  expect((await slow).status).toBe(201);
  expect((await running.ended).code).toBe(0);
});

test("a second signal ends the process at once, and not with exit code 0", async () => {
  const running = startProcess(place("twice"), { TEST_SLOW_MILLISECONDS: "8000" });
  const client = await running.ready;
  const cut = postWidget(client, { name: "slow" });
  await pause(300);
  const began = Date.now();
  running.child.kill("SIGTERM");
  await pause(200);
  running.child.kill("SIGTERM");
  const { code } = await running.ended;
  expect(code).toBeGreaterThan(0);
  expect(Date.now() - began).toBeLessThan(3000);
  expect(await cut).toBeNull();
});

test("a request that never ends does not keep the process from stopping in time", async () => {
  const running = startProcess(place("endless"));
  const { port } = await running.ready;
  const agent = new Agent({ keepAlive: true });
  const endless = request({
    port,
    method: "POST",
    path: WIDGETS,
    agent,
    headers: { "content-type": "application/json" },
  });
  const closed = new Promise((resolve) => endless.on("error", resolve).on("response", resolve));
  endless.write("{");
  await pause(300);
  const began = Date.now();
  running.child.kill("SIGTERM");
  expect((await running.ended).code).toBe(0);
  expect(Date.now() - began).toBeLessThan(10_000);
  await closed;
  agent.destroy();
});
