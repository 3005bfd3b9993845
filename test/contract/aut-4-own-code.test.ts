import { expect, test } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import { customCode, type Values } from "./support/custom-code.js";
import { startTenants } from "./support/tenants.js";

interface Service {
  create(values: Values): Promise<Values>;
  read(id: string): Promise<Values>;
  change(id: string, values: Values): Promise<Values>;
  remove(id: string): Promise<void>;
  list(query?: object): Promise<{ readonly itemCount: number }>;
}
interface Services {
  readonly products: Service;
  readonly customers: Service;
  readonly unrestricted: Services;
  readonly allTenants: Services;
  inTenant(tenant: string): Services;
}
interface Store {
  find(id: string): Promise<Values | null>;
  findAll(ids: readonly string[]): Promise<readonly Values[]>;
  page(query: object): Promise<{ readonly results: readonly Values[] }>;
  insertion(values: object, author: object): { readonly steps: readonly never[] };
}
type Stores = Readonly<Record<"products" | "orders", Store>>;
type Own = Context<Stores, Services>;

const { made, filled, ofTenant, sendAs } = await startTenants();
const products = await customCode("products", "tenants");
const [a, b] = [await ofTenant("a", "acme"), await ofTenant("b", "globex")];
const ofA = await filled(a);
const ofB = await filled(b);

/** Runs own code in a request of tenant b. */
async function inB(work: (own: Own) => Promise<void>): Promise<void> {
  let failure: unknown = null;
  products.beforeCreate = async (_, context) => {
    // Its own changes come to the hook as well.
    delete products.beforeCreate;
    await work(context as unknown as Own).catch((error: unknown) => (failure = error));
  };
  await made(b, "products", { name: "Hook", price: "1.00" });
  if (failure !== null) throw failure;
}

const outcome = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => value ?? "nothing",
    (error: unknown) => (error as { status?: number }).status ?? (error as Error).name,
  );

test("services, also unrestricted ones, find nothing of another tenant", async () => {
  await inB(async ({ services }) => {
    for (const one of [services, services.unrestricted]) {
      expect(await outcome(one.products.read(ofA.products))).toBe(404);
      expect(await outcome(one.products.change(ofA.products, { name: "Taken" }))).toBe(404);
      expect(await outcome(one.products.remove(ofA.products))).toBe(404);
      const { itemCount } = await one.products.list({ where: { name: "Lamp" } });
      expect(itemCount).toBe(1);
      const contact = { name: "N", email: "n@example.com", firstOrder: { orderId: ofA.orders } };
      expect(await outcome(one.customers.create(contact))).toBe("OwnCodeFault");
    }
  });
});

test("stores find nothing of another tenant, and create in the caller's", async () => {
  await inB(async (own) => {
    const { caller, stores, subject } = own;
    expect(await stores.products.find(ofA.products)).toBeNull();
    const found = await stores.products.findAll([ofA.products, ofB.products]);
    expect(found.map((one) => one["productId"])).toEqual([ofB.products]);
    const query = { filters: [], sort: [], pageNumber: 1, pageSize: 100, counted: true };
    const { results } = await stores.products.page({ ...query, defaultSize: 20 });
    expect(results.map((one) => one["productId"])).not.toContain(ofA.products);
    expect(caller.tenant).toBe("globex");
    expect(caller.claims?.["organisation"]).toEqual({ id: "globex" });
    own.add(...stores.products.insertion({ name: "Stored", price: "3.00" }, { subject }).steps);
  });
  const listed = async (token: string): Promise<unknown> =>
    (await sendAs(token, ["GET", "/api/v1/products?name=Stored"])).json["itemCount"];
  expect([await listed(a), await listed(b)]).toEqual([0, 1]);
});

interface SqlTable extends Readonly<Record<string, object>> {
  as(alias: string): SqlTable;
}
interface Sql {
  (strings: TemplateStringsArray, ...gaps: unknown[]): { rows(readers: object): Promise<Values[]> };
  readonly products: SqlTable;
  readonly orders: SqlTable;
  readonly string: object;
  readonly integer: object;
}

test("the statements of sql read rows of the caller's tenant alone", async () => {
  await inB(async (own) => {
    const sql = own.sql as never as Sql;
    const { products: table, orders, integer, string } = sql;
    const lamps = sql`SELECT ${table["productId"]} AS id FROM ${table} WHERE ${table["name"]} = ${"Lamp"}`;
    expect(await lamps.rows({ id: string })).toEqual([{ id: ofB.products }]);
    const other = table.as("p");
    const renamed = sql`SELECT ${other["productId"]} AS id FROM ${other} WHERE ${other["name"]} = ${"Lamp"}`;
    expect(await renamed.rows({ id: string })).toEqual([{ id: ofB.products }]);
    const allTenants = own.sql.allTenants as never as Sql;
    const all = allTenants`SELECT COUNT(*) AS count FROM ${orders}`;
    expect(await all.rows({ count: integer })).toEqual([{ count: 2 }]);
    const part = sql`SELECT ${orders["orderId"]} FROM ${orders}`;
    const nested = sql`SELECT COUNT(*) AS count FROM (${part}) AS found`;
    expect(await nested.rows({ count: integer })).toEqual([{ count: 1 }]);
    const as = own.services.inTenant("acme");
    expect(await outcome(as.products.read(ofA.products))).toMatchObject({ name: "Lamp" });
  });
});

test.each([
  "SELECT 1 AS count FROM orders",
  'SELECT 1 AS count FROM "Orders"',
  "SELECT 1 AS count FROM orders_lines_product",
  "-- the customer's\nSELECT 1 AS count FROM orders WHERE note <> 'x'",
  "/* it's */ SELECT 1 AS count FROM orders WHERE note <> 'x'",
])("a table that sql names as text is refused: %s", async (text) => {
  await inB(async (own) => {
    const sql = own.sql as never as (strings: TemplateStringsArray) => object;
    const strings = Object.assign([text], { raw: [text] }) as never as TemplateStringsArray;
    expect(() => sql(strings)).toThrow(/names orders as text.*sql\.orders/s);
  });
});

test("allTenants reads and changes in all of them, and creates in none", async () => {
  await inB(async ({ services }) => {
    const { allTenants } = services.unrestricted;
    const { itemCount } = await allTenants.products.list({ where: { name: "Lamp" } });
    expect(itemCount).toBe(2);
    expect(await outcome(allTenants.products.read(ofA.products))).toMatchObject({ name: "Lamp" });
    await allTenants.products.change(ofA.products, { price: "9.00" });
    expect(await outcome(allTenants.products.create({ name: "X", price: "1.00" }))).toBe(
      "MissingTenant",
    );
    const created = await services
      .inTenant("acme")
      .products.create({ name: "Given", price: "1.00" });
    // In this transaction it is that of the other tenant as well.
    expect(await outcome(services.products.read(String(created["productId"])))).toBe(404);
  });
  const own = await sendAs(a, ["GET", `/api/v1/products/${ofA.products}`]);
  expect(own.json["price"]).toBe("9.00");
  const listed = async (token: string): Promise<unknown> =>
    (await sendAs(token, ["GET", "/api/v1/products?name=Given"])).json["itemCount"];
  expect([await listed(a), await listed(b)]).toEqual([1, 0]);
});

test("an action that counts counts what is the tenant's own", async () => {
  const counted = await sendAs(b, ["POST", "/api/v1/orders/count"], {});
  expect(counted.json).toEqual({ number: 1 });
});

test("what is done once is done once in each tenant", async () => {
  const done: unknown[] = [];
  products.complete = async (_, context) => {
    const own = context as unknown as Own;
    await own.once("the-same-key", async () => void done.push(own.caller.tenant));
  };
  for (const token of [a, b, a]) await sendAs(token, ["GET", "/api/v1/products"]);
  expect(done).toEqual(["acme", "globex"]);
});
