import { expect, test } from "vitest";
import { expectError } from "./support/errors.js";
import { newOrder } from "./support/orders.js";
import { startService } from "./support/service.js";

const orders = await startService();

const pathOf = async (way: readonly string[]): Promise<string> =>
  `/api/v1/orders/${String((await newOrder(orders, way))["orderId"])}`;

test.each([{ way: [] }, { way: ["packed"] }])(
  "after $way properties can change",
  async ({ way }) => {
    const answer = await orders.send("PATCH", await pathOf(way), { body: { label: "blue" } });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ label: "blue" });
  },
);

test.each([{ way: ["packed", "shipped"] }, { way: ["cancelled"] }])(
  "after $way properties can not change",
  async ({ way }) => {
    const answer = await orders.send("PATCH", await pathOf(way), { body: { label: "blue" } });
    const { description } = expectError(answer, 409, "InvalidOrderStateMessage");
    expect(description).toContain(" It can be changed where its state is placed or packed.");
  },
);

test("an update that changes nothing is never refused for a state (ENT-4)", async () => {
  const path = await pathOf(["packed", "shipped"]);
  const before = await orders.read(path);
  const patched = await orders.send("PATCH", path, { body: { status: "shipped", label: null } });
  expect(patched.json).toEqual(before);
  expect((await orders.send("PUT", path, { body: before })).json).toEqual(before);
});

test("a transition with other properties is judged by the state that it leaves", async () => {
  const path = await pathOf(["packed"]);
  const body = { status: "shipped", label: "sent" };
  const answer = await orders.send("PATCH", path, { body });
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject(body);
});

test("a delete is only allowed where the state allows it", async () => {
  const cancelled = await pathOf(["cancelled"]);
  expect((await orders.send("DELETE", cancelled)).status).toBe(204);
  const placed = await pathOf([]);
  const refused = await orders.send("DELETE", placed);
  const { description } = expectError(refused, 409, "InvalidOrderStateMessage");
  expect(description).toMatch(
    /^Its state is placed; .* It can be deleted where its state is cancelled\.$/,
  );
  expect(await orders.read(placed)).toMatchObject({ status: "placed" });
});
