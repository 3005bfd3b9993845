import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { parseAnswer, type Answer } from "./support/client.js";
import { expectError } from "./support/errors.js";
import { startService } from "./support/service.js";

const BODY_BYTES = 1024 * 1024;
const URL_BYTES = 8 * 1024;
const HEADER_BYTES = 16 * 1024;
const MEMOS = "/api/v1/memos";
const contract = await startService();
const service = await startService("small-limits");

test.each([
  { bytes: BODY_BYTES, status: 201 },
  { bytes: BODY_BYTES + 1, status: 413 },
])(
  "a body of $bytes bytes that does not announce its length is answered $status",
  async (given) => {
    const head = "POST /api/v1/widgets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
    const type = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    const body = Buffer.from('{"name":"a"}'.padEnd(given.bytes));
    const half = given.bytes >> 1;
    const chunks = [body.subarray(0, half), body.subarray(half)].flatMap((chunk) => [
      `${chunk.length.toString(16)}\r\n`,
      chunk,
      "\r\n",
    ]);
    const answer = parseAnswer(await contract.raw(head + type, ...chunks, "0\r\n\r\n"));
    expect(answer.status).toBe(given.status);
    if (given.status === 413) expectError(answer, 413, "PayloadTooLargeMessage");
  },
);

test("a URL and headers at their limits are taken together", async () => {
  const target = "/api/v1/widgets?name=".padEnd(URL_BYTES, "a");
  const headers = "Host: x\r\nConnection: close\r\nX: ".padEnd(HEADER_BYTES - 2, "a");
  const bytes = await contract.raw(`GET ${target} HTTP/1.1\r\n${headers}\r\n\r\n`);
  expect(parseAnswer(bytes).status).toBe(200);
});

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
