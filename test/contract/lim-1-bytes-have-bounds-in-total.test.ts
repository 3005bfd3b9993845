import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { parseAnswer } from "./support/client.js";
import { expectFields, resultsOf } from "./support/errors.js";
import { startService } from "./support/service.js";

const CRATES = "/api/v1/crates";
const MEBIBYTE = 1024 * 1024;

test("limits.pageBytes bounds a page that is larger than the default one, which is always answered", async () => {
  const service = await startService("contract", { limits: { pageBytes: 20_000 } });
  const add = async (characters: number): Promise<void> => {
    await service.create(CRATES, { title: "t", note: "x".repeat(characters) });
  };
  const list = async (pageSize: number) => service.send("GET", `${CRATES}?pageSize=${pageSize}`);
  for (let crate = 0; crate < 5; crate += 1) await add(100);
  // What small rows have taught does not hold for those that come.
  expect((await list(30)).status).toBe(200);
  expect((await list(30)).status).toBe(200);
  for (let crate = 0; crate < 20; crate += 1) await add(9000);
  const messages = expectFields(await list(21), "pageSize");
  expect(Object.values(messages)[0]).toBe(
    "must be smaller: the page would hold more than 20000 bytes",
  );
  const usual = `${CRATES}?pageNumber=2`;
  const pages = await Promise.all([CRATES, usual, CRATES, usual].map((path) => service.read(path)));
  expect(pages.map((page) => resultsOf(page).length)).toEqual([20, 5, 20, 5]);
  expect(pages.map((page) => page["itemCount"])).toEqual([25, 25, 25, 25]);
  expect(resultsOf(await service.read(`${CRATES}?pageSize=5&pageNumber=5`))).toHaveLength(5);
  const small = await startService("contract", { limits: { pageBytes: 1024 } });
  await small.create(CRATES, { title: "t", note: "x".repeat(9000) });
  expect(resultsOf(await small.read(CRATES))).toHaveLength(1);
});

test("it counts bytes, and not characters", async () => {
  const service = await startService("contract", { limits: { pageBytes: 20_000 } });
  for (let crate = 0; crate < 2; crate += 1) {
    await service.create(CRATES, { title: "t", note: "€".repeat(4000) });
  }
  expectFields(await service.send("GET", `${CRATES}?pageSize=21`), "pageSize");
  expect(resultsOf(await service.read(CRATES))).toHaveLength(2);
});

function stalled(port: number, bytes: number): { socket: Socket; text: () => Buffer } {
  const chunks: Buffer[] = [];
  const socket = connect(port, "127.0.0.1");
  socket.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => undefined);
  socket.write(
    `POST ${CRATES} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${MEBIBYTE}\r\n\r\n`,
  );
  socket.write(Buffer.alloc(bytes, " "));
  return { socket, text: () => Buffer.concat(chunks) };
}

test("limits.receivingBytes bounds all bodies that are unfinished: who is silent for longest is refused", async () => {
  const service = await startService("contract", { limits: { receivingBytes: 3 * MEBIBYTE } });
  const first = stalled(service.port, 600_000);
  await pause(200);
  const others = Array.from({ length: 9 }, () => stalled(service.port, 600_000));
  for (let wait = 0; first.text().length === 0 && wait < 100; wait += 1) await pause(50);
  const refused = parseAnswer(first.text());
  expect(refused.status).toBe(503);
  expect(refused.headers["retry-after"]).toBe("1");
  expect(refused.json["errors"]).toMatchObject([{ type: "ServiceUnavailableMessage" }]);
  // Whoever sends has room, and a body that comes in many pieces is read as it was sent.
  const labels = Array.from({ length: 90 }, (_, index) => `${index}`.padEnd(9000, "x"));
  const sent = { body: { title: "t", labels } };
  const created = await service.sendPatiently("POST", CRATES, sent);
  expect(created.json["labels"], created.text).toEqual(labels);
  await pause(100);
  expect(others.filter(({ text }) => text().length === 0).length).toBeLessThan(6);
  for (const { socket } of [first, ...others]) socket.destroy();
});

test("limits.sendingBytes bounds large answers that are unread: a GET is refused, a change is told", async () => {
  const service = await startService("contract", {
    limits: { sendingBytes: 10 * MEBIBYTE, pageBytes: 9 * MEBIBYTE },
  });
  const labels = Array.from({ length: 95 }, () => "x".repeat(10_000));
  for (let crate = 0; crate < 8; crate += 1) await service.create(CRATES, { title: "t", labels });
  const reader = connect(service.port, "127.0.0.1").pause();
  reader.on("error", () => undefined);
  reader.write(`GET ${CRATES} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await pause(1000);
  const refused = await service.send("GET", CRATES);
  expect(refused.status).toBe(503);
  expect(refused.headers["retry-after"]).toBe("1");
  expect((await service.send("GET", `${CRATES}?pageSize=1`)).status).toBe(200);
  await service.create(CRATES, { title: "t", labels });
  // Who has not read for five seconds makes room.
  await pause(5000);
  expect((await service.send("GET", `${CRATES}?pageSize=8`)).status).toBe(200);
  reader.destroy();
});
