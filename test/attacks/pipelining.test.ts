import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { documentRoutes } from "#runtime/service/documents";
import { collection, ok } from "#runtime/http/routes";
import { createService } from "#runtime/service/service";
import { plainRegistry } from "../unit/runtime/fixture/plain-registry.js";
import { send, sendUntilClosed } from "../unit/runtime/fixture/raw.js";
import { places } from "../contract/support/process-tests.js";
import { memoryOf, spawnService } from "./support/spawned-service.js";

let begun = 0;
const LARGE = `"${"x".repeat(20_000_000)}"`;
const service = await createService(
  plainRegistry({
    routes: [
      collection("/large", { GET: () => ((begun += 1), ok(LARGE)) }),
      collection("/slow", {
        GET: async () => {
          begun += 1;
          await pause(100);
          return ok(`"slow"`);
        },
      }),
    ],
  }),
);
const url = await service.listen();
const place = places();
afterAll(() => service.close());

function open(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  return socket;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test("the next request begins when the answer before it has left", async () => {
  begun = 0;
  const socket = open(Number(new URL(url).port));
  socket.pause();
  socket.write(get("/large").repeat(3));
  await pause(500);
  expect(begun).toBe(1);
  let received = 0;
  socket.on("data", (chunk: Buffer) => (received += chunk.length));
  socket.resume();
  while (received < 3 * LARGE.length) await pause(20);
  expect(begun).toBe(3);
  socket.destroy();
});

test("beyond 32 that wait, the last answer says so, and the rest is dropped", async () => {
  const { answers, closed } = await sendUntilClosed(url, get("/api/v1/tickets").repeat(200));
  // Those before them were answered at once.
  expect(answers.length).toBeGreaterThan(32);
  expect(answers.length).toBeLessThan(40);
  expect(closed).toBe(true);
  const ends = answers.map(({ headers }) => headers["connection"]);
  expect(ends.indexOf("close")).toBe(answers.length - 1);
});

test("what comes in pieces is answered whole and in order", async () => {
  const parts = Array.from({ length: 30 }, (_, index) => get(`/api/v1/tickets?n=${index}`));
  const { answers, closed } = await send(url, get("/slow") + parts.join(""), ...parts);
  expect(answers.slice(1, 31).map(({ body }) => JSON.parse(body))).toEqual(
    parts.map((_, index) => ({ search: `n=${index}` })),
  );
  expect(answers).toHaveLength(61);
  expect(closed).toBe(false);
});

test("a body behind a waiting request is read when its turn has come", async () => {
  const body = JSON.stringify({ text: "x".repeat(3000) });
  const post = `POST /api/v1/tickets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const expecting = `${post}Expect: 100-continue\r\n\r\n`;
  const { answers } = await send(
    url,
    `${get("/slow")}${post}\r\n${body.slice(0, 100)}`,
    body.slice(100),
    `${get("/slow")}OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n${get("/nowhere")}`,
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 204, 404]);
  const invited = await send(url, get("/slow") + expecting);
  expect(invited.answers.map(({ status }) => status)).toEqual([200, 100]);
});

test("what waits on a connection that is closed is not carried out", async () => {
  begun = 0;
  const socket = open(Number(new URL(url).port));
  socket.write(get("/slow").repeat(5));
  await pause(50);
  socket.destroy();
  await pause(500);
  // That nobody is there any more shows when an answer is sent.
  expect(begun).toBeLessThan(3);
});

test("those who ask first for a document share one reading", async () => {
  const [route] = await documentRoutes(plainRegistry().settings);
  // The handler of a document asks nothing of its call.
  const ask = async () => route?.handlers.GET?.({} as never);
  const [first, second] = await Promise.all([ask(), ask()]);
  expect(first?.kept).toBeDefined();
  expect(second?.kept).toBe(first?.kept);
  expect(first?.kept?.compressed()).toBe(second?.kept?.compressed());
});

test("65 KB of requests whose answers nobody reads cost at most 150 MiB, and others are answered", async () => {
  const { child, client } = await spawnService(place("unread"), "ignore");
  const path = "/api/v1/openapi.json";
  await client.send("GET", path);
  const idle = memoryOf(child);
  const sockets = Array.from({ length: 10 }, () => open(client.port));
  const bytes = get(path).repeat(Math.floor(65_536 / get(path).length));
  for (const socket of sockets) {
    socket.pause();
    socket.write(bytes);
  }
  for (let probe = 0; probe < 50; probe += 1) {
    // A machine that is busy with all of this may say for a while that it is (LIM-2).
    expect((await client.sendPatiently("GET", "/api/v1/widgets")).status).toBe(200);
    await pause(20);
  }
  expect(memoryOf(child) - idle).toBeLessThan(150);
  for (const socket of sockets) socket.destroy();
  child.kill("SIGKILL");
});
