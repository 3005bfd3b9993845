import { expect, test } from "vitest";
import type { Answer } from "./support/client.js";
import { expectError } from "./support/errors.js";
import { WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";
import { onWire } from "./support/wire.js";

const service = await startService("contract", { limits: { requestSeconds: 1 } });
const JSON_TYPE = "Content-Type: application/json";
const CHUNKED = "Transfer-Encoding: chunked";

const head = (line: string, ...headers: readonly string[]): string =>
  `${[`${line} HTTP/1.1`, "Host: x", ...headers].join("\r\n")}\r\n\r\n`;
const get = (...headers: readonly string[]): string => head(`GET ${WIDGETS}`, ...headers);
const post = (...headers: readonly string[]): string =>
  head(`POST ${WIDGETS}`, JSON_TYPE, ...headers);

const MALFORMED: Readonly<Record<string, string>> = {
  garbage: "\0\x01\x02\r\n\r\n",
  "another version of HTTP": `GET ${WIDGETS} HTTP/3.7\r\nHost: x\r\n\r\n`,
  "the preface of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "no version of HTTP": `FOO ${WIDGETS}\r\nHost: x\r\n\r\n`,
  "a method that is none": head(`F(O ${WIDGETS}`),
  "a header without a colon": get("broken"),
  "a folded header": get("X: a\r\n b"),
  "NUL in a header": get("X: a\0b"),
  "bare line feeds": `GET ${WIDGETS} HTTP/1.1\nHost: x\n\n`,
  "a negative length": post("Content-Length: -5"),
  "two lengths": `${post("Content-Length: 5", "Content-Length: 6")}hello`,
  "chunks that are not last": post("Transfer-Encoding: chunked, identity"),
  "a chunk size that is no number": `${post(CHUNKED)}ZZ\r\n`,
};

const TYPES: Readonly<Record<number, string>> = {
  400: "MalformedRequestMessage",
  413: "PayloadTooLargeMessage",
  414: "UriTooLongMessage",
  431: "HeadersTooLargeMessage",
  501: "NotImplementedMessage",
};
const INVITED = post("Expect: 100-continue", "Content-Length: 99999999");
const MANY = Array.from({ length: 3000 }, () => "X: abcdefgh");
const EXTENSION = `1;${"a".repeat(20_000)}\r\na\r\n0\r\n\r\n`;

/** What is no request for any route, as bytes on a connection. */
const REFUSED: readonly (readonly [string, string, number])[] = [
  ...Object.entries(MALFORMED).map(([what, bytes]) => [what, bytes, 400] as const),
  ["a method in lower case", head(`get ${WIDGETS}`), 501],
  ["a chunk extension without end", post(CHUNKED) + EXTENSION, 413],
  ["a body too large to be invited", INVITED, 413],
  ["a header beyond what the parser takes", get(`X: ${"a".repeat(40_000)}`), 431],
  ["three thousand headers", get(...MANY), 431],
  ["a URL beyond what the parser takes", head(`GET /${"a".repeat(40_000)}`), 414],
];

test.each(REFUSED)(
  "%s is refused before any route, with one error of the contract, and the connection is closed",
  async (_what, bytes, status) => {
    const { answers, closed } = await onWire(service, Buffer.from(bytes, "latin1"), {
      quietMilliseconds: 3000,
    });
    expect(answers).toHaveLength(1);
    for (const answer of answers) expectWhole(answer, status, TYPES[status] ?? "");
    expect(closed).toBe(true);
  },
);

test.each([
  ["a request line without end", "GET /api"],
  ["headers without end", `GET ${WIDGETS} HTTP/1.1\r\nHost: x\r\n`],
  ["a body without end", `${post("Content-Length: 9")}{`],
  ["chunks without end", `${post(CHUNKED)}1\r\n{\r\n`],
])("%s is a 408 when its time is over, and the connection is closed", async (_what, bytes) => {
  const { answers, closed } = await onWire(service, bytes, { quietMilliseconds: 8000 });
  expect(answers).toHaveLength(1);
  for (const answer of answers) expectWhole(answer, 408, "TimeoutMessage");
  expect(closed).toBe(true);
});

test("an error behind a good request on one connection comes second, and alone", async () => {
  const { answers } = await onWire(service, `${get()}BROKEN\r\n\r\n`);
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
});

/** An error body is pretty-printed JSON, of the length announced, and nothing else (REP-5). */
function expectWhole(answer: Answer, status: number, type: string): void {
  const { description, ...rest } = expectError(answer, status, type);
  expect(Object.keys(rest)).toEqual(["type", "message"]);
  expect(["undefined", "string"]).toContain(typeof description);
  expect(answer.text).toBe(JSON.stringify(answer.json, null, 2));
  expect(answer.headers["content-length"]).toBe(String(answer.bytes.length));
}
