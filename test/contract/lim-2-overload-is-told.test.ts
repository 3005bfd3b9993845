import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Answer } from "./support/client.js";
import { customCode } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const ROOM = 4;
const service = await startService("contract", { limits: { concurrentRequests: ROOM } });
const hooks = await customCode("widgets");

async function post(name: string): Promise<Answer> {
  return service.send("POST", WIDGETS, { body: { name } });
}

/** Lets each create wait until it is told to go on. */
function heldCreates() {
  const gates: (() => void)[] = [];
  hooks.beforeCreate = () => new Promise<void>((resolve) => void gates.push(resolve));
  const release = (): void => {
    for (const open of gates.splice(0)) open();
  };
  return { gates, release };
}

test("only so many requests are worked on at a time, and the others wait for their turn", async () => {
  let now = 0;
  let most = 0;
  hooks.beforeCreate = async () => {
    now += 1;
    most = Math.max(most, now);
    await pause(5);
    now -= 1;
  };
  await post("first");
  const sent = Array.from({ length: 3 * ROOM }, async (_, index) => post(`drill ${index}`));
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 201));
  // More than a few only where the process waits for long.
  expect(most).toBeLessThan(sent.length);
});

test("who has waited for two seconds is told 503 with Retry-After; health is answered meanwhile", async () => {
  const { gates, release } = heldCreates();
  // Those that wait for somebody else are set aside after a while, but only so many.
  const most = 5 * ROOM;
  const held = Array.from({ length: most }, async (_, index) => post(`saw ${index}`));
  await expect.poll(() => gates.length, { timeout: 10_000 }).toBe(most);
  const started = performance.now();
  const late = [service.send("GET", WIDGETS), post("late"), service.send("GET", WIDGETS)];
  await pause(1200);
  // These come while others have waited for long: they are refused before they are looked at.
  const later = [service.send("GET", "/nothing"), post("later")];
  for (const path of ["/healthz", "/readyz"]) {
    expect((await service.send("GET", path)).status).toBe(200);
  }
  for (const answer of await Promise.all([...late, ...later])) {
    expectError(answer, 503, "ServiceUnavailableMessage");
    expect(answer.headers["retry-after"]).toBe("1");
    expect(answer.text).toContain(String(answer.headers["x-request-id"]));
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  }
  expect(performance.now() - started).toBeGreaterThan(1900);
  release();
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual(held.map(() => 201));
  const listed = (await service.read(`${WIDGETS}?name=late&name=later`))["itemCount"];
  expect(listed).toBe(0);
});

test("requests that wait for somebody else keep nobody from being served", async () => {
  const { gates, release } = heldCreates();
  const held = Array.from({ length: ROOM }, async (_, index) => post(`plane ${index}`));
  await expect.poll(() => gates.length).toBe(ROOM);
  expect((await service.send("GET", WIDGETS)).status).toBe(200);
  expect(gates.length).toBe(ROOM);
  release();
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual(held.map(() => 201));
});

test("requests for the health of the service take no room, and share one look at what it needs", async () => {
  let looks = 0;
  let release = (): void => undefined;
  const warehouse = async (): Promise<void> => {
    looks += 1;
    await new Promise<void>((resolve) => (release = resolve));
  };
  const checked = await startService("contract", {
    limits: { concurrentRequests: ROOM },
    elapsed: () => 0,
    extension: { provided: {}, routes: [], checks: { warehouse }, onStop: () => undefined },
  });
  let answered = 0;
  const asked = Array.from({ length: 10 * ROOM }, async () => {
    const { status } = await checked.send("GET", "/readyz");
    answered += 1;
    return status;
  });
  await expect.poll(() => looks).toBe(1);
  // More of them wait for the check than are worked on at a time.
  expect((await checked.send("GET", WIDGETS)).status).toBe(200);
  expect(answered).toBe(0);
  release();
  expect(await Promise.all(asked)).toEqual(asked.map(() => 200));
  expect((await checked.send("GET", "/readyz")).status).toBe(200);
  expect(looks).toBe(1);
});

test("a request that is refused makes room again, whatever refuses it", async () => {
  const headers = { "content-type": "application/json" };
  for (let time = 0; time < 3 * ROOM; time += 1) {
    await service.send("POST", WIDGETS, { headers, body: "{" });
    await service.send("GET", `${WIDGETS}?colour=red`);
    await service.send("GET", WIDGETS, { headers: { accept: "text/html" } });
  }
  hooks.beforeCreate = () => {
    throw new Error("no");
  };
  for (let time = 0; time < 2 * ROOM; time += 1) expect((await post("x")).status).toBe(500);
  delete hooks.beforeCreate;
  expect((await post("plane")).status).toBe(201);
});

test("code that never ends takes no room once its caller was told 504", async () => {
  const hasty = await startService("contract", {
    limits: { concurrentRequests: 1, requestSeconds: 1 },
  });
  let name = "";
  hooks.beforeCreate = (_, { requestId }) => {
    name = requestId;
    return new Promise<never>(() => undefined);
  };
  const started = performance.now();
  const stuck = await hasty.send("POST", WIDGETS, { body: { name: "stuck" } });
  expectError(stuck, 504, "TimeoutMessage");
  // ERR-3: the id that the log has of it.
  expect(stuck.headers["x-request-id"]).toBe(name);
  // LIM-1: the second that a request may take, and two until the next look at it.
  expect(performance.now() - started).toBeLessThan(3900);
  delete hooks.beforeCreate;
  await expect
    .poll(async () => (await hasty.send("GET", WIDGETS)).status, { timeout: 10_000 })
    .toBe(200);
}, 30_000);
