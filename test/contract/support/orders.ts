import type { JsonObject } from "./client.js";
import { startService } from "./service.js";

/** A service whose orders have states: placed, packed, shipped and cancelled. */
export const orders = await startService();

/** A new order that has gone through the states of `way`. */
export async function newOrder(way: readonly string[] = []): Promise<JsonObject> {
  let order = await orders.create("/api/v1/orders", {});
  for (const status of way) {
    const path = `/api/v1/orders/${String(order["orderId"])}`;
    order = (await orders.send("PATCH", path, { body: { status } })).json;
  }
  return order;
}
