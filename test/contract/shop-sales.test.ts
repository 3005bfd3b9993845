import { expect, test } from "vitest";
import type { App } from "#runtime/service/app";
import { compiledModule } from "../support/compiled-module.js";
import type { JsonObject } from "./support/client.js";
import { resultsOf } from "./support/errors.js";
import { startService } from "./support/service.js";
import { newOrder, newParties, ORDERS } from "./support/shop.js";

let now = Date.parse("2026-01-01T00:00:00.000Z");
const { default: app } = await compiledModule<{ default: App<object, object> }>("shop", "app");
const routes = app.definition.routes?.({ environment: {} }) ?? [];
const extension = { provided: {}, routes, checks: {}, onStop: () => undefined };
const shop = await startService("shop", { clock: () => now, extension });

async function sales(): Promise<unknown> {
  const answer = await fetch(`${shop.url}/api/v1/reports/sales`);
  expect(answer.status).toBe(200);
  return answer.json();
}

test("the shop's report has each month with sales, and no cancelled order", async () => {
  expect(await sales()).toEqual({ results: [] });
  const parties = await newParties(shop);
  const order = async (time: string, price: string): Promise<string> => {
    now = Date.parse(time);
    const { orderId } = await shop.create(ORDERS, { ...newOrder(parties), price });
    return `${ORDERS}/${String(orderId)}`;
  };
  await order("2026-01-01T00:00:00.000Z", "0.1");
  await order("2026-01-31T23:59:59.999Z", "0.25");
  const cancelled = await order("2026-02-10T12:00:00.000Z", "5.00");
  await order("2026-03-01T00:00:00.000Z", "39.90");
  await shop.send("PATCH", cancelled, { body: { status: "cancelled" } });
  expect(await sales()).toEqual({
    results: [
      { month: "2026-01", count: 2, total: "0.35" },
      { month: "2026-03", count: 1, total: "39.90" },
    ],
  });
});

test("the shop finds orders by one item that has the product and the quantity", async () => {
  const parties = await newParties(shop);
  const item = (product: string, quantity: number): JsonObject => ({
    product,
    quantity,
    price: "0.35",
  });
  const order = async (...items: readonly JsonObject[]): Promise<unknown> =>
    (await shop.create(ORDERS, { ...newOrder(parties), items }))["number"];
  const exact = await order(item("Poster", 50), item("Poster", 60));
  const more = await order(item("Envelope", 1), item("Poster", 51));
  await order(item("Poster", 49), item("Envelope", 100));
  await order(item("Envelope", 50));
  const query = "items.product=Poster&items.quantity.atLeast=50&sort=number";
  for (const path of [ORDERS, "/api/v1/merchantorders", "/api/v1/openorders"]) {
    const found = resultsOf(await shop.read(`${path}?${query}`));
    expect(found.map(({ number }) => number)).toEqual([exact, more]);
  }
});
