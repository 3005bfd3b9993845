import { afterAll, expect, test } from "vitest";

import { collection, ok } from "#runtime/http/routes";
import { createService } from "#runtime/service/service";
import { plainRegistry } from "../../unit/runtime/fixture/plain-registry.js";
import { errorTypeOf, onlyError, send, sendUntilClosed } from "../../unit/runtime/fixture/raw.js";

const slow = collection("/slow", {
  GET: () => new Promise((resolve) => setTimeout(() => resolve(ok(`"slow"`)), 100)),
});
const service = await createService(plainRegistry({ routes: [slow] }));
const url = await service.listen();
const hasty = await createService(plainRegistry({ limits: { requestSeconds: 1 } }));
const hastyUrl = await hasty.listen();
afterAll(async () => {
  await service.close();
  await hasty.close();
});

const TICKETS = "/api/v1/tickets";
const GET = `GET ${TICKETS} HTTP/1.1\r\nHost: x\r\n`;
const POST = `POST ${TICKETS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;

test.each([
  ["garbage", "\0\x01\x02\r\n\r\n", "400 MalformedRequestMessage"],
  [
    "a lower-case method",
    `get ${TICKETS} HTTP/1.1\r\nHost: x\r\n\r\n`,
    "501 NotImplementedMessage",
  ],
  ["an unknown method", `FOO ${TICKETS} HTTP/1.1\r\nHost: x\r\n\r\n`, "501 NotImplementedMessage"],
  ["no Host", `GET ${TICKETS} HTTP/1.1\r\n\r\n`, "400 MalformedRequestMessage"],
  [
    "two Hosts",
    `GET ${TICKETS} HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n`,
    "400 MalformedRequestMessage",
  ],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400 MalformedRequestMessage"],
  ["no version of HTTP", `FOO ${TICKETS}\r\nHost: x\r\n\r\n`, "400 MalformedRequestMessage"],
  ["a method that is none", "F(O / HTTP/1.1\r\nHost: x\r\n\r\n", "400 MalformedRequestMessage"],
  ["a header without a colon", `${GET}broken\r\n\r\n`, "400 MalformedRequestMessage"],
  ["HTTP/3.7", `GET ${TICKETS} HTTP/3.7\r\nHost: x\r\n\r\n`, "400 MalformedRequestMessage"],
  [
    "a TLS handshake",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "400 MalformedRequestMessage",
  ],
  [
    "a header of 20,000 bytes",
    `${GET}X: ${"a".repeat(20_000)}\r\n\r\n`,
    "431 HeadersTooLargeMessage",
  ],
  [
    "a header of 90,000 bytes",
    `${GET}X: ${"a".repeat(90_000)}\r\n\r\n`,
    "431 HeadersTooLargeMessage",
  ],
  [
    "a URL of 10,000 bytes",
    `GET /api/${"a".repeat(10_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    "414 UriTooLongMessage",
  ],
  [
    "a URL of 40,000 bytes",
    `GET /api/${"a".repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    "414 UriTooLongMessage",
  ],
  ["3,000 headers", `${GET}${"X-Some: header\r\n".repeat(3000)}\r\n`, "431 HeadersTooLargeMessage"],
  [
    "a repeated header over the limit",
    `${GET}${"Accept: application/json\r\n".repeat(1000)}\r\n`,
    "431 HeadersTooLargeMessage",
  ],
  [
    "Content-Length with Transfer-Encoding",
    `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    "400 MalformedRequestMessage",
  ],
  [
    "Transfer-Encoding: chunked, identity",
    `${POST}Transfer-Encoding: chunked, identity\r\n\r\n`,
    "400 MalformedRequestMessage",
  ],
  ["a negative Content-Length", `${POST}Content-Length: -5\r\n\r\n`, "400 MalformedRequestMessage"],
  [
    "two Content-Lengths",
    `${POST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    "400 MalformedRequestMessage",
  ],
  ["a folded header", `${GET}X: a\r\n b\r\n\r\n`, "400 MalformedRequestMessage"],
  ["bare line feeds", `GET ${TICKETS} HTTP/1.1\nHost: x\n\n`, "400 MalformedRequestMessage"],
  ["NUL in a header", `${GET}X: a\0b\r\n\r\n`, "400 MalformedRequestMessage"],
  [
    "an invalid chunk size",
    `${POST}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
    "400 MalformedRequestMessage",
  ],
  [
    "a huge chunk extension",
    `${POST}Transfer-Encoding: chunked\r\n\r\n1;${"a".repeat(20_000)}\r\na\r\n0\r\n\r\n`,
    "413 PayloadTooLargeMessage",
  ],
  [
    "another expectation",
    `${POST}Expect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}`,
    "417 ExpectationFailedMessage",
  ],
  [
    "a huge body that asks first",
    `${POST}Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n`,
    "413 PayloadTooLargeMessage",
  ],
  [
    "CONNECT",
    "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n",
    "501 NotImplementedMessage",
  ],
  ["GET of the asterisk", "GET * HTTP/1.1\r\nHost: x\r\n\r\n", "400 MalformedRequestMessage"],
])("%s: exactly one JSON error, then the connection is closed", async (_name, raw, want) => {
  const exchange = await sendUntilClosed(url, raw);
  expect(onlyError(exchange)).toBe(want);
  expect(exchange.answers[0]?.headers["connection"]).toBe("close");
  expect(exchange.closed).toBe(true);
});

test.each([
  ["Upgrade is ignored", `${GET}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, 200],
  [
    "the absolute form is served, whatever its host",
    `GET http://evil.example${TICKETS}?a=1 HTTP/1.1\r\nHost: x\r\n\r\n`,
    200,
  ],
  ["HTTP/1.0 needs no Host", `GET ${TICKETS} HTTP/1.0\r\n\r\n`, 200],
  ["OPTIONS asks about the whole service", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 204],
  [
    "TRACE echoes nothing",
    `TRACE ${TICKETS} HTTP/1.1\r\nHost: x\r\nAuthorization: canary\r\n\r\n`,
    405,
  ],
  ["a method of WebDAV is not implemented", `PROPFIND ${TICKETS} HTTP/1.1\r\nHost: x\r\n\r\n`, 501],
  [
    "trailers are ignored",
    `${POST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n__proto__: x\r\n\r\n`,
    201,
  ],
])("%s", async (_name, raw, status) => {
  const { answers } = await send(url, raw);
  expect(answers.map((answer) => answer.status)).toEqual([status]);
  expect(answers[0]?.body).not.toContain("canary");
});

test("a header and a URL just within their limits are served", async () => {
  const path = `${TICKETS}?a=`.padEnd(8192, "b");
  const headers = `X: ${"a".repeat(16_384 - "Host: x\r\nX: \r\n".length)}\r\n`;
  const { answers } = await send(url, `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  expect(answers.map(({ status }) => status)).toEqual([200]);
});

test("a body that is invited is read", async () => {
  const head = `${POST}Expect: 100-continue\r\nContent-Length: 7\r\n\r\n`;
  const { answers } = await send(url, head, `{"a":1}`);
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [100, ""],
    [201, `{"a":1}`],
  ]);
});

test("bytes that follow a request in progress are refused after its answer", async () => {
  const exchange = await sendUntilClosed(
    url,
    `GET /slow HTTP/1.1\r\nHost: x\r\n\r\n\0garbage\r\n\r\n`,
  );
  expect(exchange.answers.map(({ status, body }) => [status, body.slice(0, 6)])).toEqual([
    [200, `"slow"`],
    [400, `{\n  "e`],
  ]);
});

test("garbage that goes on and on is refused once", async () => {
  const slow = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n";
  const parts = ["\0garbage\r\n\r\n", "\0more\r\n\r\n", "\0and more\r\n\r\n"];
  const behind = await sendUntilClosed(url, slow, ...parts);
  expect(behind.answers.map(({ status }) => status)).toEqual([200, 400]);
  expect(onlyError(await sendUntilClosed(url, ...parts))).toBe("400 MalformedRequestMessage");
});

test("pipelined requests are answered in order", async () => {
  const { answers } = await send(
    url,
    `GET /slow HTTP/1.1\r\nHost: x\r\n\r\n${GET}\r\nFOO / HTTP/1.1\r\n\r\n`,
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 501]);
});

test("a GET with a body ignores it, and the connection stays in sync", async () => {
  const withBody = `GET ${TICKETS} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello`;
  const { answers, closed } = await send(url, `${withBody}${GET}\r\n`);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(closed).toBe(false);
});

test("a body that is refused unread leaves the connection in sync", async () => {
  const tooLarge = `${POST}Content-Length: 300000\r\n\r\n${"a".repeat(300_000)}`;
  const elsewhere = `POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n${"a".repeat(9000)}`;
  const chunked = `${POST}Transfer-Encoding: chunked\r\n\r\n1800\r\n${"a".repeat(0x1800)}\r\n0\r\n\r\n`;
  const { answers } = await send(url, `${tooLarge}${elsewhere}${chunked}${GET}\r\n`);
  expect(answers.map(({ status }) => status)).toEqual([413, 404, 413, 200]);
});

test("a DELETE with a body ignores it", async () => {
  const raw = `DELETE ${TICKETS}/0192aaaa-0000-7000-8000-000000000000 HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello${GET}\r\n`;
  const { answers } = await send(url, raw);
  expect(answers.map(({ status }) => status)).toEqual([204, 200]);
});

test("half a head, half a body and silence are answered with 408 when their time is over", async () => {
  const halves = ["", "GET /api HTTP/1.1\r\nHos", `${POST}Content-Length: 100\r\n\r\n{`];
  const exchanges = await Promise.all(halves.map((half) => sendUntilClosed(hastyUrl, half)));
  for (const exchange of exchanges) expect(onlyError(exchange)).toBe("408 TimeoutMessage");
});

test("a body that is dropped after its answer gets no second answer when it never ends", async () => {
  const head = `POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`;
  const exchange = await sendUntilClosed(hastyUrl, head);
  expect(onlyError(exchange)).toBe("404 PathNotFoundMessage");
  expect(exchange.closed).toBe(true);
});

test("a handler that never answers is a 504 in JSON", async () => {
  const stuck = collection("/stuck", { GET: () => new Promise(() => undefined) });
  const other = await createService(
    plainRegistry({ limits: { requestSeconds: 1 }, routes: [stuck] }),
  );
  const exchange = await sendUntilClosed(
    await other.listen(),
    "GET /stuck HTTP/1.1\r\nHost: x\r\n\r\n",
  );
  expect(onlyError(exchange)).toBe("504 TimeoutMessage");
  const [answer] = exchange.answers;
  expect(answer?.body).toContain(answer?.headers["x-request-id"]);
  await other.close();
});

test("every refusal that is a 5xx names its request id", async () => {
  for (const method of ["FOO", "PROPFIND"]) {
    const { answers } = await send(url, `${method} ${TICKETS} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const [answer] = answers;
    if (answer === undefined) throw new Error("no answer");
    errorTypeOf(answer);
    expect(answer.body).toContain(answer.headers["x-request-id"]);
  }
});
