import { expect, test } from "vitest";
import { expectError } from "./support/errors.js";
import { expectRefusal, printed } from "./support/refusal.js";
import { startService } from "./support/service.js";

const service = await startService();

function resource(name: string, entity: string): Readonly<Record<string, string>> {
  const text = `resource: ${name}\nentity: ${entity}\nproperties: { title: string }\n`;
  return { [`resources/v1/${name}.yaml`]: text };
}

test.each([
  { name: "tickets", entity: "ticket" },
  { name: "shippingfees", entity: "shippingFee" },
  { name: "communicationmethods", entity: "communicationMethod" },
  { name: "statuses", entity: "status" },
])("$name is accepted", async ({ name, entity }) => {
  expect(await printed(resource(name, entity))).toBe("");
});

test.each([
  { name: "shipping_fees", entity: "shippingFee", suggestion: "shippingfees" },
  { name: "shipping-fees", entity: "shippingFee", suggestion: "shippingfees" },
  { name: "shippingFees", entity: "shippingFee", suggestion: "shippingfees" },
  { name: "Tickets", entity: "ticket", suggestion: "tickets" },
  { name: "ticket", entity: "ticket", suggestion: "tickets" },
  { name: "status", entity: "status", suggestion: "statuses" },
])("$name is refused, and $suggestion suggested", async ({ name, entity, suggestion }) => {
  const place = `resources/v1/${name}.yaml:1:11`;
  await expectRefusal(resource(name, entity), { place, code: "NAM-1", marked: name, suggestion });
});

test("a plural that no library knows is accepted once service.yaml says so", async () => {
  const files = resource("luggage", "luggage");
  expect(await printed(files)).toContain("NAM-1");
  const taught = { "service.yaml": "service: helpdesk\ninflections: { luggage: luggage }\n" };
  expect(await printed({ ...files, ...taught })).toBe("");
});

test("every path that is served begins with a lower-case name without separators", async () => {
  const { paths } = await service.read("/api/v1/openapi.json");
  const names = Object.keys(paths ?? {}).map((path) => path.split("/")[1]);
  expect(names).toEqual(expect.arrayContaining(["badges", "crates", "shippingfees", "widgets"]));
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9]*$/);
});

test.each(["Widgets", "WIDGETS", "widget", "shippingFees", "shipping_fees", "shipping-fees"])(
  "no other spelling is served: %s",
  async (name) => {
    expectError(await service.send("GET", `/api/v1/${name}`), 404, "PathNotFoundMessage");
  },
);
