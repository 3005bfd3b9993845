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
`;

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
  ]);
  expect(result.ok ? result.value.migration?.steps : null).toEqual([
    "add merchants.openingHour",
    "add merchants.openingMinute",
    "keep merchants.opensAt, which nothing uses any more",
  ]);
});
