import { expect, test } from "vitest";
import type { Answer } from "./support/client.js";
import { expectError } from "./support/errors.js";
import { LOGS, MISSING, newBadge, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";
import { onWire } from "./support/wire.js";

const service = await startService("contract", { limits: { requestSeconds: 1 } });
const JSON_TYPE = "Content-Type: application/json\r\n";

const ANSWERED: readonly [string, () => Promise<Answer>, number, string][] = [
  ["the root", async () => service.send("GET", "/"), 404, "PathNotFoundMessage"],
  ["an unknown path", async () => service.send("GET", "/nothing/here"), 404, "PathNotFoundMessage"],
  [
    "a path without a version",
    async () => service.send("GET", "/api/widgets"),
    404,
    "VersionNotFoundMessage",
  ],
  [
    "an unknown resource",
    async () => service.send("GET", "/api/v1/gadgets"),
    404,
    "PathNotFoundMessage",
  ],
  [
    "a path too deep",
    async () => service.send("GET", `${WIDGETS}/${MISSING}/parts`),
    404,
    "PathNotFoundMessage",
  ],
  [
    "a path that is no percent-encoding",
    async () => service.send("GET", "/%zz"),
    404,
    "PathNotFoundMessage",
  ],
  [
    "a missing entity",
    async () => service.send("GET", `${WIDGETS}/${MISSING}`),
    404,
    "WidgetNotFoundMessage",
  ],
  [
    "a method that is not allowed",
    async () => service.send("DELETE", LOGS),
    405,
    "MethodNotAllowedMessage",
  ],
  ["malformed JSON", async () => post("{"), 400, "MalformedRequestMessage"],
  ["no JSON object", async () => post("[]"), 400, "MalformedRequestMessage"],
  ["a wrong property", async () => post("{}"), 400, "ValidationFailedMessage"],
  [
    "a wrong parameter",
    async () => service.send("GET", `${WIDGETS}?x=1`),
    400,
    "ValidationFailedMessage",
  ],
  ["another type", async () => post("{}", "text/plain"), 415, "UnsupportedMediaTypeMessage"],
  [
    "what cannot be answered",
    async () => service.send("GET", WIDGETS, { headers: { accept: "text/html" } }),
    406,
    "NotAcceptableMessage",
  ],
  [
    "a body that is too large",
    async () => post(`{"name":"${"a".repeat(1_048_576)}"}`),
    413,
    "PayloadTooLargeMessage",
  ],
  [
    "a URL that is too long",
    async () => service.send("GET", `/${"a".repeat(8192)}`),
    414,
    "UriTooLongMessage",
  ],
  [
    "headers that are too large",
    async () => service.send("GET", WIDGETS, { headers: { x: "a".repeat(16_384) } }),
    431,
    "HeadersTooLargeMessage",
  ],
  ["a value that exists", async () => taken(), 409, "BadgeAlreadyExistsMessage"],
  [
    "a method that HTTP has and no resource",
    async () => service.send("PROPFIND", WIDGETS),
    501,
    "NotImplementedMessage",
  ],
];

async function post(body: string, type = "application/json"): Promise<Answer> {
  return service.send("POST", WIDGETS, { body, headers: { "content-type": type } });
}

async function taken(): Promise<Answer> {
  await service.create("/api/v1/badges", newBadge("taken"));
  return service.send("POST", "/api/v1/badges", { body: newBadge("taken") });
}

test.each(ANSWERED)(
  "%s is answered with an error of the contract",
  async (_what, ask, status, type) => {
    expectWhole(await ask(), status, type);
  },
);

/** What is no request for any route, as bytes on a connection. */
const REFUSED: readonly [string, string, number, string][] = [
  ["garbage", "\0\x01\x02\r\n\r\n", 400, "MalformedRequestMessage"],
  ["a TLS greeting", "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03", 400, "MalformedRequestMessage"],
  [
    "a method in lower case",
    `get ${WIDGETS} HTTP/1.1\r\nHost: x\r\n\r\n`,
    501,
    "NotImplementedMessage",
  ],
  ["an unknown method", `FOO ${WIDGETS} HTTP/1.1\r\nHost: x\r\n\r\n`, 501, "NotImplementedMessage"],
  ["CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n", 501, "NotImplementedMessage"],
  [
    "another version of HTTP",
    `GET ${WIDGETS} HTTP/3.7\r\nHost: x\r\n\r\n`,
    400,
    "MalformedRequestMessage",
  ],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "MalformedRequestMessage"],
  ["no Host", `GET ${WIDGETS} HTTP/1.1\r\n\r\n`, 400, "MalformedRequestMessage"],
  [
    "two Hosts",
    `GET ${WIDGETS} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`,
    400,
    "MalformedRequestMessage",
  ],
  [
    "a header without a colon",
    `GET ${WIDGETS} HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n`,
    400,
    "MalformedRequestMessage",
  ],
  [
    "a space before the colon",
    `GET ${WIDGETS} HTTP/1.1\r\nHost : x\r\n\r\n`,
    400,
    "MalformedRequestMessage",
  ],
  [
    "a folded header",
    `GET ${WIDGETS} HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n`,
    400,
    "MalformedRequestMessage",
  ],
  [
    "NUL in a header",
    `GET ${WIDGETS} HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n`,
    400,
    "MalformedRequestMessage",
  ],
  ["bare line feeds", `GET ${WIDGETS} HTTP/1.1\nHost: x\n\n`, 400, "MalformedRequestMessage"],
  [
    "a negative length",
    `POST ${WIDGETS} HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n`,
    400,
    "MalformedRequestMessage",
  ],
  [
    "two lengths",
    `POST ${WIDGETS} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    400,
    "MalformedRequestMessage",
  ],
  [
    "a length and chunks",
    `POST ${WIDGETS} HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    "MalformedRequestMessage",
  ],
  [
    "chunks that are not last",
    `POST ${WIDGETS} HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: chunked, identity\r\n\r\n`,
    400,
    "MalformedRequestMessage",
  ],
  [
    "a chunk size that is no number",
    `POST ${WIDGETS} HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
    400,
    "MalformedRequestMessage",
  ],
  [
    "a chunk extension without end",
    `POST ${WIDGETS} HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n1;${"a".repeat(20_000)}\r\na\r\n0\r\n\r\n`,
    413,
    "PayloadTooLargeMessage",
  ],
  [
    "an unknown expectation",
    `POST ${WIDGETS} HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Expect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}`,
    417,
    "ExpectationFailedMessage",
  ],
  [
    "a body too large to be invited",
    `POST ${WIDGETS} HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n`,
    413,
    "PayloadTooLargeMessage",
  ],
  [
    "a header beyond what the parser takes",
    `GET ${WIDGETS} HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(40_000)}\r\n\r\n`,
    431,
    "HeadersTooLargeMessage",
  ],
  [
    "three thousand headers",
    `GET ${WIDGETS} HTTP/1.1\r\nHost: x\r\n${"X: abcdefgh\r\n".repeat(3000)}\r\n`,
    431,
    "HeadersTooLargeMessage",
  ],
  [
    "a URL beyond what the parser takes",
    `GET /${"a".repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    414,
    "UriTooLongMessage",
  ],
];

test.each(REFUSED)(
  "%s is refused before any route, with one error of the contract, and the connection is closed",
  async (_what, bytes, status, type) => {
    const { answers, closed } = await onWire(service, Buffer.from(bytes, "latin1"), {
      quietMilliseconds: 3000,
    });
    expect(answers).toHaveLength(1);
    for (const answer of answers) expectWhole(answer, status, type);
    expect(closed).toBe(true);
  },
);

test.each([
  ["a request line without end", "GET /api"],
  ["headers without end", `GET ${WIDGETS} HTTP/1.1\r\nHost: x\r\n`],
  [
    "a body without end",
    `POST ${WIDGETS} HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Content-Length: 9\r\n\r\n{`,
  ],
  [
    "chunks without end",
    `POST ${WIDGETS} HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
  ],
])("%s is a 408 when its time is over, and the connection is closed", async (_what, bytes) => {
  const { answers, closed } = await onWire(service, bytes, { quietMilliseconds: 8000 });
  expect(answers).toHaveLength(1);
  for (const answer of answers) expectWhole(answer, 408, "TimeoutMessage");
  expect(closed).toBe(true);
});

test("an error behind a good request on one connection comes second, and alone", async () => {
  const good = `GET ${WIDGETS} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const { answers } = await onWire(service, `${good}BROKEN\r\n\r\n`);
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
});

test("after all of this the service answers as before", async () => {
  expect((await service.send("GET", WIDGETS)).status).toBe(200);
});

/** An error body is pretty-printed JSON, of the length announced, and nothing else (REP-5). */
function expectWhole(answer: Answer, status: number, type: string): void {
  const { fields, description, ...rest } = expectError(answer, status, type);
  expect(Object.keys(rest)).toEqual(["type", "message"]);
  expect(["undefined", "string"]).toContain(typeof description);
  expect(fields === undefined).toBe(type !== "ValidationFailedMessage");
  expect(answer.text).toBe(JSON.stringify(answer.json, null, 2));
  expect(answer.headers["content-length"]).toBe(String(answer.bytes.length));
}
