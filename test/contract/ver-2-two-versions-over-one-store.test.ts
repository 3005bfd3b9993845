import { expect, test } from "vitest";
import type { Json, JsonObject } from "./support/client.js";
import { startService } from "./support/service.js";

const shop = await startService("versions");

const V1 = "/api/v1";
const V2 = "/api/v2";
let made = 0;

/** A customer, made through the newer version. */
async function customer(changes: JsonObject = {}): Promise<JsonObject> {
  made += 1;
  return shop.create(`${V2}/customers`, {
    fullName: "Ada Lovelace",
    email: `ada${made}@example.com`,
    ...changes,
  });
}

/** An order of a new customer, made through the newer version. */
async function order(changes: JsonObject = {}): Promise<JsonObject> {
  const { customerId = null } = await customer();
  return shop.create(`${V2}/orders`, { customer: { customerId }, ...changes });
}

function at(version: string, plural: string, body: JsonObject): string {
  const id = body[`${plural.slice(0, -1)}Id`];
  return `${version}/${plural}/${String(id)}`;
}

async function change(
  method: "PUT" | "PATCH",
  path: string,
  body: JsonObject,
): Promise<JsonObject> {
  const answer = await shop.send(method, path, { body });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

async function refusal(method: string, path: string, body?: JsonObject): Promise<readonly Json[]> {
  const answer = await shop.send(method, path, body === undefined ? {} : { body });
  expect(answer.status, answer.text).toBe(400);
  const [error] = answer.json["errors"] as readonly JsonObject[];
  return (error?.["fields"] as readonly JsonObject[]).map(({ field = null }) => field);
}

async function found(path: string, idProperty: string): Promise<readonly Json[]> {
  const { results } = await shop.read(path);
  return (results as readonly JsonObject[]).map((one) => one[idProperty] ?? null);
}

test("what is written through one version is read through the other, under its names", async () => {
  const old = await shop.create(`${V1}/customers`, {
    name: "Grace Hopper",
    email: "grace@example.com",
    phone: "12",
    fax: "34",
  });
  expect(old).toMatchObject({ name: "Grace Hopper", phone: "12", fax: "34", standing: "good" });
  const read = await shop.read(at(V2, "customers", old));
  expect(read).toMatchObject({
    fullName: "Grace Hopper",
    phoneNumber: "12",
    language: "en",
  });
  for (const name of ["name", "phone", "fax"]) expect(read).not.toHaveProperty(name);
  const young = await customer({ phoneNumber: "56" });
  expect(await shop.read(at(V1, "customers", young))).toMatchObject({
    name: "Ada Lovelace",
    phone: "56",
    fax: null,
  });
});

test("Location leads to the version of the request", async () => {
  const body = { name: "Bo Diddley", email: "bo@example.com" };
  const answer = await shop.send("POST", `${V1}/customers`, { body });
  expect(answer.status).toBe(201);
  expect(answer.headers.location).toBe(`${shop.url}${at(V1, "customers", answer.json)}`);
});

test("a PUT of what was read changes nothing", async () => {
  const mine = await order({
    status: "placed",
    shippingAddress: { street: "Main", postalCode: "1", country: "no" },
    lines: [
      { article: "a", quantity: 1, colour: "green", engraving: "x" },
      { article: "b", quantity: 2, colour: "red", engraving: "y" },
    ],
    channels: ["mail", "chat", "phone"],
    note: "soon",
    priority: 5,
  });
  await change("PATCH", at(V2, "orders", mine), { status: "onHold" });
  const before = await shop.read(at(V2, "orders", mine));
  const shown = await shop.read(at(V1, "orders", mine));
  expect(shown).toMatchObject({
    status: "placed",
    deliveryAddress: { street: "Main", zip: "1" },
    lines: [
      { sku: "a", quantity: 1, colour: "blue" },
      { sku: "b", quantity: 2, colour: "red" },
    ],
    channels: ["mail", "phone"],
    remark: "soon",
  });
  expect(await change("PUT", at(V1, "orders", mine), shown)).toEqual(shown);
  expect(await shop.read(at(V2, "orders", mine))).toEqual(before);
});

test("a change through an older version touches what it sees and nothing else", async () => {
  const mine = await order({
    shippingAddress: { street: "Main", postalCode: "1", country: "no" },
    lines: [
      { article: "a", quantity: 1, engraving: "x" },
      { article: "b", quantity: 2, engraving: "y" },
    ],
    priority: 5,
  });
  await change("PATCH", at(V1, "orders", mine), { deliveryAddress: { zip: "2" }, remark: "late" });
  const sent = [
    { sku: "new", quantity: 9, colour: null },
    { sku: "a", quantity: 1, colour: null },
    { sku: "b", quantity: 3, colour: null },
  ];
  await change("PATCH", at(V1, "orders", mine), { lines: sent });
  expect(await shop.read(at(V2, "orders", mine))).toMatchObject({
    shippingAddress: { street: "Main", postalCode: "2", country: "no" },
    note: "late",
    priority: 5,
    lines: [
      { article: "new", engraving: null },
      { article: "a", quantity: 1, engraving: "x" },
      { article: "b", quantity: 3, engraving: null },
    ],
  });
});

test.each(["PUT", "PATCH"] as const)(
  "a %s through an older version keeps what that does not show, in the items of a list too",
  async (method) => {
    const buyer = await customer({ language: "no" });
    const mine = await order({
      priority: 5,
      lines: [{ article: "a", quantity: 1, engraving: "x" }],
    });
    const [oldBuyer, old] = [at(V1, "customers", buyer), at(V1, "orders", mine)];
    await change(method, oldBuyer, { ...(await shop.read(oldBuyer)), name: "Eda" });
    const lines = [{ sku: "a", quantity: 2, colour: null }];
    await change(method, old, { ...(await shop.read(old)), lines });
    expect(await shop.read(at(V2, "customers", buyer))).toMatchObject({
      fullName: "Eda",
      language: "no",
    });
    expect(await shop.read(at(V2, "orders", mine))).toMatchObject({
      priority: 5,
      lines: [{ article: "a", quantity: 2, engraving: "x" }],
    });
  },
);

test("what was added after an older version was published is kept by a PUT of it that leaves it out", async () => {
  const mine = await order({
    shippingAddress: { street: "Main", postalCode: "1", country: "no" },
    note: "soon",
  });
  const { remark, deliveryAddress, ...rest } = await shop.read(at(V1, "orders", mine));
  expect({ remark, deliveryAddress }).toEqual({
    remark: "soon",
    deliveryAddress: { street: "Main", zip: "1", door: null },
  });
  await change("PUT", at(V1, "orders", mine), { ...rest, deliveryAddress: { zip: "2" } });
  expect(await shop.read(at(V2, "orders", mine))).toMatchObject({
    shippingAddress: { street: "Main", postalCode: "2", country: "no" },
    note: "soon",
  });
});

test("what the service's own code converts is kept where it is sent back as it was shown", async () => {
  const call = { callHour: 9, callMinute: 30, callLanguage: "french" };
  const mine = await customer({ ...call, standing: "suspended" });
  const shown = await shop.read(at(V1, "customers", mine));
  expect(shown).toMatchObject({ callMinutes: 570, standing: "blocked" });
  await change("PUT", at(V1, "customers", mine), { ...shown, phone: "7" });
  const read = await shop.read(at(V2, "customers", mine));
  expect(read).toMatchObject({ ...call, standing: "suspended", phoneNumber: "7" });
  await change("PATCH", at(V1, "customers", mine), { callMinutes: 61, standing: "good" });
  expect(await shop.read(at(V2, "customers", mine))).toMatchObject({
    callHour: 1,
    callMinute: 1,
    callLanguage: null,
    standing: "good",
  });
});

test("what a version does not have is unknown in it, and every fault is told under its own names", async () => {
  const mine = await order();
  const path = at(V1, "orders", mine);
  expect(await refusal("PATCH", path, { note: "x", priority: 1 })).toEqual(["note", "priority"]);
  expect(
    await refusal("PATCH", path, { deliveryAddress: { zip: "x".repeat(11), country: "no" } }),
  ).toEqual(["deliveryAddress.country", "deliveryAddress.zip"]);
  expect(await refusal("PATCH", path, { status: "onHold" })).toEqual(["status"]);
  expect(await refusal("PATCH", path, { lines: [{ sku: null, quantity: 0 }] })).toEqual([
    "lines[0].sku",
    "lines[0].quantity",
  ]);
  expect(await refusal("GET", `${V1}/orders?priority=3`)).toEqual(["priority"]);
  expect(await refusal("GET", `${V1}/orders?status=onHold`)).toEqual(["status"]);
  expect(await refusal("GET", `${V1}/orders?customer.standing=suspended`)).toEqual([
    "customer.standing",
  ]);
  expect(await refusal("GET", `${V1}/orders?sort=priority`)).toEqual(["sort"]);
  const { email = "" } = await customer();
  const taken = await shop.send("POST", `${V1}/customers`, { body: { name: "Eve Adams", email } });
  expect(taken.status).toBe(409);
});

test("filters and sorts of an older version mean what it shows", async () => {
  const held = await order({ shippingAddress: { postalCode: "s2" } });
  await change("PATCH", at(V2, "orders", held), { status: "onHold" });
  const placed = await order({ shippingAddress: { postalCode: "s1" } });
  const packed = await order({ shippingAddress: { postalCode: "s3" }, channels: ["chat"] });
  await change("PATCH", at(V2, "orders", packed), { status: "packed" });
  const ids = [held, placed, packed].map(({ orderId = null }) => orderId);
  const [heldId, placedId, packedId] = ids;
  const zips = "deliveryAddress.zip=s1&deliveryAddress.zip=s2&deliveryAddress.zip=s3";
  const list = (query: string) => found(`${V1}/orders?${zips}&${query}`, "orderId");
  expect(new Set(await list("status=placed"))).toEqual(new Set([heldId, placedId]));
  expect(await list("status=packed")).toEqual([packedId]);
  expect(await list("sort=status,deliveryAddress.zip")).toEqual([packedId, placedId, heldId]);
  expect(await list("sort=-status,-deliveryAddress.zip")).toEqual([heldId, placedId, packedId]);
  expect(await list("channels=mail")).toEqual([packedId]);
  expect(await found(`${V1}/orders/waiting?${zips}`, "orderId")).toEqual([placedId, heldId]);
  expect(await found(`${V1}/orders/settled?${zips}`, "orderId")).toEqual([packedId]);
  // The newer version tells them apart.
  const newer = zips.replaceAll("deliveryAddress.zip", "shippingAddress.postalCode");
  expect(await found(`${V2}/orders?${newer}&status=placed`, "orderId")).toEqual([placedId]);
});

test("what is embedded of another resource is what the version shows of that", async () => {
  const { customerId = null } = await customer({ standing: "suspended", phoneNumber: "embedded" });
  const mine = await shop.create(`${V2}/orders`, { customer: { customerId } });
  expect(mine["customer"]).toEqual({ customerId, fullName: "Ada Lovelace", standing: "suspended" });
  const shown = await shop.read(at(V1, "orders", mine));
  expect(shown["customer"]).toMatchObject({ customerId, phone: "embedded", standing: "blocked" });
  expect(Object.keys(Object(shown["customer"]))).toEqual([
    "customerId",
    "name",
    "phone",
    "standing",
  ]);
  const { orderId = null } = mine;
  for (const query of ["customer.standing=blocked", "sort=customer.standing"]) {
    const path = `${V1}/orders?customer.phone=embedded&${query}`;
    expect(await found(path, "orderId")).toEqual([orderId]);
  }
  // The names that are embedded can be sent back in the version that shows them.
  await change("PATCH", at(V1, "orders", mine), { customer: { customerId, phone: "other" } });
  expect(
    await refusal("PATCH", at(V2, "orders", mine), { customer: { customerId, phoneNumber: "1" } }),
  ).toEqual(["customer.phoneNumber"]);
});

test("states are told as the version shows them", async () => {
  const mine = await order();
  await change("PATCH", at(V2, "orders", mine), { status: "onHold" });
  const answer = await shop.send("PATCH", at(V1, "orders", mine), { body: { status: "shipped" } });
  expect(answer.status).toBe(409);
  expect(answer.text).toContain(
    "Its state is shown as placed, and another one in a newer version; next: packed.",
  );
  expect(answer.text).not.toContain("onHold");
  // The present state is no next one, though a newer version has one that is shown as it.
  const other = await order();
  const refused = await shop.send("PATCH", at(V1, "orders", other), {
    body: { status: "shipped" },
  });
  expect(refused.text).toContain("Its state is placed; next: packed.");
  await change("PATCH", at(V1, "orders", mine), { status: "packed" });
  expect(await shop.read(at(V2, "orders", mine))).toMatchObject({ status: "packed" });
});

test("a representation shows what its own version shows of the original", async () => {
  const mine = await order({ shippingAddress: { postalCode: "9", country: "no" } });
  await change("PATCH", at(V2, "orders", mine), { status: "onHold" });
  const { orderId = null } = mine;
  const old = `${V1}/openorders/${String(orderId)}`;
  expect(await shop.read(old)).toMatchObject({ step: "placed", shipTo: { zip: "9" } });
  await change("PATCH", old, { step: "placed", shipTo: { zip: "8" } });
  expect(await shop.read(old.replace("v1", "v2"))).toMatchObject({
    step: "onHold",
    shipTo: { postalCode: "8", country: "no" },
  });
});

test("a resource that is the same in both is one", async () => {
  const product = await shop.create(`${V1}/products`, { title: "Lamp", price: "1.5" });
  expect(await shop.read(at(V2, "products", product))).toEqual(product);
});

test("children are made and listed under their parent in both", async () => {
  const mine = await order();
  const shipment = await shop.create(`${at(V1, "orders", mine)}/shipments`, { carrier: "Post" });
  expect(await found(`${at(V2, "orders", mine)}/shipments`, "shipmentId")).toEqual([
    shipment["shipmentId"],
  ]);
});

test("each version serves its own document", async () => {
  const [first, second] = await Promise.all(
    [V1, V2].map((version) => shop.read(`${version}/openapi.json`)),
  );
  const names = (document: JsonObject | undefined) =>
    Object.keys(Object(Reflect.get(Object(document), "components").schemas.CustomerDto.properties));
  expect(names(first)).toContain("fax");
  expect(names(second)).toContain("callHour");
  expect(JSON.stringify(first)).not.toContain("onHold");
  expect(JSON.stringify(first)).not.toContain("suspended");
});
