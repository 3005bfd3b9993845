import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { parseAnswer, type Answer, type JsonObject } from "./support/client.js";
import { expectError, expectFields } from "./support/errors.js";
import { startService } from "./support/service.js";

const MEMOS = "/api/v1/memos";
const service = await startService("small-limits");

async function post(body: JsonObject): Promise<Answer> {
  return service.send("POST", MEMOS, { body });
}

/** Writes the parts with pauses between them; returns what came back, and after how long. */
async function dribble(
  parts: readonly string[],
  pauseMilliseconds: number,
): Promise<{ readonly answer: Answer; readonly milliseconds: number }> {
  const started = Date.now();
  const socket = connect({ host: "127.0.0.1", port: service.port });
  const received: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => received.push(chunk));
  const closed = new Promise<void>((resolve, reject) => {
    socket.on("close", () => resolve());
    socket.on("error", reject);
  });
  for (const part of parts) {
    socket.write(part);
    await pause(pauseMilliseconds);
  }
  await closed;
  const milliseconds = Date.now() - started;
  const answer = parseAnswer(Buffer.concat(received));
  service.expectFirst(parts, answer);
  return { answer, milliseconds };
}

test("limits.stringCharacters bounds text that has no bound of its own", async () => {
  expect((await post({ text: "12345" })).status).toBe(201);
  expectFields(await post({ text: "123456", words: ["123456"] }), "text", "words[0]");
});

test("limits.arrayItems bounds a list that has no bound of its own", async () => {
  expect((await post({ words: ["a", "b"] })).status).toBe(201);
  expectFields(await post({ words: ["a", "b", "c"] }), "words");
});

test("limits.jsonDepth bounds the depth of a body", async () => {
  expectFields(await post({ text: { a: { b: {} } } }), "text");
  expectError(await post({ text: { a: { b: { c: {} } } } }), 400, "MalformedRequestMessage");
});

test("limits.jsonValues bounds the properties and items of a body", async () => {
  const zeros = (count: number): number[] => new Array<number>(count).fill(0);
  expectFields(await post({ text: zeros(15) }), "text");
  expectError(await post({ text: zeros(16) }), 400, "MalformedRequestMessage");
});

test("limits.bodyBytes bounds a body", async () => {
  const headers = { "content-type": "application/json" };
  const send = async (bytes: number): Promise<Answer> =>
    service.send("POST", MEMOS, { headers, body: "{}".padEnd(bytes) });
  expect((await send(1024)).status).toBe(201);
  expectError(await send(1025), 413, "PayloadTooLargeMessage");
});

test("limits.pageBytes bounds a page", async () => {
  for (let memo = 0; memo < 40; memo += 1) await post({ text: "12345" });
  expectFields(await service.send("GET", `${MEMOS}?pageSize=100`), "pageSize");
  expect((await service.send("GET", `${MEMOS}?pageSize=15`)).status).toBe(200);
});

test("limits.urlBytes bounds a URL", async () => {
  const send = async (bytes: number): Promise<Answer> =>
    service.send("GET", `${MEMOS}/`.padEnd(bytes, "a"));
  expectError(await send(256), 404, "MemoNotFoundMessage");
  expectError(await send(257), 414, "UriTooLongMessage");
});

test("limits.headerBytes bounds headers", async () => {
  const head = "Host: x\r\nConnection: close\r\nX: ";
  const send = async (bytes: number): Promise<Answer> => {
    const lines = head.padEnd(bytes - 2, "a");
    return parseAnswer(await service.raw(`GET ${MEMOS} HTTP/1.1\r\n${lines}\r\n\r\n`));
  };
  expect((await send(1024)).status).toBe(200);
  expectError(await send(1025), 431, "HeadersTooLargeMessage");
});

const HEAD = `POST ${MEMOS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n`;

test.each([
  { what: "whose headers never end", parts: [`${HEAD}X-More: `] },
  { what: "whose body never ends", parts: [`${HEAD}Content-Length: 20\r\n\r\n{"text":`] },
])("a request $what is answered 408 after limits.requestSeconds", async ({ parts }) => {
  const { answer, milliseconds } = await dribble(parts, 0);
  expectError(answer, 408, "TimeoutMessage");
  expect(milliseconds).toBeGreaterThan(900);
  expect(milliseconds).toBeLessThan(6000);
});

test("so is one that keeps sending, byte by byte", async () => {
  const bytes = Array.from({ length: 14 }, () => " ");
  const parts = [`${HEAD}Content-Length: 100\r\n\r\n{`, ...bytes];
  const { answer } = await dribble(parts, 150);
  expectError(answer, 408, "TimeoutMessage");
});

test("one that is slow, but not that slow, is served", async () => {
  const parts = [HEAD, "Content-Length: 15\r\n\r\n", '{"text":', '"slow"}'];
  const { answer } = await dribble(parts, 100);
  expect(answer.status, answer.text).toBe(201);
});
