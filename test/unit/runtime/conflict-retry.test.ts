import fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { NOBODY } from "#runtime/auth/authentication";
import { Background } from "#runtime/base/background";
import { runCustom } from "#runtime/base/custom-code";
import { Warnings } from "#runtime/http/log";
import { retryOnConflict } from "#runtime/entity/transaction";
import { JobContext } from "#runtime/http/request";
import { KeyedLocks, LockSet } from "#runtime/store/locks";
import { changedSince } from "#runtime/store/database";
import { memoryDatabase } from "./fixture/memory-database.js";

const database = await memoryDatabase();
afterAll(async () => database.close());
const lines: string[] = [];
const { log: logger } = fastify({ logger: { stream: { write: (line) => lines.push(line) } } });
const runtime = {
  database,
  clock: Date.now,
  logger,
  background: new Background(),
  warnings: new Warnings(Date.now),
};

test("a transaction that always meets a faster one ends with 503, and the log says with whom it met", async () => {
  const locks = new KeyedLocks("rooms");
  const [first, second] = [new LockSet(), new LockSet()];
  await first.lock({ locks, id: "a" });
  const waiting = runCustom("beforeCreate of bookings", async () =>
    second.lock({ locks, id: "a" }),
  );
  first.release();
  await waiting;
  let attempts = 0;
  const attempt = async (): Promise<never> => {
    attempts += 1;
    throw changedSince("An entity of rooms");
  };
  const context = new JobContext("id-1", NOBODY, runtime);
  const tried = retryOnConflict({ locks: second, context, attempt });
  await expect(tried).rejects.toMatchObject({ status: 503 });
  expect([attempts, locks.isLocked("a")]).toEqual([100, false]);
  expect(JSON.parse(lines.join(""))).toMatchObject({
    level: 40,
    requestId: "id-1",
    conflict: "An entity of rooms was changed by another transaction.",
    attempts: 100,
    waits: [{ entity: "rooms a", by: "beforeCreate of bookings", behind: 1 }],
  });
});

test("places are had in the order of arrival, and whoever gives up does not keep the others waiting", async () => {
  const locks = new KeyedLocks("rooms");
  const all = [new LockSet(), new LockSet(), new LockSet(), new LockSet()];
  const order: number[] = [];
  const taken = all.map(async (places, index) => {
    await places.lock({ locks, id: "a" });
    order.push(index);
  });
  await taken[0];
  expect(order).toEqual([0]);
  // It waits itself.
  all[1]?.release();
  all[0]?.release();
  await taken[2];
  all[2]?.release();
  await taken[3];
  all[3]?.release();
  expect(order).toEqual([0, 1, 2, 3]);
  expect(locks.isLocked("a")).toBe(false);
});

test("of two that wait for each other, one goes on, and takes all in one order before it is tried again", async () => {
  const locks = new KeyedLocks("rooms");
  const [first, second] = [new LockSet(), new LockSet()];
  await first.lock({ locks, id: "a" });
  await second.lock({ locks, id: "b" });
  let isFree = false;
  const waiting = first.lock({ locks, id: "b" }).then(() => (isFree = true));
  await second.lock({ locks, id: "a" });
  expect(isFree).toBe(false);
  const again = second.prepare();
  await waiting;
  first.release();
  await again;
  expect([locks.isLocked("a"), locks.isLocked("b")]).toEqual([true, true]);
  second.release();
  expect([locks.isLocked("a"), locks.isLocked("b")]).toEqual([false, false]);
});
