import type { Client, JsonObject } from "./client.js";

/** A new order that has gone through the states of `way`: placed, packed, shipped and cancelled. */
export async function newOrder(orders: Client, way: readonly string[] = []): Promise<JsonObject> {
  let order = await orders.create("/api/v1/orders", {});
  for (const status of way) {
    const path = `/api/v1/orders/${String(order["orderId"])}`;
    order = (await orders.send("PATCH", path, { body: { status } })).json;
  }
  return order;
}
