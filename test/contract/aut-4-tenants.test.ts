import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Answer, JsonObject } from "./support/client.js";
import { startTenants } from "./support/tenants.js";

const { service, bearer, ofTenant, sendAs, made, filled } = await startTenants();

const VERSIONS = ["v1", "v2"];

type Ids = Readonly<Record<string, string>>;

/** A way to an entity: a request, the same for any identifiers. */
interface Way {
  readonly name: string;
  readonly send: (ids: Ids, token: string) => Promise<Answer>;
}

const FIELDS: Readonly<Record<string, JsonObject>> = {
  products: { name: "Taken", price: "1.00" },
  customers: { name: "Taken", email: "taken@example.com", isAbroad: true },
  orders: { number: 999_999, day: "2026-02-02", note: null, status: "sent" },
  parcels: { label: "Taken" },
  openorders: { number: 999_998 },
};

const ENTITIES = { openorders: "orders" } as Readonly<Record<string, string>>;
const entityOf = (resource: string): string => ENTITIES[resource] ?? resource;
const idOf = (resource: string): string => `${entityOf(resource).slice(0, -1)}Id`;

function waysTo(version: string): Way[] {
  const root = `/api/${version}`;
  const ways: Way[] = [];
  const add = (
    method: string,
    path: (ids: Ids) => string,
    body?: (ids: Ids) => JsonObject,
    headers: Readonly<Record<string, string>> = {},
  ): void => {
    const name = `${method} ${path({})} ${Object.keys(headers).join(" ")} ${JSON.stringify(body?.({}))}`;
    const send = async (ids: Ids, token: string): Promise<Answer> =>
      service.send(method, root + path(ids), {
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body && { body: body(ids) }),
      });
    ways.push({ name: `${version} ${name}`, send });
  };
  for (const resource of Object.keys(FIELDS)) {
    const one = (ids: Ids): string => `/${resource}/${ids[entityOf(resource)]}`;
    const fields = FIELDS[resource] ?? {};
    add("GET", one);
    add("GET", one, undefined, { "if-none-match": '"1"' });
    add("PATCH", one, () => fields);
    add("PATCH", one, () => ({}));
    add("PATCH", one, () => fields, { "if-match": '"1"' });
    add("DELETE", one);
    add("DELETE", one, undefined, { "if-match": '"7"' });
    if (resource !== "openorders") add("PUT", one, () => fields);
    const id = idOf(resource);
    add("GET", (ids) => `/${resource}/${(ids[entityOf(resource)] ?? "").toUpperCase()}`);
    add("GET", (ids) => `/${resource}?${id}=${ids[entityOf(resource)]}`);
    add("GET", one, undefined, { "accept-encoding": "gzip" });
  }
  const order = (ids: Ids): string => `/orders/${ids["orders"]}`;
  const customer = (ids: Ids): string => `/customers/${ids["customers"]}`;
  add(
    "POST",
    (ids) => `${order(ids)}/send`,
    () => ({}),
  );
  add(
    "POST",
    (ids) => `${order(ids)}/send`,
    () => ({}),
    { "idempotency-key": "one-key" },
  );
  add("GET", (ids) => `${order(ids)}/parcels`);
  add("GET", (ids) => `${order(ids)}/parcels?label=L1`);
  add(
    "POST",
    (ids) => `${order(ids)}/parcels`,
    () => ({ label: "Taken" }),
  );
  add("GET", (ids) => `${customer(ids)}/orders`);
  add("GET", (ids) => `${customer(ids)}/orders/mine`);
  add(
    "POST",
    (ids) => `${customer(ids)}/orders`,
    () => ({ number: 999_999, day: "2026-01-01" }),
  );
  add("GET", (ids) => `/orders?customer.customerId=${ids["customers"]}`);
  add("GET", (ids) => `/openorders?customer.customerId=${ids["customers"]}&sort=-number`);
  add("GET", (ids) => `/parcels?order.orderId=${ids["orders"]}`);
  const ofCustomer = (ids: Ids): JsonObject => ({ customerId: ids["customers"] ?? "" });
  const ofProduct = (ids: Ids): JsonObject => ({
    product: { productId: ids["products"] ?? "" },
    count: 1,
  });
  const body = { number: 999_999, day: "2026-01-01" };
  add(
    "POST",
    () => "/orders",
    (ids) => ({ ...body, customer: ofCustomer(ids) }),
  );
  add(
    "POST",
    () => "/parcels",
    (ids) => ({ label: "T", order: { orderId: ids["orders"] ?? "" } }),
  );
  const contact = { name: "T", email: "t@example.com" };
  add(
    "POST",
    () => "/customers",
    (ids) => ({
      ...contact,
      firstOrder: { orderId: ids["orders"] ?? "" },
    }),
  );
  add(
    "POST",
    () => "/orders",
    (ids) => ({ ...body, customer: ofCustomer(ids), lines: [ofProduct(ids)] }),
  );
  return ways;
}

/** What an answer says, whichever entity it was asked for. */
function said({ status, text, headers }: Answer, ids: Ids): string {
  let plain = text.toLowerCase();
  for (const [name, id] of Object.entries(ids)) plain = plain.replaceAll(id, `<${name}>`);
  const masked = plain.replace(/"requestid": "[^"]*"/g, "").replace(/[0-9a-f-]{36}/g, (id) => id);
  const { etag = null, location = null, link = null, allow = null } = headers;
  return JSON.stringify({ status, masked, etag, location, link, allow });
}

const [a, b, both] = ["acme", "globex", "shared-subject"];
const a1 = await ofTenant("a1", a);
const ofA = await filled(a1);
const bSame = await ofTenant("a1", b);
const ofB = await filled(await ofTenant("b1", b));

const LOOKING = [
  { who: "the same subject in another tenant", token: bSame },
  { who: "another subject", token: await ofTenant("b2", b) },
  { who: "a caller without a role", token: await ofTenant("b3", b, []) },
];

const CASES = VERSIONS.flatMap((version) =>
  waysTo(version).flatMap((way) => LOOKING.map((looking) => ({ ...way, ...looking }))),
);

test("there are so many ways that a forgotten one is unlikely", () => {
  expect(CASES.length).toBeGreaterThan(400);
});

test.each(CASES)("$name by $who is told as if nothing were there", async ({ send, token }) => {
  const nowhere = Object.fromEntries(Object.keys(ofA).map((name) => [name, randomUUID()]));
  const before = await everything(a1);
  const found = await send({ ...ofA, countries: nowhere["countries"] ?? "" }, token);
  const missed = await send(nowhere, token);
  expect(said(found, ofA)).toBe(said(missed, nowhere));
  expect([200, 201, 204].includes(found.status) ? found.json["itemCount"] : 0, found.text).toBe(0);
  expect(await everything(a1)).toEqual(before);
});

/** All that a caller can list. */
async function everything(token: string): Promise<readonly string[]> {
  const lists = ["products", "customers", "orders", "parcels", "openorders"];
  const answers = await Promise.all(
    lists.map(async (list) => sendAs(token, ["GET", `/api/v2/${list}?pageSize=100`])),
  );
  return answers.map(({ text }) => text);
}

const LISTS = [
  "products",
  "products?sort=-price",
  "customers",
  "customers/abroad",
  "customers?name.contains=anchor",
  "customers?sort=-name&pageSize=1",
  "orders",
  "orders/mine",
  "orders?search=anchor",
  "orders?search=fragile",
  "orders?status=open&sort=-day",
  "orders?day.atLeast=2020-01-01",
  "openorders",
  "openorders?sort=number",
  "parcels",
  "parcels?sort=-createdDate",
];

test.each(VERSIONS.flatMap((version) => LISTS.map((list) => ({ version, list }))))(
  "$version/$list shows what is the tenant's own, and counts nothing else",
  async ({ version, list }) => {
    const callers: readonly (readonly [token: string, own: Ids, others: Ids])[] = [
      [a1, ofA, ofB],
      [await ofTenant("b1", b), ofB, ofA],
    ];
    for (const [token, own, others] of callers) {
      const answer = await sendAs(token, ["GET", `/api/${version}/${list}`]);
      expect(answer.status, answer.text).toBe(200);
      for (const id of Object.values(others)) expect(answer.text).not.toContain(id);
      const { results, itemCount } = answer.json;
      const isMine = list === "customers/abroad" ? 0 : 1;
      expect(itemCount).toBe(isMine);
      if (isMine > 0)
        expect(JSON.stringify(results)).toContain(own[entityOf(list.split(/[/?]/)[0] ?? "")]);
    }
  },
);

test("values are unique in a tenant, and a refusal there names nothing of another", async () => {
  const [c, d] = [await ofTenant("c", "c"), await ofTenant("d", "d")];
  const contact = { name: "Same", email: "same@example.com" };
  for (const token of [c, d]) {
    const { customerId = "" } = await made(token, "customers", contact);
    const order = { number: 7, customer: { customerId }, day: "2026-03-03" };
    await made(token, "orders", order);
    const again = await sendAs(token, ["POST", "/api/v2/customers"], contact);
    expect(again.status).toBe(409);
    expect(again.text).toMatch(/the same email\b/);
    const twice = await sendAs(token, ["POST", "/api/v1/orders"], { ...order, number: 8 });
    expect(twice.status, twice.text).toBe(409);
    expect(twice.text).toMatch(/customer and day/);
    expect(twice.text).not.toContain("tenant");
  }
});

test("a key names a request of one tenant", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const tokens = [await ofTenant(both, "e"), await ofTenant(both, "f")];
  const sent = async (token: string): Promise<Answer> =>
    service.send("POST", "/api/v1/products", {
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: { name: "Kept", price: "1.00" },
    });
  const answers = [];
  for (const token of [...tokens, ...tokens]) answers.push(await sent(token));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const ids = answers.map(({ json }) => json["productId"]);
  expect(ids[0]).not.toBe(ids[1]);
  expect(ids.slice(2)).toEqual(ids.slice(0, 2));
});

test("a token of a page is good in its tenant alone", async () => {
  const tokens = [await ofTenant(both, "g"), await ofTenant(both, "h")] as const;
  for (const token of tokens) {
    for (const name of ["One", "Two", "Three"])
      await made(token, "products", { name, price: "1.00" });
  }
  const path = "/api/v1/products?pageSize=1&sort=name";
  const link = String((await sendAs(tokens[0], ["GET", path])).headers["link"]);
  const next = /<[^>]*?(\/api[^>]*)>/.exec(link)?.[1] ?? "";
  expect((await sendAs(tokens[0], ["GET", next])).status).toBe(200);
  const other = await sendAs(tokens[1], ["GET", next]);
  expect([other.status, next.includes("after")]).toEqual(
    next.includes("after") ? [400, true] : [200, false],
  );
});

test.each(["countries"])("%s are shared by all tenants", async (list) => {
  const { countryId = "" } = await made(a1, list, { name: "Shared" });
  const read = await sendAs(bSame, ["GET", `/api/v2/${list}/${countryId as string}`]);
  expect(read.status).toBe(200);
});

test.each([
  { what: "no claim", claims: {}, status: 403 },
  { what: "an empty text", claims: { organisation: { id: "" } }, status: 403 },
  { what: "blanks", claims: { organisation: { id: "  " } }, status: 403 },
  { what: "a list", claims: { organisation: { id: [a] } }, status: 403 },
  { what: "a number", claims: { organisation: { id: 1 } }, status: 403 },
  {
    what: "a text of 61 characters",
    claims: { organisation: { id: "a".repeat(61) } },
    status: 403,
  },
  { what: "a control character", claims: { organisation: { id: "ac\u0000me" } }, status: 403 },
  { what: "another case", claims: { organisation: { id: "ACME" } }, status: 404 },
  { what: "a blank more", claims: { organisation: { id: "acme " } }, status: 404 },
])("a token with $what as the tenant reads nothing", async ({ claims, status }) => {
  const token = await bearer("a1", claims);
  const one = await sendAs(token, ["GET", `/api/v1/orders/${ofA.orders}`]);
  expect(one.status).toBe(status);
  const list = await sendAs(token, ["GET", "/api/v1/orders"]);
  expect(list.status).toBe(status === 404 ? 200 : 403);
  if (status === 404) return expect(list.json["itemCount"]).toBe(0);
  const create = await sendAs(token, ["POST", "/api/v1/products"], {});
  expect(create.status).toBe(403);
  expect(create.text).toContain("The token does not name a tenant.");
  const shared = await sendAs(token, ["GET", "/api/v1/countries"]);
  expect(shared.status).toBe(200);
});

test("without a token nothing of a tenant is told", async () => {
  for (const path of [`orders/${ofA.orders}`, "orders", "customers", `orders/${randomUUID()}`]) {
    expect((await sendAs(null, ["GET", `/api/v1/${path}`])).status).toBe(401);
  }
});
