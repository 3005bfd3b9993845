import { expect, test } from "vitest";
import { newOrder } from "./support/orders.js";
import { startService } from "./support/service.js";

const orders = await startService();

test("a refusal says which state the entity is in, and which can follow", async () => {
  const path = `/api/v1/orders/${String((await newOrder(orders, ["packed"]))["orderId"])}`;
  const answer = await orders.send("PATCH", path, { body: { status: "cancelled" } });
  expect(answer.status).toBe(409);
  expect(answer.json).toEqual({
    errors: [
      {
        type: "InvalidOrderStateMessage",
        message: "The order is not in a valid state.",
        description: "Its state is packed; next: shipped, placed.",
      },
    ],
  });
});

test("a refusal in a last state says that nothing follows", async () => {
  const path = `/api/v1/orders/${String((await newOrder(orders, ["packed", "shipped"]))["orderId"])}`;
  const answer = await orders.send("PATCH", path, { body: { status: "placed" } });
  expect(answer.text).toContain("Its state is shipped; no update leads to another one.");
});

test("a refusal of a new entity says how it begins", async () => {
  const answer = await orders.send("POST", "/api/v1/orders", { body: { status: "packed" } });
  expect(answer.text).toContain("A new order is placed, and not packed.");
});
