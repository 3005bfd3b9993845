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

test("a change whose answer cannot be converted is a 500, and nothing is stored", async () => {
  const customer = await shop.create(V1, newCustomer({ callMinutes: 60 }));
  const before = await shop.read(V2);
  pair.toOlder = (newer) => {
    if (newer["callHour"] === 13) throw new Error("no such hour");
    return own.toOlder(newer);
  };
  const body = newCustomer({ callMinutes: 780 });
  expectError(await shop.send("POST", V1, { body }), 500, "InternalErrorMessage");
  const one = at(V1, customer);
  const changes = { callMinutes: 780 };
  expectError(await shop.send("PATCH", one, { body: changes }), 500, "InternalErrorMessage");
  const whole = { ...customer, ...changes };
  expectError(await shop.send("PUT", one, { body: whole }), 500, "InternalErrorMessage");
  expect(await shop.read(V2)).toEqual(before);
});

test("a change is answered, although what was supplied after it was stored cannot be converted", async () => {
  let isStored = false;
  customers.complete = () => void (isStored = true);
  pair.toOlder = (newer) => {
    if (isStored) throw new Error("not once more");
    return own.toOlder(newer);
  };
  const body = newCustomer({ callMinutes: 780 });
  const made = await shop.send("POST", V1, { body });
  expect([made.status, made.json["callMinutes"], isStored]).toEqual([201, 780, true]);
  isStored = false;
  const patched = await shop.send("PATCH", at(V1, made.json), { body: { callMinutes: 60 } });
  expect([patched.status, patched.json["callMinutes"], isStored]).toEqual([200, 60, true]);
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

test.each<{ name: string; shown: unknown }>([
  { name: "a number out of bounds", shown: { callMinutes: 1440 } },
  { name: "a value of another type", shown: { callMinutes: "noon" } },
  { name: "a number that is not whole", shown: { callMinutes: 0.5 } },
  { name: "nothing", shown: undefined },
])("$name is never shown: 500, and nothing is stored", async ({ shown }) => {
  const customer = await shop.create(V2, { fullName: "Ada", email: "shown@example.com" });
  const before = await shop.read(V2);
  const one = at(V1, customer);
  const whole = await shop.read(one);
  pair.toOlder = () => shown as Values;
  const [body, changes] = [newCustomer({ callMinutes: 780 }), { name: "Eda" }];
  for (const answer of [
    await shop.send("GET", one),
    await shop.send("POST", V1, { body }),
    await shop.send("PATCH", one, { body: changes }),
    await shop.send("PUT", one, { body: { ...whole, ...changes } }),
  ]) {
    expectError(answer, 500, "InternalErrorMessage");
  }
  expect(await shop.read(V2)).toEqual(before);
  Object.assign(pair, own);
  await shop.send("DELETE", one);
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

test("a stored row that an older version cannot show costs itself only, and can be changed in another", async () => {
  const email = "row@example.com";
  const customer = await shop.create(V2, { fullName: "Ada", email, callHour: 23, callMinute: 5 });
  const shown = await shop.create(V1, newCustomer({ callMinutes: 60 }));
  pair.toOlder = noLateHours;
  expectError(await shop.send("GET", at(V1, customer)), 500, "InternalErrorMessage");
  const list = await shop.read(`${V1}?sort=-createdDate&pageSize=2`);
  expect(resultsOf(list)).toEqual([shown]);
  expect(list["itemCount"]).toBe((await shop.read(V2))["itemCount"]);
  const changes = { body: { fullName: "Eda" } };
  expect((await shop.send("PATCH", at(V2, customer), changes)).json["fullName"]).toBe("Eda");
  pair.toOlder = () => {
    throw new Error("not this one");
  };
  expect(resultsOf(await shop.read(V1))).toEqual([]);
  const other = { body: { fullName: "Ida" } };
  expect((await shop.send("PATCH", at(V2, customer), other)).json["fullName"]).toBe("Ida");
  const late = await shop.send("PATCH", at(V2, customer), { body: { callHour: 20 } });
  expectError(late, 500, "InternalErrorMessage");
});

test("what a conversion makes beside its properties is left out", async () => {
  const customer = await shop.create(V1, newCustomer({ callMinutes: 60 }));
  pair.toOlder = (newer) => ({ ...newer, ...own.toOlder(newer) });
  const one = at(V1, customer);
  expect(await shop.read(one)).toEqual(customer);
  await shop.send("PUT", one, { body: customer });
  expect(await shop.read(one)).toEqual(customer);
});

test("a change that is written is answered, though what complete supplies cannot be converted", async () => {
  let isCompleting = false;
  customers.complete = () => void (isCompleting = true);
  pair.toOlder = (newer) => (isCompleting ? { callMinutes: -1 } : own.toOlder(newer));
  const body = newCustomer({ callMinutes: 60 });
  const answer = await shop.send("POST", V1, { body });
  expect(answer.status).toBe(201);
  expect(isCompleting).toBe(true);
  Object.assign(pair, own);
  Reflect.deleteProperty(customers, "complete");
  const { customerId } = JSON.parse(answer.text) as JsonObject;
  expect(await shop.read(`${V1}/${String(customerId)}`)).toMatchObject(body);
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

test("a body that cannot be converted is refused with the problems of the schema alone", async () => {
  const asked: unknown[] = [];
  customers.validate = (next) => void asked.push(next);
  pair.toNewer = () => {
    throw new Error("not this one");
  };
  const body = newCustomer({ callMinutes: "noon" });
  expectFields(await shop.send("POST", V1, { body }), "callMinutes");
  expect(asked).toEqual([]);
});

test("what a conversion inside of an object makes is read in both directions", async () => {
  const order = await shop.create(O1, await newOrder({}));
  const before = await shop.read(orderAt(O2, order));
  address.toOlder = () => ({ door: 10_000 });
  for (const path of [orderAt(O1, order), `/api/v1/openorders/${String(order["orderId"])}`]) {
    expectError(await shop.send("GET", path), 500, "InternalErrorMessage");
  }
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
