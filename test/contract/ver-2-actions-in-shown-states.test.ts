import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { startService } from "./support/service.js";

const shop = await startService("versions");

const V1 = "/api/v1";
const V2 = "/api/v2";
let made = 0;

/** An order that is on hold, which the older version shows as placed. */
async function held(): Promise<JsonObject> {
  made += 1;
  const customer = { fullName: "Ada Lovelace", email: `ada${made}@example.com` };
  const { customerId = null } = await shop.create(`${V2}/customers`, customer);
  const order = await shop.create(`${V2}/orders`, { customer: { customerId } });
  const body = { status: "onHold" };
  return (await shop.send("PATCH", `${V2}/orders/${String(order["orderId"])}`, { body })).json;
}

async function act(version: string, name: string, { orderId }: JsonObject) {
  return shop.send("POST", `${version}/orders/${String(orderId)}/${name}`);
}

test("states that an older version lists mean others that it shows as them, where the newest version allows it there", async () => {
  const order = await held();
  expect((await act(V2, "confirm", order)).json).toMatchObject({ status: "onHold" });
  const shown = { status: "placed", remark: "confirmed" };
  expect((await act(V1, "confirm", order)).json).toMatchObject(shown);
});

test("what the newest version refuses there is refused, and what an older one lists holds there", async () => {
  const order = await held();
  const refused = await act(V1, "weigh", order);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain(
    "Its state is shown as placed, and another one in a newer version",
  );
  expect((await act(V2, "weigh", order)).status).toBe(409);
  await act(V2, "pack", order);
  expect((await act(V1, "weigh", order)).status).toBe(409);
  expect((await act(V2, "weigh", order)).status).toBe(204);
});

test("where a transition leads to the state of an action, it is allowed in every version", async () => {
  expect((await act(V1, "pack", await held())).json).toMatchObject({ status: "packed" });
  expect((await act(V2, "pack", await held())).json).toMatchObject({ status: "packed" });
});

test("what an action of the newest version leads to by itself, one of an older version does that lists no states", async () => {
  for (const version of [V1, V2]) {
    const order = await held();
    const path = `${V2}/orders/${String(order["orderId"])}`;
    for (const status of ["packed", "shipped"]) {
      expect((await shop.send("PATCH", path, { body: { status } })).status).toBe(200);
    }
    const own = path.replace(V2, version);
    const patched = await shop.send("PATCH", own, { body: { status: "placed" } });
    expect(patched.status).toBe(409);
    expect(patched.text).toContain("Its state is shipped; no update leads to another one.");
    expect((await act(version, "restore", order)).json).toMatchObject({ status: "placed" });
  }
});

test("states that the newest version lists are its own: an older one goes by the transitions as well", async () => {
  const order = await held();
  expect((await act(V2, "restore", order)).status).toBe(409);
  expect((await act(V1, "restore", order)).json).toMatchObject({ status: "placed" });
});
