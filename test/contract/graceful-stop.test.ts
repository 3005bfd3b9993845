import { Agent, request } from "node:http";
import { connect } from "node:net";
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
  await client.read("/healthz");
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

/** Sends one request after the other on connections that are kept; returns what went wrong. */
async function keepAsking(port: number, agent: Agent, isOver: () => boolean): Promise<string[]> {
  const wrong: string[] = [];
  while (!isOver()) {
    const outcome = await new Promise<string>((resolve) => {
      const asked = request({ port, path: WIDGETS, agent }, (answer) => {
        answer.resume().on("end", () => resolve(String(answer.statusCode)));
        answer.on("error", () => resolve("cut"));
      });
      asked.on("error", (error) => resolve("code" in error ? String(error.code) : error.message));
      asked.end();
    });
    // Nobody listens any more: this caller goes elsewhere.
    if (outcome === "ECONNREFUSED") return wrong;
    if (outcome !== "200") wrong.push(outcome);
  }
  return wrong;
}

test("under load of clients that keep their connections no request fails, stop after stop", async () => {
  for (let round = 0; round < 4; round += 1) {
    const running = startProcess(place(`kept-${round}`));
    const { port } = await running.ready;
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    let isOver = false;
    const clients = Array.from({ length: 20 }, async () => keepAsking(port, agent, () => isOver));
    await pause(600 + 50 * round);
    expect(await stop(running)).toBe(0);
    isOver = true;
    expect((await Promise.all(clients)).flat()).toEqual([]);
    agent.destroy();
  }
});

test("a connection that is kept is served for a while, with an answer that is the last, and is then ended", async () => {
  const running = startProcess(place("idle"));
  const { port } = await running.ready;
  const received = ["", ""];
  const sockets = received.map((_, index) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("data", (chunk: Buffer) => (received[index] += chunk.toString()));
    return socket;
  });
  const [used, unused] = sockets;
  const ended = new Promise((resolve) => unused?.on("end", resolve));
  used?.write(`GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n`);
  unused?.write(`GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n`);
  await pause(500);
  expect(received[0]).toContain("HTTP/1.1 200 OK");
  received[0] = "";
  const began = Date.now();
  running.child.kill("SIGTERM");
  await pause(100);
  used?.write(`GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n`);
  await ended;
  expect(received[0]).toContain("HTTP/1.1 503 ");
  expect(received[0]).toContain("ServiceUnavailableMessage");
  expect(received[0]?.toLowerCase()).toContain("\r\nconnection: close\r\n");
  expect((await running.ended).code).toBe(0);
  // Long before what is in flight would be cut.
  expect(Date.now() - began).toBeLessThan(4000);
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
  expect(code).toBe(1);
  expect(Date.now() - began).toBeLessThan(3000);
  expect(await cut).toBeNull();
});

test.concurrent(
  "a request that never ends does not keep the process from stopping in time",
  async () => {
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
  },
);

test.concurrent.each(["SIGBUS", "SIGSEGV", "SIGILL", "SIGFPE"] as const)(
  "%s ends the process by the signal: nobody waits for what a fault has left",
  async (signal) => {
    const running = startProcess(place(signal), { TEST_SLOW_MILLISECONDS: "8000" });
    const client = await running.ready;
    const cut = postWidget(client, { name: "slow" });
    await pause(300);
    running.child.kill(signal);
    expect((await running.ended).code).toBeNull();
    expect(running.child.signalCode).toBe(signal);
    expect(await cut).toBeNull();
  },
);
