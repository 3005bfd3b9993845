import { expect, test } from "vitest";
import { expectError } from "./support/errors.js";
import { FULL_WIDGET, LOGS, MISSING, pathOf, SHIPPING_FEES, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const few = await startService("golden/few-operations");

/** Everything that a resource of this fixture leaves out. */
const LEFT_OUT: readonly [string, string, string][] = [
  ["GET", SHIPPING_FEES, "OPTIONS, POST"],
  ["HEAD", SHIPPING_FEES, "OPTIONS, POST"],
  ["PUT", `${SHIPPING_FEES}/${MISSING}`, "DELETE, GET, HEAD, OPTIONS"],
  ["PATCH", `${SHIPPING_FEES}/${MISSING}`, "DELETE, GET, HEAD, OPTIONS"],
  ["GET", `${LOGS}/${MISSING}`, "OPTIONS"],
  ["PUT", `${LOGS}/${MISSING}`, "OPTIONS"],
  ["PATCH", `${LOGS}/${MISSING}`, "OPTIONS"],
  ["DELETE", `${LOGS}/${MISSING}`, "OPTIONS"],
];

test.each(LEFT_OUT)("%s %s is not offered: 405 with Allow: %s", async (method, path, allow) => {
  const answer = await service.send(method, path);
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toBe(allow);
  if (method !== "HEAD") expectError(answer, 405, "MethodNotAllowedMessage");
});

test.each([
  ["POST", "/api/v1/readings", "GET, HEAD, OPTIONS"],
  ["PUT", `/api/v1/readings/${MISSING}`, "GET, HEAD, OPTIONS"],
  ["PATCH", `/api/v1/readings/${MISSING}`, "GET, HEAD, OPTIONS"],
  ["DELETE", `/api/v1/readings/${MISSING}`, "GET, HEAD, OPTIONS"],
  ["GET", "/api/v1/signals", "OPTIONS, POST"],
  ["GET", `/api/v1/signals/${MISSING}`, "DELETE, OPTIONS"],
])("%s %s of a service with few operations is 405 with Allow: %s", async (method, path, allow) => {
  const answer = await few.send(method, path);
  expectError(answer, 405, "MethodNotAllowedMessage");
  expect(answer.headers.allow).toBe(allow);
});

test("what is offered works beside what is not", async () => {
  const log = await service.send("POST", LOGS, { body: { line: "one" } });
  expect(log.status).toBe(201);
  expect((await service.read(LOGS))["results"]).toEqual([log.json]);
  const fee = await service.create(SHIPPING_FEES, { amount: "4.90" });
  expect(await service.read(pathOf(SHIPPING_FEES, fee))).toEqual(fee);
  expect((await service.send("DELETE", pathOf(SHIPPING_FEES, fee))).status).toBe(204);
});

test.each([
  [WIDGETS, "GET, HEAD, OPTIONS, POST"],
  [`${WIDGETS}/${MISSING}`, "DELETE, GET, HEAD, OPTIONS, PATCH, PUT"],
  [LOGS, "GET, HEAD, OPTIONS, POST"],
  [SHIPPING_FEES, "OPTIONS, POST"],
  [`${SHIPPING_FEES}/${MISSING}`, "DELETE, GET, HEAD, OPTIONS"],
])("OPTIONS %s answers 204 with Allow: %s", async (path, allow) => {
  const answer = await service.send("OPTIONS", path);
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expect(answer.headers.allow).toBe(allow);
});

test("OPTIONS of a path that is nothing is 404", async () => {
  expectError(await service.send("OPTIONS", "/api/v1/gadgets"), 404, "PathNotFoundMessage");
});

test("HEAD answers what GET does, without the body", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  for (const target of [path, WIDGETS, `${WIDGETS}?name=drill`]) {
    const [head, get] = [await service.send("HEAD", target), await service.send("GET", target)];
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["content-type", "content-length"]) {
      expect(head.headers[name]).toBe(get.headers[name]);
    }
  }
});

test.each([
  [404, `${WIDGETS}/${MISSING}`],
  [404, "/api/v1/gadgets"],
  [400, `${WIDGETS}?pageSize=0`],
])("HEAD answers %i without a body where GET would answer an error: %s", async (status, path) => {
  const bytes = await service.raw(`HEAD ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const [head, rest] = bytes.toString("latin1").split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toContain("application/json; charset=utf-8");
  expect(rest).toBe("");
});
