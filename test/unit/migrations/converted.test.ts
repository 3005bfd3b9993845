import { expect, test } from "vitest";
import { MemoryProject } from "../../support/memory-project.js";

const V1 = `resource: merchants
entity: merchant
properties: { name: string, opensAt: { type: integer, minimum: 0, maximum: 1439 } }
`;
const V2 = `resource: merchants
entity: merchant
properties:
  name: string
  openingHour: { type: integer, converted: true }
  openingMinute: { type: integer, converted: true }
  fee: { type: decimal, scale: 2, required: true, default: "1.50", converted: true }
`;

const INSIDE = (properties: string): string => `resource: merchants
entity: merchant
properties:
  name: string
  hours: { type: object, properties: { note: string, ${properties} } }
`;

test("what is converted inside of an object keeps its values as well", async () => {
  const project = new MemoryProject({
    "service.yaml": "service: shop\nversions: { v1: draft }\n",
    "resources/v1/merchants.yaml": INSIDE("opensAt: integer"),
  });
  await project.generate();
  project.write("service.yaml", "service: shop\nversions: { v1: draft, v2: draft }\n");
  const newer =
    "hour: { type: integer, converted: true }, minute: { type: integer, converted: true }";
  project.write("resources/v2/merchants.yaml", INSIDE(newer));
  const result = await project.generate();
  const from = "have hours.opensAt, and";
  expect(result.diagnostics.map(({ code, message }) => [code, message.includes(from)])).toEqual([
    ["SCH-179", true],
    ["SCH-179", true],
  ]);
  expect(result.ok ? result.value.migration?.steps : null).toEqual([
    "add merchants.hours.hour",
    "add merchants.hours.minute",
    "keep merchants.hours.opensAt, which nothing uses any more",
  ]);
});

test("what is converted in a newer version keeps its values, for a migration that reads them", async () => {
  const project = new MemoryProject({
    "service.yaml": "service: shop\nversions: { v1: draft }\n",
    "resources/v1/merchants.yaml": V1,
  });
  await project.generate();
  project.write("service.yaml", "service: shop\nversions: { v1: draft, v2: draft }\n");
  project.write("resources/v2/merchants.yaml", V2);
  const result = await project.generate();
  expect(result.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    "warning SCH-179",
    "warning SCH-179",
    "warning SCH-179",
  ]);
  const [hour, , fee] = result.diagnostics.map(({ message }) => message);
  expect(hour).toContain('have opensAt, and "openingHour" is null in them');
  expect(fee).toContain('have opensAt, and "fee" is 1.50 in them');
  expect(result.ok ? result.value.migration?.steps : null).toEqual([
    "add merchants.openingHour",
    "add merchants.openingMinute",
    'add merchants.fee, "150" in the rows that exist',
    "keep merchants.opensAt, which nothing uses any more",
  ]);
});
