import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectError, expectFields, resultsOf } from "./support/errors.js";
import { MISSING, pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const USERS = "/api/v1/users";
const ORDERS = "/api/v1/orders";
const CLAIMS = "/api/v1/claims";
const MERCHANTS = "/api/v1/merchants";

const service = await startService("golden/levels");
const user = await service.create(USERS, { name: "Ann" });
const shop = await service.create(MERCHANTS, { name: "Shop" });
const stall = await service.create(MERCHANTS, { name: "Stall" });
const merchant = ({ merchantId = "" }: JsonObject): JsonObject => ({ merchantId });
const owner = { user: { userId: user["userId"] ?? "" } };
const ordersOf = (entity: JsonObject) => `${pathOf(MERCHANTS, entity)}/orders`;
const idsAt = async (path: string) =>
  resultsOf(await service.read(path)).map(({ orderId }) => orderId);

test("a reference is a path: it lists what refers to one, and creates with it filled in", async () => {
  const made = await service.create(ordersOf(shop), { ...owner, note: "one" });
  expect(made["merchant"]).toEqual({ merchantId: shop["merchantId"], name: "Shop" });
  expect(made["user"]).toEqual(owner.user);
  expect(await idsAt(ordersOf(shop))).toEqual([made["orderId"]]);
  expect(await idsAt(ordersOf(stall))).toEqual([]);
  expect(await idsAt(`${pathOf(USERS, user)}/orders`)).toContain(made["orderId"]);
  const own = await service.create(`${pathOf(USERS, user)}/orders`, { merchant: merchant(stall) });
  expect(await idsAt(ordersOf(stall))).toEqual([own["orderId"]]);
});

test("Location is the path at the root", async () => {
  const made = await service.send("POST", ordersOf(shop), { body: owner });
  expect(made.headers.location).toBe(service.url + pathOf(ORDERS, made.json));
});

test("another value than the one in the path is refused, and the same one is not", async () => {
  const path = ordersOf(shop);
  const send = async (body: JsonObject) => service.send("POST", path, { body });
  expect((await send({ ...owner, merchant: merchant(shop) })).status).toBe(201);
  expectFields(await send({ ...owner, merchant: merchant(stall) }), "merchant.merchantId");
  expectFields(await send({ ...owner, merchant: null }), "merchant.merchantId");
  expectFields(await send({ ...owner, merchant: { merchantId: MISSING } }), "merchant.merchantId");
  // The path does not say whose order it is.
  expectFields(await send({}), "user");
  expectFields(await send({ user: { userId: MISSING } }), "user.userId");
});

test("it can be changed later, as any reference", async () => {
  const made = await service.create(ordersOf(shop), owner);
  const body = { merchant: merchant(stall) };
  const changed = await service.send("PATCH", pathOf(ORDERS, made), { body });
  expect(changed.json["merchant"]).toMatchObject(merchant(stall));
  expect(await idsAt(ordersOf(stall))).toContain(made["orderId"]);
});

test("nothing is listed or created under what is not there", async () => {
  const path = `${MERCHANTS}/${MISSING}/orders`;
  expectError(await service.send("GET", path), 404, "MerchantNotFoundMessage");
  expectError(await service.send("GET", `${path}/noted`), 404, "MerchantNotFoundMessage");
  expectError(await service.send("POST", path, { body: owner }), 404, "MerchantNotFoundMessage");
  expectError(await service.send("PUT", path, { body: {} }), 405, "MethodNotAllowedMessage");
});

test("filters, sorts and aliases hold under the path, too", async () => {
  const place = await service.create(MERCHANTS, { name: "Place" });
  const noted = await service.create(ordersOf(place), { ...owner, note: "b" });
  const plain = await service.create(ordersOf(place), owner);
  expect(await idsAt(`${ordersOf(place)}/noted`)).toEqual([noted["orderId"]]);
  expect(await idsAt(`${ordersOf(place)}?sort=-note`)).toEqual([
    noted["orderId"],
    plain["orderId"],
  ]);
  const found = await idsAt(`${ORDERS}?merchant.merchantId=${String(place["merchantId"])}`);
  expect(found).toHaveLength(2);
});

test("what is no child is created at the root as well, and under what it must refer to", async () => {
  const order = await service.create(ordersOf(shop), owner);
  const shipment = await service.create(`${pathOf(ORDERS, order)}/shipments`, {});
  const body = { shipment: { shipmentId: shipment["shipmentId"] ?? "" } };
  const claim = await service.create(`${pathOf(MERCHANTS, shop)}/claims`, body);
  expect(claim["merchant"]).toEqual(merchant(shop));
  await service.create(CLAIMS, { ...body, merchant: merchant(stall) });
  expectFields(await service.send("POST", CLAIMS, { body }), "merchant");
});
