import { expect, test } from "vitest";
import { expectFields } from "./support/errors.js";
import { FULL_CRATE } from "./support/full-bodies.js";
import { propertiesOf, valuesNamed } from "./support/names.js";
import { expectRefusal, printed } from "./support/refusal.js";
import { newBadge, FULL_WIDGET } from "./support/samples.js";
import { startService } from "./support/service.js";

const CAMEL_CASE = /^[a-z][a-zA-Z0-9]*$/;
const service = await startService();

test("camelCase names are accepted at every depth", async () => {
  const nested = "{ type: object, properties: { postCode: string, line2: string } }";
  expect(await printed(`firstName: string\nx: string\naddress: ${nested}`)).toBe("");
});

test.each([
  { given: "first_name: string", at: "4:3", marked: "first_name", suggestion: "firstName" },
  { given: "FirstName: string", at: "4:3", marked: "FirstName", suggestion: "firstName" },
  { given: "first-name: string", at: "4:3", marked: "first-name", suggestion: "firstName" },
  {
    given: "address: { type: object, properties: { post_code: string } }",
    at: "4:42",
    marked: "post_code",
    suggestion: "postCode",
  },
  {
    given:
      "address: { type: object, properties: { place: { type: object, properties: { Floor: integer } } } }",
    at: "4:79",
    marked: "Floor",
    suggestion: "floor",
  },
  {
    given: "parts: { type: array, items: { type: object, properties: { part_name: string } } }",
    at: "4:62",
    marked: "part_name",
    suggestion: "partName",
  },
])("$marked is refused, and $suggestion suggested", async ({ given, at, marked, suggestion }) => {
  const place = `resources/v1/tickets.yaml:${at}`;
  await expectRefusal(given, { place, code: "NAM-2", marked, suggestion });
});

test("every property that is answered is camelCase, at every depth", async () => {
  await service.create("/api/v1/crates", FULL_CRATE);
  await service.create("/api/v1/widgets", FULL_WIDGET);
  await service.create("/api/v1/badges", newBadge("one"));
  for (const path of ["/api/v1/crates", "/api/v1/widgets", "/api/v1/badges"]) {
    const names = propertiesOf(await service.read(path)).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !CAMEL_CASE.test(name))).toEqual([]);
  }
});

test("every property of an error is camelCase", async () => {
  const answer = await service.send("POST", "/api/v1/widgets", { body: { parts: [{}] } });
  expectFields(answer, "name", "parts[0].label");
  const names = propertiesOf(answer.json).map(({ name }) => name);
  expect(names.filter((name) => !CAMEL_CASE.test(name))).toEqual([]);
});

const HEADERS = ["If-Match", "If-None-Match", "Idempotency-Key"];

test("every query parameter is camelCase, or such names joined by dots", async () => {
  // Those that several operations have stand among the components.
  const names = valuesNamed(await service.read("/api/v1/openapi.json"), "parameters")
    .flatMap((parameters) => valuesNamed(parameters, "name"))
    .map(String);
  expect(names).toEqual(expect.arrayContaining(["pageSize", "startDate", "deliveryAddress.state"]));
  for (const name of names.filter((name) => !HEADERS.includes(name))) {
    for (const part of name.split(".")) expect(part).toMatch(CAMEL_CASE);
  }
});

test.each(["start_date", "StartDate", "page_size", "delivery_address.state"])(
  "no other spelling is a parameter: %s",
  async (name) => {
    expectFields(await service.send("GET", `/api/v1/widgets?${name}=1`), name);
  },
);

test("no other spelling is a property", async () => {
  const body = { name: "drill", start_date: null, deliveryAddress: { State: "NSW" } };
  const answer = await service.send("POST", "/api/v1/widgets", { body });
  const messages = expectFields(answer, "start_date", "deliveryAddress.State");
  expect(messages["start_date"]).toContain('"startDate"');
  expect(messages["deliveryAddress.State"]).toContain('"state"');
});
