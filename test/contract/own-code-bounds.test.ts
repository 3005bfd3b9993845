import { expect, test } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import type { EntityService } from "#runtime/entity/entity-service";
import { countIn } from "./support/count.js";
import { customCode, type Values } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { LOGS, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

type Service = EntityService<never, Values, Values, Values>;
type Services = Readonly<Record<"logs" | "widgets" | "depots", Service>>;

const service = await startService("contract", { ownErrors: true });
const widgets = await customCode("widgets");
const logs = await customCode("logs");
const depots = await customCode("depots");

const servicesOf = (context: Context): Services => (context as Context<unknown, Services>).services;
const post = async () => service.send("POST", WIDGETS, { body: { name: "drill" } });

/** The longest that another request waits while this is answered. */
async function longestWait(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  let longest = 0;
  while (!isOver) {
    const began = performance.now();
    await service.send("GET", "/healthz");
    longest = Math.max(longest, performance.now() - began);
  }
  await over;
  return longest;
}

test("a hook that calls its own service is 500, at a depth of 16, and stores nothing", async () => {
  const caught: unknown[] = [];
  let levels = 0;
  logs.beforeCreate = async (_, context) => {
    levels += 1;
    await servicesOf(context).logs.create({ line: "again" });
  };
  widgets.beforeCreate = async (_, context) => {
    try {
      await servicesOf(context).logs.create({ line: "first" });
    } catch (error) {
      caught.push(String(error));
      throw error;
    }
  };
  const before = await countIn(service, LOGS);
  expectError(await post(), 500, "InternalErrorMessage");
  expect(levels).toBe(16);
  expect(caught).toEqual([
    "EndlessCalls: beforeCreate of logs calls context.services more than 16 levels deep. Does a hook call its own service?",
  ]);
  expect(await countIn(service, LOGS)).toBe(before);
});

test("reads are counted as changes are: a hook that reads itself ends as well", async () => {
  const { depotId = null } = await service.create("/api/v1/depots", { name: "a" });
  let levels = 0;
  depots.authorize = async (_operation, _entity, context) => {
    levels += 1;
    await servicesOf(context).depots.read(String(depotId));
  };
  expectError(
    await service.send("GET", `/api/v1/depots/${String(depotId)}`),
    500,
    "InternalErrorMessage",
  );
  expect(levels).toBe(17);
});

test("calls without end are 500 at 10,000 of them, and others do not wait for them", async () => {
  let calls = 0;
  widgets.beforeCreate = async (_, context) => {
    for (;;) {
      await servicesOf(context).logs.create({ line: "again" });
      calls += 1;
    }
  };
  const before = await countIn(service, LOGS);
  const began = performance.now();
  const answered = post();
  const longest = await longestWait(answered);
  const took = performance.now() - began;
  expectError(await answered, 500, "InternalErrorMessage");
  expect(calls).toBe(10_000);
  expect(longest).toBeLessThan(took / 4);
  expect(await countIn(service, LOGS)).toBe(before);
});

test("a thousand calls in one transaction are made", async () => {
  widgets.beforeCreate = async (_, context) => {
    for (let time = 0; time < 1000; time += 1)
      await servicesOf(context).logs.create({ line: `${time}` });
  };
  const before = await countIn(service, LOGS);
  expect((await post()).status).toBe(201);
  expect(await countIn(service, LOGS)).toBe(before + 1000);
});
