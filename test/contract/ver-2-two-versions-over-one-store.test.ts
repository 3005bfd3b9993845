import { expect, test } from "vitest";
import type { Json, JsonObject } from "./support/client.js";
import { expectError } from "./support/errors.js";
import { startService } from "./support/service.js";

const shop = await startService("versions");

const V1 = "/api/v1";
const V2 = "/api/v2";
let made = 0;

/** A customer, made through the newer version. */
async function customer(changes: JsonObject = {}): Promise<JsonObject> {
  made += 1;
  return shop.create(`${V2}/customers`, {
    fullName: "Ada Lovelace",
    email: `ada${made}@example.com`,
    ...changes,
  });
}

/** An order of a new customer, made through the newer version. */
async function order(changes: JsonObject = {}): Promise<JsonObject> {
  const { customerId = null } = await customer();
  return shop.create(`${V2}/orders`, { customer: { customerId }, ...changes });
}

function at(version: string, { orderId }: JsonObject): string {
  return `${version}/orders/${String(orderId)}`;
}

async function change(path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await shop.send("PATCH", path, { body });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

async function refusal(method: string, path: string, body?: JsonObject): Promise<readonly Json[]> {
  const answer = await shop.send(method, path, body === undefined ? {} : { body });
  expect(answer.status, answer.text).toBe(400);
  const [error] = answer.json["errors"] as readonly JsonObject[];
  return (error?.["fields"] as readonly JsonObject[]).map(({ field = null }) => field);
}

async function found(path: string, idProperty: string): Promise<readonly Json[]> {
  const { results } = await shop.read(path);
  return (results as readonly JsonObject[]).map((one) => one[idProperty] ?? null);
}

test("what a version does not have is unknown in it, and every fault is told under its own names", async () => {
  const mine = await order();
  const path = at(V1, mine);
  expect(await refusal("PATCH", path, { note: "x", priority: 1 })).toEqual(["note", "priority"]);
  expect(
    await refusal("PATCH", path, { deliveryAddress: { zip: "x".repeat(11), country: "no" } }),
  ).toEqual(["deliveryAddress.country", "deliveryAddress.zip"]);
  expect(await refusal("PATCH", path, { status: "onHold" })).toEqual(["status"]);
  expect(await refusal("GET", `${V1}/orders?priority=3`)).toEqual(["priority"]);
  expect(await refusal("GET", `${V1}/orders?status=onHold`)).toEqual(["status"]);
  expect(await refusal("GET", `${V1}/orders?customer.standing=suspended`)).toEqual([
    "customer.standing",
  ]);
  expect(await refusal("GET", `${V1}/orders?sort=priority`)).toEqual(["sort"]);
});

test("filters and sorts of an older version mean what it shows", async () => {
  const held = await order({ shippingAddress: { postalCode: "s2" } });
  await change(at(V2, held), { status: "onHold" });
  const placed = await order({ shippingAddress: { postalCode: "s1" } });
  const packed = await order({ shippingAddress: { postalCode: "s3" }, channels: ["chat"] });
  await change(at(V2, packed), { status: "packed" });
  const ids = [held, placed, packed].map(({ orderId = null }) => orderId);
  const [heldId, placedId, packedId] = ids;
  const zips = "deliveryAddress.zip=s1&deliveryAddress.zip=s2&deliveryAddress.zip=s3";
  const list = (query: string) => found(`${V1}/orders?${zips}&${query}`, "orderId");
  expect(new Set(await list("status=placed"))).toEqual(new Set([heldId, placedId]));
  expect(await list("status=packed")).toEqual([packedId]);
  expect(await list("sort=status,deliveryAddress.zip")).toEqual([packedId, placedId, heldId]);
  expect(await list("sort=-status,-deliveryAddress.zip")).toEqual([heldId, placedId, packedId]);
  expect(await list("channels=mail")).toEqual([packedId]);
  expect(await found(`${V1}/orders/waiting?${zips}`, "orderId")).toEqual([placedId, heldId]);
  expect(await found(`${V1}/orders/settled?${zips}`, "orderId")).toEqual([packedId]);
  // The newer version tells them apart.
  const newer = zips.replaceAll("deliveryAddress.zip", "shippingAddress.postalCode");
  expect(await found(`${V2}/orders?${newer}&status=placed`, "orderId")).toEqual([placedId]);
});

test("what is embedded of another resource is searched by what the version shows of that", async () => {
  const { customerId = null } = await customer({ standing: "suspended", phoneNumber: "embedded" });
  const mine = await shop.create(`${V2}/orders`, { customer: { customerId } });
  const { orderId = null } = mine;
  for (const query of ["customer.standing=blocked", "sort=customer.standing"]) {
    const path = `${V1}/orders?customer.phone=embedded&${query}`;
    expect(await found(path, "orderId")).toEqual([orderId]);
  }
});

test("states are told as the version shows them", async () => {
  const mine = await order();
  await change(at(V2, mine), { status: "onHold" });
  const answer = await shop.send("PATCH", at(V1, mine), { body: { status: "shipped" } });
  expect(answer.status).toBe(409);
  expect(answer.text).toContain(
    "Its state is shown as placed, and another one in a newer version; next: packed.",
  );
  expect(answer.text).not.toContain("onHold");
  // The present state is no next one, though a newer version has one that is shown as it.
  const other = await order();
  const refused = await shop.send("PATCH", at(V1, other), {
    body: { status: "shipped" },
  });
  expect(refused.text).toContain("Its state is placed; next: packed.");
  await change(at(V1, mine), { status: "packed" });
  expect(await shop.read(at(V2, mine))).toMatchObject({ status: "packed" });
});

const OLDER = "/api/v1/invoices";
const NEWER = "/api/v2/bills";

test("alternatives of an alias mean what the older version shows", async () => {
  const bill = async (body: JsonObject): Promise<Json> =>
    (await shop.create(NEWER, { office: "here", ...body }))["invoiceId"] ?? null;
  await bill({ total: "9.90", dueDate: "2026-01-31", currency: "EUR" });
  // The older version shows it as a bill.
  const large = await bill({ total: "120.00", dueDate: "2026-03-01", kind: "reminder" });
  await bill({ total: "500.00", dueDate: "2026-06-30", kind: "credit" });
  const atOnce = await bill({ total: "1.00", kind: "credit", currency: "JPY" });
  expect(await found(`${OLDER}/urgent`, "invoiceId")).toEqual([large, atOnce]);
  expect(await found(`${OLDER}/urgent?currency=JPY`, "invoiceId")).toEqual([atOnce]);
});

test("what is unique together is told under the names of the version that asks", async () => {
  await shop.create(OLDER, { branch: "there", number: 7 });
  const body = { branch: "there", number: 7 };
  const older = expectError(
    await shop.send("POST", OLDER, { body }),
    409,
    "InvoiceAlreadyExistsMessage",
  );
  expect(older.description).toBe("There is another invoice with the same branch and number.");
  const newer = expectError(
    await shop.send("POST", NEWER, { body: { office: "there", serial: 7 } }),
    409,
    "InvoiceAlreadyExistsMessage",
  );
  expect(newer.description).toBe("There is another invoice with the same office and serial.");
});

/** An order that is on hold, which the older version shows as placed. */
async function held(): Promise<JsonObject> {
  return change(at(V2, await order()), { status: "onHold" });
}

async function act(version: string, name: string, { orderId }: JsonObject) {
  return shop.send("POST", `${version}/orders/${String(orderId)}/${name}`);
}

test("states that an older version lists mean others that it shows as them, where the newest version allows it there", async () => {
  const mine = await held();
  expect((await act(V2, "confirm", mine)).json).toMatchObject({ status: "onHold" });
  const shown = { status: "placed", remark: "confirmed" };
  expect((await act(V1, "confirm", mine)).json).toMatchObject(shown);
});

test("what the newest version refuses there is refused, and what an older one lists holds there", async () => {
  const mine = await held();
  const refused = await act(V1, "weigh", mine);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain(
    "Its state is shown as placed, and another one in a newer version",
  );
  expect((await act(V2, "weigh", mine)).status).toBe(409);
  await act(V2, "pack", mine);
  expect((await act(V1, "weigh", mine)).status).toBe(409);
  expect((await act(V2, "weigh", mine)).status).toBe(204);
});

test("where a transition leads to the state of an action, it is allowed in every version", async () => {
  expect((await act(V1, "pack", await held())).json).toMatchObject({ status: "packed" });
  expect((await act(V2, "pack", await held())).json).toMatchObject({ status: "packed" });
});

test("what an action of the newest version leads to by itself, one of an older version does that lists no states", async () => {
  for (const version of [V1, V2]) {
    const mine = await held();
    const path = at(V2, mine);
    for (const status of ["packed", "shipped"]) {
      expect((await shop.send("PATCH", path, { body: { status } })).status).toBe(200);
    }
    const own = path.replace(V2, version);
    const patched = await shop.send("PATCH", own, { body: { status: "placed" } });
    expect(patched.status).toBe(409);
    expect(patched.text).toContain("Its state is shipped; no update leads to another one.");
    expect((await act(version, "restore", mine)).json).toMatchObject({ status: "placed" });
  }
});

test("states that the newest version lists are its own: an older one goes by the transitions as well", async () => {
  const mine = await held();
  expect((await act(V2, "restore", mine)).status).toBe(409);
  expect((await act(V1, "restore", mine)).json).toMatchObject({ status: "placed" });
});
