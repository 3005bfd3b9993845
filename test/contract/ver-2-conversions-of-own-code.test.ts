import { afterEach, expect, test } from "vitest";
import { compiledModule } from "../support/compiled-module.js";
import type { Answer, JsonObject } from "./support/client.js";
import { customCode, type Values } from "./support/custom-code.js";
import { expectError, expectFields, resultsOf } from "./support/errors.js";
import { startService } from "./support/service.js";

/** What the service's own code converts; at the top the minutes of v1, and the hour, minute and language of v2. */
interface Pair {
  toNewer: (older: Values) => Values;
  toOlder: (newer: Values) => Values;
}

/** The pairs of objects inside of orders: the door of an address, and the weight of a line. */
const { ordersDeliveryAddressV1ToV2: address } = await compiledModule<{
  readonly ordersDeliveryAddressV1ToV2: Pair;
}>("versions", "custom/conversions/orders.delivery-address-v1-to-v2");
const ownAddress = { ...address };
const O1 = "/api/v1/orders";
const O2 = "/api/v2/orders";
const orders = await customCode("orders", "versions");

const V1 = "/api/v1/customers";
const V2 = "/api/v2/customers";
const shop = await startService("versions");
const { customersV1ToV2: pair } = await compiledModule<{ readonly customersV1ToV2: Pair }>(
  "versions",
  "custom/conversions/customers-v1-to-v2",
);
const own = { ...pair };
const customers = await customCode("customers", "versions");
let made = 0;

afterEach(() => {
  Object.assign(pair, own);
  Object.assign(address, ownAddress);
});

const newCustomer = (changes: JsonObject): JsonObject => {
  made += 1;
  return { name: "Ada", email: `own${made}@example.com`, ...changes };
};
const newOrder = async (changes: JsonObject): Promise<JsonObject> => {
  const { customerId = "" } = await shop.create(V1, newCustomer({}));
  const deliveryAddress = { street: "Main", zip: "10115", door: 1203 };
  const lines = [{ sku: "a", quantity: 1, grams: 2500 }];
  return { customer: { customerId }, deliveryAddress, lines, ...changes };
};
const orderAt = (version: string, { orderId }: JsonObject): string =>
  `${version}/${String(orderId)}`;
const at = (version: string, { customerId }: JsonObject): string =>
  `${version}/${String(customerId)}`;

test("what an older version has written is shown as it was, whatever the conversion makes by now", async () => {
  const customer = await shop.create(V1, newCustomer({ callMinutes: 780 }));
  const newer = await shop.read(at(V2, customer));
  pair.toOlder = () => {
    throw new Error("not this one");
  };
  pair.toNewer = pair.toOlder;
  expect(await shop.read(at(V1, customer))).toEqual(customer);
  const changes = { body: { name: "Eda" } };
  expect((await shop.send("PATCH", at(V1, customer), changes)).json["callMinutes"]).toBe(780);
  const same = await shop.send("PUT", at(V2, customer), { body: { ...newer, fullName: "Ida" } });
  expect(same.json).toMatchObject({ callHour: 13, callMinute: 0 });
  expect((await shop.read(at(V1, customer)))["callMinutes"]).toBe(780);
});

test("what complete supplies leaves both forms as they are stored", async () => {
  let isCompleted = false;
  customers.complete = () => void (isCompleted = true);
  const made = await shop.send("POST", V1, { body: newCustomer({ callMinutes: 780 }) });
  expect([made.status, made.json["callMinutes"], isCompleted]).toEqual([201, 780, true]);
  const patched = await shop.send("PATCH", at(V2, made.json), { body: { callHour: 1 } });
  expect([patched.status, patched.json["callHour"]]).toEqual([200, 1]);
  expect((await shop.read(at(V1, made.json)))["callMinutes"]).toBe(60);
});

test("filters and sort of each version mean the form that it shows", async () => {
  const rows = [
    await shop.create(V1, newCustomer({ callMinutes: 61 })),
    await shop.create(V2, { fullName: "Ada", email: "f@example.com", callHour: 1, callMinute: 1 }),
    await shop.create(V1, newCustomer({ callMinutes: 62 })),
  ];
  const mine = (list: JsonObject): unknown[] =>
    resultsOf(list)
      .map(({ customerId }) => rows.findIndex((row) => row["customerId"] === customerId))
      .filter((index) => index >= 0);
  expect(mine(await shop.read(`${V1}?callMinutes=61&sort=createdDate`))).toEqual([0, 1]);
  expect(mine(await shop.read(`${V1}?sort=-callMinutes&pageSize=100`))).toEqual([2, 0, 1]);
  expect(mine(await shop.read(`${V2}?callHour=1&sort=createdDate`))).toEqual([0, 1, 2]);
});

test.each<{ name: string; made: Values }>([
  { name: "a number out of bounds", made: { callHour: 99 } },
  { name: "another value than the enum's", made: { callLanguage: "latin" } },
  { name: "a value of another type", made: { callMinute: "0" } },
])("$name that a conversion makes is a 500, and nothing is stored", async ({ made: wrong }) => {
  const customer = await shop.create(V1, newCustomer({ callMinutes: 60 }));
  const before = await shop.read(V2);
  pair.toNewer = (older) => ({ ...own.toNewer(older), ...wrong });
  const body = newCustomer({ callMinutes: 780 });
  expectError(await shop.send("POST", V1, { body }), 500, "InternalErrorMessage");
  const changes = { callMinutes: 780 };
  expectError(
    await shop.send("PATCH", at(V1, customer), { body: changes }),
    500,
    "InternalErrorMessage",
  );
  expect(await shop.read(V2)).toEqual(before);
});

/** From 22 o'clock on, what v1 cannot hold. */
const noLateHours: Pair["toOlder"] = (newer) =>
  Number(newer["callHour"]) < 22 ? own.toOlder(newer) : { callMinutes: 5000 };

test("what an older version cannot show is refused at its properties, and nothing is stored", async () => {
  const body = { fullName: "Ada", email: "late@example.com", callHour: 9, callMinute: 30 };
  const customer = await shop.create(V2, body);
  pair.toOlder = noLateHours;
  const late = { ...body, email: "later@example.com", callHour: 23, callLanguage: null };
  const reason = "cannot be shown in v1: callMinutes must be at most 1439";
  const refusals: [Answer, readonly string[]][] = [
    [await shop.send("POST", V2, { body: late }), ["callHour", "callMinute"]],
    [await shop.send("PATCH", at(V2, customer), { body: { callHour: 22 } }), ["callHour"]],
    [await shop.send("PUT", at(V2, customer), { body: { ...customer, ...late } }), ["callHour"]],
  ];
  for (const [answer, names] of refusals) {
    const fields = names.map((name) => [name, reason]);
    expect(expectFields(answer, ...names)).toEqual(Object.fromEntries(fields));
  }
  expect(await shop.read(at(V2, customer))).toEqual(customer);
  expect(await shop.read(V1)).toMatchObject({ itemCount: (await shop.read(V2))["itemCount"] });
  const patched = await shop.send("PATCH", at(V2, customer), { body: { callHour: 21 } });
  expect(patched.status).toBe(200);
});

test.each<{ form: string; method: "POST" | "PUT" | "PATCH"; values: JsonObject }>([
  { form: "left out", method: "POST", values: {} },
  { form: "null", method: "POST", values: { callHour: null, callMinute: null } },
  { form: "null in part", method: "POST", values: { callMinute: 5 } },
  { form: "null", method: "PUT", values: { callHour: null } },
  { form: "null", method: "PATCH", values: { callHour: null, callMinute: null } },
])(
  "$method with all that is converted $form is refused where an older version cannot show that",
  async ({ form, method, values }) => {
    const email = `${method}-${form}@example.com`.replaceAll(" ", "-").toLowerCase();
    const body = { fullName: "Ada", email };
    const isNew = method === "POST";
    const customer = isNew ? null : await shop.create(V2, { ...body, callHour: 9, callMinute: 30 });
    pair.toOlder = ({ callHour, ...newer }) =>
      callHour === null ? { callMinutes: 5000 } : own.toOlder({ callHour, ...newer } as Values);
    const one = customer === null ? V2 : at(V2, customer);
    const sent: JsonObject = method === "PATCH" ? values : { ...(customer ?? body), ...values };
    const answer = await shop.send(method, one, { body: sent });
    const { fields = [] } = expectError(answer, 400, "ValidationFailedMessage");
    expect(fields.map(({ message }) => message)).toContain(
      "cannot be shown in v1: callMinutes must be at most 1439",
    );
    expect(fields.every(({ field }) => /^call(?:Hour|Minute|Language)$/.test(field))).toBe(true);
    if (customer !== null) expect(await shop.read(one)).toEqual(customer);
    const found = await shop.read(`${V2}?email=${email}`);
    expect(found["itemCount"]).toBe(isNew ? 0 : 1);
  },
);

test("a change that a hook takes back changes neither form", async () => {
  const customer = await shop.create(V1, newCustomer({ callMinutes: 780 }));
  pair.toOlder = () => ({ callMinutes: 1 });
  customers.beforeUpdate = (next, { callHour, callMinute }) =>
    void Object.assign(next, { callHour, callMinute });
  const patched = await shop.send("PATCH", at(V1, customer), { body: { callMinutes: 61 } });
  expect(patched.json).toEqual(customer);
  const newer = await shop.send("PATCH", at(V2, customer), { body: { callHour: 2 } });
  expect(newer.json["callHour"]).toBe(13);
  expect(await shop.read(at(V1, customer))).toEqual(customer);
});

test("what a conversion makes beside its properties is left out", async () => {
  const customer = await shop.create(V1, newCustomer({ callMinutes: 60 }));
  pair.toOlder = (newer) => ({ ...newer, ...own.toOlder(newer) });
  const one = at(V1, customer);
  expect(await shop.read(one)).toEqual(customer);
  await shop.send("PUT", one, { body: customer });
  expect(await shop.read(one)).toEqual(customer);
});

test("business rules look at what would be stored of a body that an older version refuses", async () => {
  const customer = await shop.create(V2, { fullName: "Ada", email: "own@example.com" });
  customers.validate = [
    (next, _stored, problems) =>
      problems.add("phoneNumber", `has ${String(next["phoneNumber"]).length} characters`),
    // What is looked at was refused, under another name or as what it was made of.
    (next, _stored, problems) => problems.add("language", String(next["fullName"])),
    (next, _stored, problems) => problems.add("fax", String(next["callHour"])),
  ];
  const body = { ...newCustomer({ phone: "12345" }), name: "", callMinutes: -1 };
  const refused = await shop.send("POST", V1, { body });
  expectFields(refused, "name", "callMinutes", "phone");
  const { fields } = expectError(refused, 400, "ValidationFailedMessage");
  expect(fields?.at(-1)).toEqual({ field: "phone", message: "has 5 characters" });
  const change = { body: { phone: "123", callMinutes: 1.5 } };
  const patched = await shop.send("PATCH", at(V1, customer), change);
  expectFields(patched, "callMinutes", "language", "phone");
});

test("a body that cannot be converted is looked at by business rules without what is made of it", async () => {
  const asked: unknown[] = [];
  customers.validate = [
    (next) => void asked.push(next["fullName"]),
    (next) => void asked.push(next["callHour"]),
  ];
  pair.toNewer = () => {
    throw new Error("not this one");
  };
  const body = newCustomer({ callMinutes: "noon" });
  expectFields(await shop.send("POST", V1, { body }), "callMinutes");
  expect(asked).toEqual(["Ada"]);
});

test("what a conversion inside of an object makes is read in both directions", async () => {
  const order = await shop.create(O1, await newOrder({}));
  const before = await shop.read(orderAt(O2, order));
  address.toOlder = () => ({ door: 10_000 });
  const moved = { shippingAddress: { floor: 7 } };
  const refused = await shop.send("PATCH", orderAt(O2, order), { body: moved });
  expect(expectFields(refused, "shippingAddress.floor")).toEqual({
    "shippingAddress.floor": "cannot be shown in v1: door must be at most 9999",
  });
  Object.assign(address, ownAddress);
  address.toNewer = () => ({ floor: 100, room: 0 });
  const changes = { deliveryAddress: { door: 7 } };
  const answer = await shop.send("PATCH", orderAt(O1, order), { body: changes });
  expectError(answer, 500, "InternalErrorMessage");
  expect(await shop.read(orderAt(O2, order))).toEqual(before);
});

test("problems inside of an object have the name of what it was made of", async () => {
  orders.validate = (next, _stored, problems) => {
    const { floor = 0 } = next["shippingAddress"] as Values;
    problems.add("shippingAddress.floor", `is ${String(floor)}`);
  };
  const refused = await shop.send("POST", O1, { body: await newOrder({}) });
  expectFields(refused, "deliveryAddress.door");
});
