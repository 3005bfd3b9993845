import { expect, test } from "vitest";
import type { ServiceRegistry } from "#runtime/http/settings";
import type { Database } from "#runtime/store/database";
import type { JsonObject } from "./support/client.js";
import { expectFields, resultsOf } from "./support/errors.js";
import { MISSING, pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const PEOPLE = "/api/v1/people";
const PRODUCTS = "/api/v1/products";
const ORDERS = "/api/v1/orders";

/** How many statements have been run that read. */
let reads = 0;
const service = await startService("golden/references", { registry: counting });

/** The same registry on a database that counts what it is asked. */
function counting(registry: ServiceRegistry): ServiceRegistry {
  return {
    ...registry,
    open: (runtime, provided) => {
      const { database } = runtime;
      const counted: Database = Object.create(database, {
        all: { value: count(database.all.bind(database)) },
        get: { value: count(database.get.bind(database)) },
      });
      return registry.open({ ...runtime, database: counted }, provided);
    },
  };
}

function count<Given extends readonly unknown[], Found>(
  read: (...given: Given) => Found,
): (...given: Given) => Found {
  return (...given) => {
    reads += 1;
    return read(...given);
  };
}

async function statementsOf(path: string): Promise<number> {
  const before = reads;
  await service.read(path);
  return reads - before;
}

const person = async (name: string): Promise<JsonObject> => service.create(PEOPLE, { name });
const [ann, ben, cas] = [await person("Ann"), await person("Ben"), await person("Cas")];
const tea = await service.create(PRODUCTS, { name: "Tea", price: "2.5", grade: "fine" });
const salt = await service.create(PRODUCTS, { name: "Salt" });
const refTo = ({ personId = "" }: JsonObject): JsonObject => ({ personId });
const product = ({ productId = "" }: JsonObject): JsonObject => ({ productId });
const shown = ({ personId = "", name = "" }: JsonObject): JsonObject => ({ personId, name });
const shownProduct = ({ productId, name, price, grade }: JsonObject): JsonObject =>
  ({ productId, name, price, grade }) as JsonObject;

const order = async (more: JsonObject = {}): Promise<JsonObject> =>
  service.create(ORDERS, { buyer: refTo(ann), ...more });
const patch = async (entity: JsonObject, body: JsonObject) =>
  service.send("PATCH", pathOf(ORDERS, entity), { body });

const FULL = {
  watchers: [refTo(ben), refTo(ann), refTo(ben)],
  payment: { paymentId: "ch_1a/B" },
  delivery: {
    driver: refTo(cas),
    courier: { courierId: MISSING },
    helpers: [refTo(ann), refTo(ben)],
  },
  lines: [
    { product: product(tea), quantity: 2, packers: [refTo(ben)] },
    { product: product(salt), quantity: 1 },
  ],
};

const SHOWN = {
  watchers: [shown(ben), shown(ann), shown(ben)],
  payment: { paymentId: "ch_1a/B", state: null },
  delivery: {
    driver: shown(cas),
    courier: { courierId: MISSING, name: null },
    helpers: [refTo(ann), refTo(ben)],
  },
  lines: [
    { product: shownProduct(tea), quantity: 2, packers: [shown(ben)] },
    { product: shownProduct(salt), quantity: 1, packers: [] },
  ],
};

test("what is embedded is the other's as it is now, and changes the tag", async () => {
  const [friend, spice] = [
    await person("before"),
    await service.create(PRODUCTS, { name: "before" }),
  ];
  const made = await order({
    watchers: [refTo(friend)],
    lines: [{ product: product(spice), quantity: 1 }],
  });
  const before = await service.send("GET", pathOf(ORDERS, made));
  await service.send("PATCH", pathOf(PEOPLE, friend), { body: { name: "after" } });
  await service.send("PATCH", pathOf(PRODUCTS, spice), { body: { price: "3" } });
  const after = await service.send("GET", pathOf(ORDERS, made));
  expect(after.json["watchers"]).toEqual([{ personId: friend["personId"], name: "after" }]);
  expect(after.json["lines"]).toMatchObject([{ product: { name: "before", price: "3.00" } }]);
  expect(after.headers.etag).not.toBe(before.headers.etag);
  expect(after.json["lastModifiedDate"]).toBe(made["lastModifiedDate"]);
});

test("PATCH keeps, changes and takes away what stands inside", async () => {
  const made = await order(FULL);
  const kept = await patch(made, { delivery: { driver: {} } });
  expect(kept.json).toMatchObject(SHOWN);
  const changed = await patch(made, { delivery: { driver: refTo(ben), courier: null } });
  expect(changed.json["delivery"]).toEqual({
    ...SHOWN.delivery,
    driver: shown(ben),
    courier: null,
  });
  const fewer = await patch(made, {
    lines: [{ product: product(salt), quantity: 4 }],
    watchers: [],
  });
  expect(fewer.json["lines"]).toEqual([{ product: shownProduct(salt), quantity: 4, packers: [] }]);
  expect(fewer.json["watchers"]).toEqual([]);
  expect((await patch(made, { delivery: null })).json["delivery"]).toBeNull();
  expectFields(
    await patch(made, { lines: [{ quantity: 1, product: {} }] }),
    "lines[0].product.productId",
  );
});

test("an entity that refers to itself shows what it holds now", async () => {
  const made = await service.create(PEOPLE, { name: "Eve", friends: [refTo(ann)] });
  const path = pathOf(PEOPLE, made);
  const body = { friends: [refTo(made), refTo(ann)] };
  await service.send("PATCH", path, { body });
  const renamed = await service.send("PATCH", path, { body: { name: "Eva" } });
  expect(renamed.json["friends"]).toEqual([{ ...shown(made), name: "Eva" }, shown(ann)]);
  expect((await service.send("GET", path)).text).toBe(renamed.text);
  const self = await order();
  const noted = await patch(self, {
    note: "here",
    previous: { order: { orderId: self["orderId"] ?? "" } },
  });
  expect(noted.json["previous"]).toEqual({ order: { orderId: self["orderId"], note: "here" } });
  expect((await service.send("DELETE", pathOf(ORDERS, self))).status).toBe(204);
  expect((await service.send("DELETE", path)).status).toBe(204);
});

test("what a page shows of others is bounded as the page is, and one entity is never too large", async () => {
  const small = await startService("golden/references", { limits: { pageBytes: 12_000 } });
  const buyer = await small.create(PEOPLE, { name: "x" });
  for (let turn = 0; turn < 2; turn += 1) {
    const made = Array.from({ length: 60 }, () =>
      small.create(PRODUCTS, { name: "y".repeat(80), price: "1" }),
    );
    const lines = (await Promise.all(made)).map((one) => ({ product: product(one), quantity: 1 }));
    await small.create(ORDERS, { buyer: refTo(buyer), lines });
  }
  expectFields(await small.send("GET", `${ORDERS}?pageSize=21`), "pageSize");
  expect(resultsOf(await small.read(ORDERS))).toHaveLength(2);
});

test("the statements of a request do not grow with the page, nor with what an entity holds", async () => {
  for (let turn = 0; turn < 12; turn += 1) {
    const lines = Array.from({ length: turn }, () => ({ product: product(tea), quantity: 1 }));
    await order({ ...FULL, lines: [...FULL.lines, ...lines] });
  }
  const one = await statementsOf(`${ORDERS}?pageSize=1&pageNumber=2&sort=-createdDate`);
  const many = await statementsOf(`${ORDERS}?pageSize=10&pageNumber=1&sort=-createdDate`);
  // The page, its count, and one for each of the five references that show more than an identifier.
  expect([one, many]).toEqual([7, 7]);
  const before = reads;
  await order(FULL);
  const few = reads - before;
  const items = Array.from({ length: 90 }, () => FULL.lines[0] ?? {});
  await order({ ...FULL, lines: items });
  expect(reads - before).toBe(2 * few);
});
