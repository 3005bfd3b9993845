import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { HttpClient } from "../../../src/verify/http-client.js";
import { sendRaw } from "../../../src/verify/raw-request.js";

// A service that never ends its answer occupies verify neither for ever nor with all of the memory.

const MIB = Buffer.alloc(1024 * 1024, "x");
const BOUNDS = { milliseconds: 500, bytes: 4 * MIB.length };
const sent = { bytes: 0 };

const endless: RequestListener = (request, response) => {
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
const client = new HttpClient(base, BOUNDS);
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
