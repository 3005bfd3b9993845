import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import type { EntityService } from "#runtime/entity/entity-service";
import { countIn } from "./support/count.js";
import { customCode, type Values } from "./support/custom-code.js";
import { expectError, resultsOf } from "./support/errors.js";
import { MISSING, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

type Service = EntityService<never, Values, Values, Values>;
type Services = Readonly<Record<"orders" | "pallets", Service>>;

const ORDERS = "/api/v1/orders";
const service = await startService("contract", { ownErrors: true });
const widgets = await customCode("widgets");
const orders = await customCode("orders");

const servicesOf = (context: Context): Services => (context as Context<unknown, Services>).services;
const post = async () => service.send("POST", WIDGETS, { body: { name: "drill" } });

test("a list is asked in the words of a schema", async () => {
  const found: unknown[] = [];
  for (const label of ["q1", "q2", "q3"]) {
    await service.create(ORDERS, { label });
    // Two of one millisecond would be sorted by their identifiers.
    await setTimeout(2);
  }
  const [second] = resultsOf(await service.read(`${ORDERS}?sort=-createdDate&pageSize=2`)).slice(1);
  const path = pathOf(ORDERS, second ?? {});
  await service.send("PATCH", path, { body: { status: "cancelled" } });
  widgets.beforeCreate = async (_, context) => {
    const { orders } = servicesOf(context);
    const labels = async (where: Values) => {
      const page = await orders.list({ where, sort: ["-createdDate"], pageSize: 2 });
      return page.results.map((one: Values) => one["label"]);
    };
    found.push(
      await labels({ status: "cancelled" }),
      await labels({ status: { not: "cancelled" } }),
    );
    found.push(await labels({ status: ["placed", "cancelled"] }), await labels({ status: null }));
  };
  expect((await post()).status).toBe(201);
  expect(found).toEqual([["q2"], ["q3", "q1"], ["q3", "q2"], []]);
});

test("a list is asked for one of several conditions, and for some identifiers", async () => {
  const found: unknown[] = [];
  const made = [];
  for (const label of ["a1", "a2", "a3"]) made.push(await service.create(ORDERS, { label }));
  const [first = "", second = "", third = ""] = made.map((one) => String(one["orderId"]));
  await service.send("PATCH", pathOf(ORDERS, made[0] ?? {}), { body: { status: "cancelled" } });
  widgets.beforeCreate = async (_, context) => {
    const { orders } = servicesOf(context);
    const labels = async (where: Values) =>
      (await orders.list({ where, sort: ["createdDate"] })).results.map(
        (one: Values) => one["label"],
      );
    const some = { orderId: [first, third.toUpperCase(), MISSING] };
    found.push(
      await labels(some),
      await labels({ ...some, any: [{ status: "cancelled" }, { orderId: second }] }),
      await labels({
        orderId: [first, second],
        any: [{ orderId: { not: first } }, { status: "cancelled" }],
      }),
      await labels({ any: [] }),
    );
  };
  expect((await post()).status).toBe(201);
  expect(found).toEqual([["a1", "a3"], ["a1"], ["a1", "a2"], []]);
});

test("a list is asked for the common fields that its resource opens, and a wrong value is told", async () => {
  const found: unknown[] = [];
  for (const title of ["c1", "c2"]) await service.create("/api/v1/pallets", { title });
  const [newest] = resultsOf(await service.read("/api/v1/pallets?sort=-createdDate&pageSize=1"));
  const createdDate = String(newest?.["createdDate"]);
  widgets.beforeCreate = async (_, context) => {
    const { pallets } = servicesOf(context);
    const titles = async (where: Values) =>
      (await pallets.list({ where, sort: ["title"] })).results.map((one: Values) => one["title"]);
    found.push(
      await titles({ createdDate: { atLeast: createdDate } }),
      await titles({ createdDate: { lessThan: createdDate }, "createdSubject.subjectId": MISSING }),
      await titles({ createdDate: "2026-01-01" }).catch((error: unknown) => String(error)),
    );
  };
  expect((await post()).status).toBe(201);
  expect(found[0]).toContain("c2");
  expect(found.slice(1)).toEqual([
    [],
    expect.stringContaining("services.pallets.list breaks a rule: createdDate must be"),
  ]);
});

test("a list is counted, and asks for what others supply unless it is told not to", async () => {
  const asked: number[] = [];
  const pages: unknown[] = [];
  orders.complete = (entities) => void asked.push(entities.length);
  widgets.beforeCreate = async (_, context) => {
    const { orders: all } = servicesOf(context);
    const query = { sort: ["createdDate"], pageSize: 1 } as const;
    const { results } = await all.list({ ...query, complete: false });
    pages.push(results, [...asked], await all.list(query));
    // Nothing is there to be completed.
    await all.list({ ...query, pageNumber: 1000 });
  };
  expect((await post()).status).toBe(201);
  delete orders.complete;
  const itemCount = await countIn(service, ORDERS);
  const results = [expect.objectContaining({ label: "q1" })];
  expect(pages).toEqual([results, [], { results, itemCount, pageNumber: 1, pageSize: 1 }]);
  expect(asked).toEqual([1]);
});

test("a list asked for what there cannot be is a fault of own code, which names the filter", async () => {
  let where: Values = {};
  const caught: unknown[] = [];
  widgets.beforeCreate = async (_, context) => {
    const { orders } = servicesOf(context);
    const listing = orders.list({ where });
    await listing.catch((error: unknown) => caught.push(error));
    await listing;
  };
  for (where of [{ status: "canceled" }, { status: { not: ["placed", "x"] } }]) {
    expectError(await post(), 500, "InternalErrorMessage");
  }
  const fault = { code: "services.orders.list", fields: [{ field: "status" }] };
  expect(caught).toMatchObject([fault, fault]);
  expect(String(caught[0])).toContain("services.orders.list breaks a rule: status must be one of");
});
