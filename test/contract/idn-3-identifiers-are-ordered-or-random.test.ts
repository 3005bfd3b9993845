import { expect, test } from "vitest";
import { send } from "../unit/runtime/fixture/raw.js";
import { newBadge } from "./support/samples.js";
import { startService } from "./support/service.js";

const ordered = await startService();
const random = await startService("golden/few-operations");

test("by default an identifier is of version 7, and tells the time of its creation", async () => {
  const before = Date.now();
  const widget = await ordered.create("/api/v1/widgets", { name: "drill" });
  const after = Date.now();
  const id = String(widget["widgetId"]);
  expect(id).toMatch(/^.{8}-.{4}-7.{3}-[89ab].{3}-.{12}$/);
  const milliseconds = parseInt(id.replaceAll("-", "").slice(0, 12), 16);
  expect(milliseconds).toBeGreaterThanOrEqual(before);
  expect(milliseconds).toBeLessThanOrEqual(after);
});

test("each new row is written behind those before it, also within one millisecond and across resources", async () => {
  const ids: string[] = [];
  for (let count = 0; count < 40; count++) {
    const widget = await ordered.create("/api/v1/widgets", { name: "drill" });
    const badge = await ordered.create("/api/v1/badges", newBadge(`badge ${count}`));
    ids.push(String(widget["widgetId"]), String(badge["badgeId"]));
  }
  expect(ids).toEqual([...ids].sort());
  // IDN-1: the last 48 bits are random, and neighbours there would be the mark of a counter.
  const tails = ids.map((id) => parseInt(id.slice(-12), 16)).sort((one, other) => one - other);
  expect(tails.filter((tail, index) => tail - (tails[index - 1] ?? -1000) < 1000)).toEqual([]);
});

test("so it is for requests that follow each other on one connection", async () => {
  const body = JSON.stringify({ name: "drill" });
  const head = `POST /api/v1/widgets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
  const request = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  // One after the other on one connection, so that they are also answered in their order.
  const { answers } = await send(ordered.url, request.repeat(30));
  const ids = answers.map(({ body: made }) => /"widgetId": "([^"]+)"/.exec(made)?.[1]);
  expect(ids).toHaveLength(30);
  expect(ids).toEqual([...ids].sort());
});

test("with `identifiers: random` it is of version 4, in no order", async () => {
  const ids: string[] = [];
  for (let count = 0; count < 20; count++) {
    const signal = await random.create("/api/v1/signals", { text: "on" });
    ids.push(String(signal["signalId"]));
  }
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab].{3}-.{12}$/);
  expect(new Set(ids).size).toBe(20);
  expect(ids).not.toEqual([...ids].sort());
});

test("a UUID of any version is a value, and a filter finds it in the other case (IDN-4)", async () => {
  for (const batch of [
    "00000000-0000-0000-0000-000000000000",
    "0190A5D2-7C4E-7B1A-9F3E-2D4C6B8A0E1F",
  ]) {
    const widget = await ordered.create("/api/v1/widgets", { name: "drill", batch });
    const { results } = await ordered.read(`/api/v1/widgets?batch=${batch}`);
    expect([widget["batch"], results]).toEqual([batch.toLowerCase(), [widget]]);
  }
});
