import { expect, test } from "vitest";
import { expectError } from "./support/errors.js";
import { newConvoy, under, WAGONS } from "./support/convoys.js";
import { newOrder } from "./support/orders.js";
import { startService } from "./support/service.js";

const orders = await startService();

test("a new entity is in the initial state, named or not", async () => {
  expect(await newOrder(orders)).toMatchObject({ status: "placed" });
  const named = await orders.create("/api/v1/orders", { status: "placed" });
  expect(named).toMatchObject({ status: "placed" });
});

test("a create that names another state is refused", async () => {
  const answer = await orders.send("POST", "/api/v1/orders", { body: { status: "shipped" } });
  expectError(answer, 409, "InvalidOrderStateMessage");
});

test("a create may name each of several initial states, and begins in the first by itself", async () => {
  const { convoy } = await newConvoy(orders);
  const made = await orders.create(under(convoy), {});
  expect(made).toMatchObject({ status: "parked" });
  for (const status of ["parked", "moving"]) {
    expect(await orders.create(under(convoy), { status })).toMatchObject({ status });
  }
  const answer = await orders.send("POST", under(convoy), { body: { status: "lost" } });
  const { description } = expectError(answer, 409, "InvalidWagonStateMessage");
  expect(description).toBe("A new wagon is parked or moving, and not lost.");
  const path = `${WAGONS}/${String(made["wagonId"])}`;
  expect((await orders.send("PATCH", path, { body: { status: "moving" } })).status).toBe(200);
});

test.each([
  { way: ["packed"], to: "packed" },
  { way: ["packed", "placed"], to: "placed" },
  { way: ["packed", "shipped"], to: "shipped" },
  { way: ["cancelled"], to: "cancelled" },
])("the transitions $way are allowed", async ({ way, to }) => {
  const path = `/api/v1/orders/${String((await newOrder(orders))["orderId"])}`;
  for (const status of way) {
    expect((await orders.send("PATCH", path, { body: { status } })).status).toBe(200);
  }
  expect(await orders.read(path)).toMatchObject({ status: to });
});

test.each([
  { way: [], to: "shipped" },
  { way: ["packed"], to: "cancelled" },
  { way: ["packed", "shipped"], to: "placed" },
  { way: ["cancelled"], to: "placed" },
])("after $way the transition to $to is refused and nothing changes", async ({ way, to }) => {
  const path = `/api/v1/orders/${String((await newOrder(orders, way))["orderId"])}`;
  const before = await orders.read(path);
  const patched = await orders.send("PATCH", path, { body: { status: to } });
  expectError(patched, 409, "InvalidOrderStateMessage");
  const replaced = await orders.send("PUT", path, { body: { label: null, status: to } });
  expectError(replaced, 409, "InvalidOrderStateMessage");
  expect(await orders.read(path)).toEqual(before);
});

test("a transition that only an action makes is refused of a PATCH and of a PUT", async () => {
  const made = await orders.create("/api/v1/deliveries", { reference: "to the harbour" });
  const path = `/api/v1/deliveries/${String(made["deliveryId"])}`;
  const patched = await orders.send("PATCH", path, { body: { status: "cancelled" } });
  const { description } = expectError(patched, 409, "InvalidDeliveryStateMessage");
  expect(description).toBe("Its state is planned; next: underway.");
  const body = { reference: "to the harbour", status: "cancelled" };
  const replaced = await orders.send("PUT", path, { body });
  expectError(replaced, 409, "InvalidDeliveryStateMessage");
  expect(await orders.read(path)).toEqual(made);
  await orders.send("PATCH", path, { body: { status: "underway" } });
  const cancelled = await orders.send("POST", `${path}/cancel`, { body: { reason: "late" } });
  expect(cancelled.json).toMatchObject({ status: "cancelled", reason: "late" });
});

test("a state that the enum lacks is a validation error, not one of the state", async () => {
  const path = `/api/v1/orders/${String((await newOrder(orders))["orderId"])}`;
  for (const status of ["lost", null]) {
    const answer = await orders.send("PATCH", path, { body: { status } });
    expectError(answer, 400, "ValidationFailedMessage");
  }
});

test("the OpenAPI document says what a create may name, and what can follow each state", async () => {
  const document = await orders.read("/api/v1/openapi.json");
  expect(document).toMatchObject({
    components: {
      schemas: {
        OrderCreateDto: { properties: { status: { enum: ["placed"], default: "placed" } } },
        WagonCreateDto: {
          properties: { status: { enum: ["parked", "moving"], default: "parked" } },
        },
        OrderUpdateDto: {
          properties: {
            status: {
              "x-transitions": { placed: ["packed", "cancelled"], cancelled: [] },
              description: expect.stringContaining("`packed` or `cancelled` can follow `placed`"),
            },
          },
        },
      },
    },
  });
});
