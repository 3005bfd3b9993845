import { expect, test } from "vitest";
import { ConnectionRush } from "#runtime/http/connection-rush";
import { KeptBack } from "#runtime/http/kept-back";
import { QueuePace } from "#runtime/http/queue-pace";
import { WorkingBound } from "#runtime/http/working-bound";
import { RequestQueue } from "#runtime/http/request-queue";

const WORK_MILLISECONDS = 5;
const CONNECTION_MILLISECONDS = 0.2;

/** Turns of an event loop that each bring a connection, while requests wait all the time; returns the part of it that requests had. */
function workPart(rush: ConnectionRush, from: number, milliseconds: number): number {
  let now = from;
  let work = 0;
  while (now < from + milliseconds) {
    rush.connected();
    const spent = rush.isFirst ? CONNECTION_MILLISECONDS : WORK_MILLISECONDS;
    if (!rush.isFirst) work += spent;
    now += spent;
    rush.pump(now);
    rush.endTurn(now, spent === WORK_MILLISECONDS);
  }
  return work / milliseconds;
}

test("clients that connect for each request leave most of the time to requests", () => {
  const rush = new ConnectionRush();
  workPart(rush, 1000, 2000);
  expect(workPart(rush, 3000, 10_000)).toBeGreaterThan(0.85);
});

test("a crowd that comes once is let in first, and then it is over", () => {
  const rush = new ConnectionRush();
  expect(workPart(rush, 1000, 400)).toBeLessThan(0.2);
  rush.pump(1500);
  expect(rush.isFirst).toBe(false);
});

test("short turns are no rush, however many connections they bring", () => {
  const rush = new ConnectionRush();
  for (let now = 1000; now < 1200; now += 1) {
    rush.connected();
    rush.endTurn(now, false);
    expect(rush.isFirst).toBe(false);
  }
});

test("as many may wait as are begun within half a second, once that is known", () => {
  const pace = new QueuePace();
  pace.start(0);
  const windowAt = (now: number, begun: number): number => {
    for (let index = 0; index < begun; index += 1) pace.count();
    pace.measure(now);
    return pace.room;
  };
  expect(windowAt(100, 40)).toBe(5000);
  expect(windowAt(200, 40)).toBe(200);
  expect(windowAt(250, 0)).toBe(200);
  expect(windowAt(300, 80)).toBe(300);
  expect(windowAt(400, 0)).toBe(150);
  pace.skip(1000);
  expect(windowAt(1500, 60)).toBe(225);
  pace.start(2000);
  expect(pace.room).toBe(5000);
});

test("refusals are kept back for a second, and many of them for longer, in order", () => {
  const kept = new KeptBack();
  const sent: number[] = [];
  const refuse = (index: number) => (): void => void sent.push(index);
  for (let index = 0; index < 5001; index += 1) kept.add(0, refuse(index));
  expect(sent).toEqual([5000]);
  kept.sendDue(999);
  expect(sent.length).toBe(1);
  kept.sendDue(1099);
  expect(sent.slice(1)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  kept.sendDue(2999);
  expect(sent.length).toBe(2001);
  kept.sendDue(3000);
  expect(kept.isEmpty).toBe(true);
});

test("the requests that wait hold a bounded number of bytes, but the first may be of any size", () => {
  const queue = new RequestQueue(100);
  const of = (bytes: number) => ({ since: 0, bytes, begin: () => 0, refuse: () => 0 });
  expect(queue.add(of(150))).toBe(true);
  expect(queue.add(of(1))).toBe(false);
  expect(queue.takeFirst()?.bytes).toBe(150);
  expect([of(40), of(60), of(1), of(0)].map((request) => queue.add(request))).toEqual([
    true,
    true,
    false,
    true,
  ]);
  expect(queue.takeLast()?.bytes).toBe(0);
  expect(queue.takeLast()?.bytes).toBe(60);
  expect(queue.add(of(60))).toBe(true);
  expect(queue.size).toBe(2);
});

test("a process that is busy works on few at a time, one that waits for others on as many as it may", async () => {
  const working = new WorkingBound(200);
  expect(working.most).toBe(64);
  working.start();
  for (let times = 0; times < 5; times += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    working.adapt();
  }
  expect(working.most).toBe(200);
  for (let times = 0; times < 5; times += 1) {
    const until = performance.now() + 5;
    while (performance.now() < until);
    working.adapt();
  }
  expect(working.most).toBe(64);
  expect(new WorkingBound(8).most).toBe(8);
});
