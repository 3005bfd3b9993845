import { expect, test } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import type { EntityService } from "#runtime/entity/entity-service";
import { countIn } from "./support/count.js";
import { customCode, type Values } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { LOGS, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

type Service = EntityService<never, Values, Values, Values>;
type Names = "logs" | "orders" | "depots" | "consignments" | "bookings";
interface Services extends Readonly<Record<Names, Service>> {
  readonly unrestricted: Services;
}

const ORDERS = "/api/v1/orders";
const service = await startService("contract", { ownErrors: true });
const widgets = await customCode("widgets");
const logs = await customCode("logs");

const servicesOf = (context: Context): Services => (context as Context<unknown, Services>).services;
const countOf = async (path: string) => countIn(service, path);
const post = async (name = "drill") => service.send("POST", WIDGETS, { body: { name } });

/** What goes on beside own code that has not waited for it, and what it comes to. */
function beside(): {
  readonly begin: () => void;
  work(what: () => Promise<unknown>): void;
  readonly ended: Promise<string>;
} {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let end = (_: string): void => undefined;
  const ended = new Promise<string>((resolve) => (end = resolve));
  const work = (what: () => Promise<unknown>): void =>
    void begun.then(what).then(
      () => end("done"),
      (error: unknown) => end(String(error)),
    );
  return { begin: () => begin(), work, ended };
}

test("what own code does after its transaction has failed is no transaction of its own", async () => {
  const late = [beside(), beside(), beside()] as const;
  const called: unknown[] = [];
  logs.beforeCreate = ({ line }) => void called.push(line);
  widgets.beforeCreate = (_, context) => {
    const services = servicesOf(context);
    late[0].work(async () => services.logs.create({ line: "late" }));
    late[1].work(async () => services.unrestricted.logs.create({ line: "late" }));
    late[2].work(async () =>
      Promise.resolve(context.add({ sql: `DELETE FROM "logs"`, values: [] })),
    );
    throw new Error("after all");
  };
  const before = await countOf(LOGS);
  expectError(await post(), 500, "InternalErrorMessage");
  for (const { begin, ended } of late) {
    begin();
    expect(await ended).toContain("The transaction is over");
  }
  expect([await countOf(LOGS), called]).toEqual([before, []]);
});

test("what the hooks of a refused change go on with is no part of its transaction", async () => {
  const late = beside();
  logs.beforeCreate = ({ line }, context) => {
    if (line !== "refused") return;
    late.work(async () => servicesOf(context).logs.create({ line: "late" }));
    throw new Error("after all");
  };
  widgets.beforeCreate = async (_, context) => {
    await servicesOf(context)
      .logs.create({ line: "refused" })
      .catch(() => undefined);
    late.begin();
    expect(await late.ended).toContain("The transaction is over");
  };
  const before = await countOf(LOGS);
  expect((await post()).status).toBe(201);
  expect(await countOf(LOGS)).toBe(before);
});

test("what an attempt that was too slow goes on with is no part of the next one", async () => {
  const order = await service.create(ORDERS, { label: "0" });
  const path = pathOf(ORDERS, order);
  const late = beside();
  let attempts = 0;
  widgets.beforeCreate = async (_, context) => {
    const { logs: lines, orders } = servicesOf(context);
    attempts += 1;
    if (attempts === 2) {
      late.begin();
      expect(await late.ended).toContain("The transaction is over");
      return;
    }
    late.work(async () => lines.create({ line: "of the first attempt" }));
    await orders.read(String(order["orderId"]));
    await service.send("PATCH", path, { body: { label: "1" } });
    await orders.change(String(order["orderId"]), { label: "2" });
  };
  const before = await countOf(LOGS);
  expect((await post()).status).toBe(201);
  expect([attempts, await countOf(LOGS)]).toEqual([2, before]);
});
