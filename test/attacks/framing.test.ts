import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { collection, ok } from "#runtime/http/routes";
import { createService } from "#runtime/service/service";
import { onlyError, send, sendUntilClosed } from "../unit/runtime/fixture/raw.js";
import { plainRegistry } from "../unit/runtime/fixture/plain-registry.js";
import { newKeys, startKeyServer, startSecured } from "../contract/support/secured.js";

const MEBIBYTE = 2 ** 20;
const TICKETS = "/api/v1/tickets";
const POST = `POST ${TICKETS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
const GET = `GET ${TICKETS} HTTP/1.1\r\nHost: x\r\n\r\n`;
const service = await createService(
  plainRegistry({
    routes: [collection("/slow", { GET: async () => (await pause(200), ok(`"slow"`)) })],
  }),
);
const url = await service.listen();
const keys = await startKeyServer([(await newKeys("first")).jwk]);
const secured = await startSecured(keys.url);
afterAll(() => service.close());

const upgrade = (protocol: string, path = TICKETS): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\n\r\n`;

test("HTTP/1.0 with Transfer-Encoding is refused, and its connection closed", async () => {
  const head = POST.replace("HTTP/1.1", "HTTP/1.0");
  const bytes = `${head}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${GET}`;
  expect(onlyError(await sendUntilClosed(url, bytes))).toBe("400 MalformedRequestMessage");
});

test.each(["h2c", "websocket"])(
  "a request to upgrade to %s is answered as it is, and so is what follows",
  async (protocol) => {
    const body = `{"a":1}`;
    const post = upgrade(protocol)
      .replace("GET", "POST")
      .replace("\r\n\r\n", `\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n`);
    const { answers, closed } = await send(url, upgrade(protocol) + GET, post, body, post + body);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 201]);
    expect(answers[2]?.body).toBe(body);
    expect(closed).toBe(false);
  },
);

test("a request to upgrade behind one that is worked on waits for it", async () => {
  const slow = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n";
  const { answers, closed } = await send(url, slow + upgrade("h2c") + GET);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(closed).toBe(false);
});

test("a request to upgrade behind several is left to be sent again", async () => {
  const slow = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n";
  const { answers, closed } = await sendUntilClosed(url, slow + slow + GET + upgrade("h2c") + GET);
  expect(answers.map(({ headers }) => headers["connection"])).toEqual([
    "keep-alive",
    "keep-alive",
    "close",
  ]);
  expect(closed).toBe(true);
});

test("nobody is asked for a body before it is known who sends it", async () => {
  const head = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`;
  const place = `http://127.0.0.1:${secured.port}`;
  const refused = await sendUntilClosed(place, head("/api/v1/drafts"));
  expect(refused.answers.map(({ status, headers }) => [status, headers["connection"]])).toEqual([
    [401, "close"],
  ]);
  const { answers } = await send(url, head(TICKETS), "{}", GET);
  expect(answers.map(({ status }) => status)).toEqual([100, 201, 200]);
});

/** Sends a body that never ends; resolves with what came back, and how much was taken, when the connection is over. */
async function sendEndless(port: number, head: string) {
  const socket: Socket = connect(port, "127.0.0.1");
  const chunk = Buffer.from(`10000\r\n${"a".repeat(65_536)}\r\n`);
  let received = "";
  socket.on("data", (bytes: Buffer) => (received += bytes.toString("latin1")));
  socket.on("error", () => undefined);
  const fill = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("drain", fill);
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  fill();
  await closed;
  return { received, bytes: socket.bytesWritten - socket.writableLength };
}

test("of a body that is refused no more is read than a body may have", async () => {
  const { received, bytes } = await sendEndless(
    secured.port,
    POST.replace(TICKETS, "/api/v1/drafts"),
  );
  expect(received.slice(9, 12)).toBe("401");
  // What the operating system takes on its own is several MiB.
  expect(bytes).toBeLessThan(30 * MEBIBYTE);
});

test("so is a body where none is wanted", async () => {
  const { received, bytes } = await sendEndless(
    Number(new URL(url).port),
    POST.replace("POST", "GET"),
  );
  expect(received.slice(9, 12)).toBe("200");
  expect(bytes).toBeLessThan(30 * MEBIBYTE);
});
