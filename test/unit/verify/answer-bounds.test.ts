import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import { HttpClient } from "../../../src/verify/http-client.js";
import { Patience, sendPatiently } from "../../../src/verify/patience.js";
import { sendRaw } from "../../../src/verify/raw-request.js";

// A service that never ends its answer occupies verify neither for ever nor with all of the memory.

const MIB = Buffer.alloc(1024 * 1024, "x");
const BOUNDS = { milliseconds: 500, bytes: 4 * MIB.length };
const sent = { bytes: 0 };

const endless: RequestListener = (request, response) => {
  if (request.url === "/busy") {
    response.writeHead(429, { "retry-after": "0.05" }).end();
    return;
  }
  response.writeHead(200, { "content-length": 1e12 });
  const write = (): void => {
    while (!response.destroyed) {
      sent.bytes += MIB.length;
      if (!response.write(MIB)) {
        response.once("drain", write);
        return;
      }
    }
  };
  if (request.url === "/large") write();
  const drip = setInterval(() => response.write("x"), 20);
  response.on("close", () => clearInterval(drip));
};
const server = createServer(endless);
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
// It listens on a port, never on a socket file.
const { port } = server.address() as AddressInfo;
const base = new URL(`http://127.0.0.1:${port}`);
const client = new HttpClient(base, new Patience(0, () => undefined), BOUNDS);
afterAll(() => {
  client.close();
  server.closeAllConnections();
  server.close();
});

test("an answer that is too large is given up", async () => {
  await expect(client.send("GET", "/large")).rejects.toThrow(
    "GET /large: an answer of more than 4194304 bytes",
  );
  expect(sent.bytes).toBeLessThan(64 * MIB.length);
});

test("an answer that comes a byte at a time is given up", async () => {
  await expect(client.send("GET", "/slow")).rejects.toThrow(
    "GET /slow: no whole answer within 0.5 seconds",
  );
});

test.each(["/large", "/slow"])("so is one to bytes that no client would send: %s", async (path) => {
  const raw = sendRaw(base, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, BOUNDS);
  await expect(raw).rejects.toThrow('no HTTP response came, but "HTTP/1.1 200 OK');
});

test("a service that goes on to answer 429 is waited for as long as a run may take for that, and told once", async () => {
  const told: number[] = [];
  const impatient = new HttpClient(
    base,
    new Patience(0.12, (seconds) => told.push(seconds)),
    BOUNDS,
  );
  await expect(sendPatiently(impatient, "GET", "/busy")).rejects.toThrow(
    "The service goes on to answer 429 after waits of 0.1 s in all.",
  );
  // What it has made is deleted as far as that can be done.
  expect((await sendPatiently(impatient, "DELETE", "/busy")).answer.status).toBe(429);
  expect(told).toEqual([]);
  impatient.close();
});

test("who verifies hears after each half minute of waits", async () => {
  const told: number[] = [];
  const patience = new Patience(100, (seconds) => told.push(seconds));
  vi.useFakeTimers();
  try {
    for (const seconds of [20, 20, 25, 61]) {
      const waiting = patience.wait(seconds);
      await vi.advanceTimersByTimeAsync(seconds * 1000);
      expect(await waiting).toBe(seconds < 61);
    }
  } finally {
    vi.useRealTimers();
  }
  expect(told).toEqual([40, 65]);
});
