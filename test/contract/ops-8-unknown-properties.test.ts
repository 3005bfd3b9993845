import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectFields } from "./support/errors.js";
import { FULL_WIDGET, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));

/** What is sent beside the required name, the field that it offends, and the name to suggest. */
const UNKNOWN: readonly [JsonObject, string, string | null][] = [
  [{ sizes: 1 }, "sizes", "size"],
  [{ Size: 1 }, "Size", "size"],
  [{ pin_code: "1234" }, "pin_code", "pinCode"],
  [{ zzzzzzzz: null }, "zzzzzzzz", null],
  [{ "": 1 }, "", null],
  [{ isAdmin: true }, "isAdmin", null],
  [{ deliveryAddress: { stat: "x" } }, "deliveryAddress.stat", "state"],
  [{ deliveryAddress: { name: "x" } }, "deliveryAddress.name", null],
  [{ deliveryAddress: { place: { flor: 1 } } }, "deliveryAddress.place.flor", "floor"],
  [{ parts: [{ label: "a" }, { label: "b", amont: 1 }] }, "parts[1].amont", "amount"],
  [{ constructor: 1 }, "constructor", null],
  [{ "deliveryAddress.state": "x" }, "deliveryAddress.state", null],
  // Common fields are the entity's own: inside a nested object they are like any other name.
  [{ deliveryAddress: { createdDate: null } }, "deliveryAddress.createdDate", null],
];

test.each(UNKNOWN)("POST: %o is refused because of %s", async (part, field, near) => {
  const answer = await service.send("POST", WIDGETS, { body: { name: "drill", ...part } });
  expectSuggestion(expectFields(answer, field)[field], near);
});

test.each(UNKNOWN)("PUT: %o is refused because of %s", async (part, field, near) => {
  const answer = await service.send("PUT", path, { body: { ...FULL_WIDGET, ...part } });
  expectSuggestion(expectFields(answer, field)[field], near);
});

test.each(UNKNOWN)("PATCH: %o is refused because of %s", async (part, field, near) => {
  const answer = await service.send("PATCH", path, { body: part });
  expectSuggestion(expectFields(answer, field)[field], near);
});

test("every unknown property is named, beside everything else that is wrong", async () => {
  const body = { sise: 1, weigth: 2, deliveryAddress: { citty: "x" }, size: "big" };
  const answer = await service.send("POST", WIDGETS, { body });
  expectFields(answer, "sise", "weigth", "deliveryAddress.citty", "size", "name");
});

test("a name that would reach a prototype is a name like any other", async () => {
  const headers = { "content-type": "application/json" };
  for (const name of ["__proto__", "\\u005f_proto__"]) {
    const body = `{"name":"drill","${name}":{"size":1}}`;
    expectFields(await service.send("POST", WIDGETS, { body, headers }), "__proto__");
  }
  const nested = `{"name":"drill","deliveryAddress":{"__proto__":{"state":"x"}}}`;
  const answer = await service.send("POST", WIDGETS, { body: nested, headers });
  expectFields(answer, "deliveryAddress.__proto__");
});

test("the names of the schema and those that the service writes are all known", async () => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  const again = await service.send("POST", WIDGETS, { body: made });
  expect(again.status, again.text).toBe(201);
});

function expectSuggestion(message: string | undefined, near: string | null): void {
  if (near === null) expect(message).not.toMatch(/did you mean/i);
  else expect(message).toContain(`"${near}"`);
}
