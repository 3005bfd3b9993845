import { expect, test } from "vitest";
import { startService } from "./support/service.js";

const service = await startService();
const ORDERS = "/api/v1/orders";

test("a refusal says where the same can be done, what follows, and how a new entity begins", async () => {
  const { orderId } = await service.create(ORDERS, {});
  const path = `${ORDERS}/${String(orderId)}`;
  const refusal = async (method: string, body?: { status?: string; label?: string }) => {
    const target = method === "POST" ? ORDERS : path;
    const answer = await service.send(method, target, body === undefined ? {} : { body });
    return [answer.status, Object(Object(answer.json["errors"])[0]).description];
  };
  const placed = "Its state is placed; next: packed, cancelled.";
  expect(await refusal("PATCH", { status: "shipped" })).toEqual([409, placed]);
  const deletable = "It can be deleted where its state is cancelled.";
  expect(await refusal("DELETE")).toEqual([409, `${placed} ${deletable}`]);
  await service.send("PATCH", path, { body: { status: "cancelled" } });
  const cancelled = "Its state is cancelled; no update leads to another one.";
  const updatable = "It can be changed where its state is placed or packed.";
  expect(await refusal("PATCH", { label: "blue" })).toEqual([409, `${cancelled} ${updatable}`]);
  const beginning = "A new order is placed, and not packed.";
  expect(await refusal("POST", { status: "packed" })).toEqual([409, beginning]);
});

test("the OpenAPI document says what a create may name, and what can follow each state", async () => {
  const { components } = await service.read("/api/v1/openapi.json");
  expect(Object(components).schemas).toMatchObject({
    OrderCreateDto: { properties: { status: { enum: ["placed"], default: "placed" } } },
    WagonCreateDto: { properties: { status: { enum: ["parked", "moving"], default: "parked" } } },
    OrderUpdateDto: {
      properties: {
        status: {
          "x-transitions": { placed: ["packed", "cancelled"], cancelled: [] },
          description: expect.stringContaining("`packed` or `cancelled` can follow `placed`"),
        },
      },
    },
  });
});
