import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectError } from "./support/errors.js";
import { pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const USERS = "/api/v1/users";
const ORDERS = "/api/v1/orders";
const SHIPMENTS = "/api/v1/shipments";
const PARCELS = "/api/v1/parcels";
const MERCHANTS = "/api/v1/merchants";

const service = await startService("golden/levels");

/** A user with all that belongs to one: an order, a shipment in it, and a parcel in that. */
interface Family {
  readonly user: JsonObject;
  readonly order: JsonObject;
  readonly shipment: JsonObject;
  readonly parcel: JsonObject;
}

const below = async (path: string, entity: JsonObject, rest: string, body: JsonObject = {}) =>
  service.create(`${pathOf(path, entity)}/${rest}`, body);

async function family(): Promise<Family> {
  const user = await service.create(USERS, { name: "Ann" });
  const order = await below(USERS, user, "orders");
  const shipment = await below(ORDERS, order, "shipments", { label: "first" });
  const parcel = await below(SHIPMENTS, shipment, "parcels", { weight: 1 });
  return { user, order, shipment, parcel };
}

const remove = async (path: string, entity: JsonObject) =>
  service.send("DELETE", pathOf(path, entity));
const statusOf = async (path: string, entity: JsonObject) =>
  (await service.send("GET", pathOf(path, entity))).status;

test("what is deleted takes all levels below it along, and nothing of others", async () => {
  const [gone, kept] = [await family(), await family()];
  const sibling = await below(SHIPMENTS, gone.shipment, "parcels", {
    next: { parcelId: gone.parcel["parcelId"] ?? "" },
    contents: [{ parcelId: gone.parcel["parcelId"] ?? "" }],
  });
  const body = { lastShipment: { shipmentId: gone.shipment["shipmentId"] ?? "" } };
  await service.send("PATCH", pathOf(ORDERS, gone.order), { body });
  await service.send("PATCH", pathOf(ORDERS, kept.order), { body });
  expect((await remove(USERS, gone.user)).status).toBe(204);
  expect(await statusOf(ORDERS, gone.order)).toBe(404);
  expect(await statusOf(SHIPMENTS, gone.shipment)).toBe(404);
  expect(await statusOf(PARCELS, gone.parcel)).toBe(404);
  expect(await statusOf(PARCELS, sibling)).toBe(404);
  for (const [path, entity] of [
    [USERS, kept.user],
    [SHIPMENTS, kept.shipment],
    [PARCELS, kept.parcel],
  ] as const) {
    expect(await statusOf(path, entity)).toBe(200);
  }
  expect((await service.read(pathOf(ORDERS, kept.order)))["lastShipment"]).toBeNull();
});

test("a state that keeps a shipment keeps all that it belongs to", async () => {
  const { user, order, shipment } = await family();
  await service.send("PATCH", pathOf(SHIPMENTS, shipment), { body: { status: "sent" } });
  expectError(await remove(ORDERS, order), 409, "OrderInUseMessage");
  const refused = expectError(await remove(USERS, user), 409, "UserInUseMessage");
  expect(refused.description).toContain("shipments");
  expect(await statusOf(SHIPMENTS, shipment)).toBe(200);
});

test("what refers to a shipment from outside keeps all that it belongs to", async () => {
  const { user, order, shipment, parcel } = await family();
  const merchant = await service.create(MERCHANTS, { name: "Ben" });
  const claim = await service.create("/api/v1/claims", {
    shipment: { shipmentId: shipment["shipmentId"] ?? "" },
    merchant: { merchantId: merchant["merchantId"] ?? "" },
  });
  expectError(await remove(USERS, user), 409, "UserInUseMessage");
  expectError(await remove(ORDERS, order), 409, "OrderInUseMessage");
  expect((await remove("/api/v1/claims", claim)).status).toBe(204);
  const other = await family();
  await below(SHIPMENTS, other.shipment, "parcels", {
    next: { parcelId: parcel["parcelId"] ?? "" },
  });
  expectError(await remove(USERS, user), 409, "UserInUseMessage");
  expect((await remove(USERS, other.user)).status).toBe(204);
  expect((await remove(USERS, user)).status).toBe(204);
});

test("all levels go together, also where more belongs to one than a request writes by itself", async () => {
  const { user, order } = await family();
  const counted = async (): Promise<number> =>
    Number((await service.read(`${PARCELS}?pageSize=1`))["itemCount"]);
  const before = await counted();
  for (let turn = 0; turn < 10; turn += 1) {
    const more = await below(ORDERS, order, "shipments");
    const parcels = Array.from({ length: 52 }, () => below(SHIPMENTS, more, "parcels"));
    await Promise.all(parcels);
  }
  expect(await counted()).toBe(before + 520);
  expect((await remove(USERS, user)).status).toBe(204);
  expect(await counted()).toBe(before - 1);
});
