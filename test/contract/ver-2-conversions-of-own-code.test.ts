import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { serviceFolder } from "../support/service-folders.js";
import type { JsonObject } from "./support/client.js";
import type { Values } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { startService } from "./support/service.js";

/** What the service's own code converts: the minutes of v1, and the hour, minute and language of v2. */
interface Pair {
  toNewer: (older: Values) => Values;
  toOlder: (newer: Values) => Values;
}

const V1 = "/api/v1/customers";
const V2 = "/api/v2/customers";
const shop = await startService("versions");
const path = join(serviceFolder("versions"), "src/custom/conversions/customers-v1-to-v2.ts");
const { customersV1ToV2: pair } = (await import(path)) as { readonly customersV1ToV2: Pair };
const own = { ...pair };
let made = 0;

afterEach(() => void Object.assign(pair, own));

const newCustomer = (changes: JsonObject): JsonObject => {
  made += 1;
  return { name: "Ada", email: `own${made}@example.com`, ...changes };
};
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
