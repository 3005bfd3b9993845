import { expect, test } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import { customCode, type Values } from "./support/custom-code.js";
import type { JsonObject } from "./support/client.js";
import { expectError, resultsOf } from "./support/errors.js";
import { MISSING, pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const FIXTURE = "golden/references";
const ORDERS = "/api/v1/orders";
const service = await startService(FIXTURE);
const orders = await customCode("orders", FIXTURE);
const products = await customCode("products", FIXTURE);

const ann = await service.create("/api/v1/people", { name: "Ann" });
const ben = await service.create("/api/v1/people", { name: "Ben" });
const tea = await service.create("/api/v1/products", { name: "Tea", grade: "fine" });
const shown = ({ personId = "", name = "" }: JsonObject): JsonObject => ({ personId, name });
const person = ({ personId = "" }: JsonObject): JsonObject => ({ personId });
const product = ({ productId = "" }: JsonObject): JsonObject => ({ productId });
const post = async () => service.send("POST", ORDERS, { body: { buyer: person(ann) } });

test.each<{ name: string; write: Values }>([
  { name: "an object", write: { delivery: { driver: { personId: MISSING } } } },
  { name: "a list in an object", write: { delivery: { helpers: [{ personId: MISSING }] } } },
  { name: "an item", write: { lines: [{ product: { productId: MISSING }, quantity: 1 }] } },
  {
    name: "a list in an item",
    write: { lines: [{ product: product(tea), quantity: 1, packers: [{ personId: MISSING }] }] },
  },
  { name: "an item, of another kind", write: { lines: [{ product: person(ann), quantity: 1 }] } },
])("a reference to nothing that a hook writes into $name is a 500", async ({ write }) => {
  const before = (await service.read(ORDERS))["itemCount"];
  orders.beforeCreate = (order) => ({ ...order, ...write });
  expectError(await post(), 500, "InternalErrorMessage");
  expect((await service.read(ORDERS))["itemCount"]).toBe(before);
});

test("whole entities that a hook writes embed what is there, in every place", async () => {
  orders.beforeCreate = (order) => ({
    ...order,
    delivery: { driver: { ...ben, name: "made up" }, helpers: [ann, ben] },
    lines: [
      { product: { ...tea, name: "made up" }, quantity: 2, packers: [ben] },
      { product: tea, quantity: 3 },
    ],
  });
  const { json: made } = await post();
  const tealike = { productId: tea["productId"], name: "Tea", price: null, grade: "fine" };
  expect(made).toMatchObject({
    delivery: { driver: shown(ben), courier: null, helpers: [person(ann), person(ben)] },
    lines: [
      { product: tealike, quantity: 2, packers: [shown(ben)] },
      { product: tealike, quantity: 3, packers: [] },
    ],
  });
  expect(await service.read(pathOf(ORDERS, made))).toEqual(made);
  delete orders.beforeCreate;
  orders.beforeUpdate = (next, stored) => ({
    ...next,
    lines: [{ product: tea, quantity: 5, packers: [ann] }],
    delivery: stored["delivery"] ?? null,
  });
  const path = pathOf(ORDERS, made);
  const { json: changed } = await service.send("PATCH", path, { body: { note: "more" } });
  expect(changed).toMatchObject({
    delivery: made["delivery"],
    lines: [{ product: tealike, quantity: 5, packers: [shown(ann)] }],
  });
  expect(await service.read(path)).toEqual(changed);
});

test("own code refers from items to what the same transaction makes", async () => {
  type Services = { readonly orders: { create(input: Values): Promise<Values> } };
  products.beforeCommit = async (change, context) => {
    const { services } = context as unknown as Context & { readonly services: Services };
    const lines = [{ product: change.entity, quantity: 7, packers: [person(ann)] }];
    await services.orders.create({ buyer: person(ben), lines });
  };
  const salt = await service.create("/api/v1/products", { name: "Salt" });
  const [made] = resultsOf(await service.read(`${ORDERS}?sort=-createdDate&pageSize=1`));
  expect(made).toMatchObject({
    buyer: shown(ben),
    lines: [{ product: { ...product(salt), name: "Salt" }, quantity: 7, packers: [shown(ann)] }],
  });
});

test("what complete supplies inside an object is shown, and held to the rules", async () => {
  const courier = { courierId: MISSING };
  const body = { buyer: person(ann), delivery: { courier } };
  for (const [name, wanted] of [
    ["Swift", "Swift"],
    ["", null],
    [12, null],
  ]) {
    orders.complete = (all) => {
      for (const { delivery } of all) Object.assign(Object(Object(delivery).courier), { name });
    };
    const made = await service.create(ORDERS, body);
    expect(made["delivery"]).toMatchObject({ courier: { ...courier, name: wanted } });
    expect(await service.read(pathOf(ORDERS, made))).toEqual(made);
  }
});
