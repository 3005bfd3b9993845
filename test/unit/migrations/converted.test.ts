import { expect, test } from "vitest";
import { MemoryProject, told } from "../../support/memory-project.js";

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

test("what is converted inside of an object is made of what was there", async () => {
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
  expect(result.diagnostics).toEqual([]);
  expect(result.ok ? result.value.migration?.steps : null).toEqual([
    "add merchants.hours.hour",
    "add merchants.hours.minute",
    "make merchants.hours.hour, minute of merchants.hours.opensAt, by merchantsHoursV1ToV2",
  ]);
});

test("what is converted in a newer version is made of what was there; what comes to it later is not", async () => {
  const project = new MemoryProject({
    "service.yaml": "service: shop\nversions: { v1: draft }\n",
    "resources/v1/merchants.yaml": V1,
  });
  await project.generate();
  project.write("service.yaml", "service: shop\nversions: { v1: draft, v2: draft }\n");
  project.write("resources/v2/merchants.yaml", V2);
  const result = await project.generate();
  expect(result.diagnostics).toEqual([]);
  expect(result.ok ? result.value.migration?.steps : null).toEqual([
    "add merchants.openingHour",
    "add merchants.openingMinute",
    'add merchants.fee, "150" in the rows that exist',
    "make merchants.openingHour, openingMinute, fee of merchants.opensAt, by merchantsV1ToV2",
  ]);
  project.write("resources/v2/merchants.yaml", `${V2}  zone: { type: string, converted: true }\n`);
  const later = await project.generate();
  expect(later.diagnostics.map(({ code, severity, message }) => [code, severity, message])).toEqual(
    [
      [
        "SCH-179",
        "warning",
        expect.stringContaining('converted to opensAt before "zone" was added'),
      ],
    ],
  );
});

const MADE = "code: { type: integer, converted: true }";

function orders(properties: string): string {
  return `resource: orders\nentity: order\nproperties: { ${properties} }\n`;
}

/** A service with a size and a kind, and a second version with these properties. */
async function declared(newer: string): Promise<MemoryProject> {
  const project = new MemoryProject({
    "service.yaml": "service: shop\nversions: { v1: draft }\n",
    "resources/v1/orders.yaml": orders("size: integer, kind: integer"),
  });
  await project.generate();
  project.write("service.yaml", "service: shop\nversions: { v1: draft, v2: draft }\n");
  project.write("resources/v2/orders.yaml", orders(newer));
  expect(told(await project.generate())).toBe("");
  return project;
}

async function stepsOf(project: MemoryProject): Promise<readonly string[] | null> {
  const result = await project.generate();
  expect(told(result)).toBe("");
  return result.ok ? (result.value.migration?.steps ?? null) : null;
}

test("a conversion is taken back: what it was made of has never gone", async () => {
  const project = await declared(`kind: integer, ${MADE}`);
  const removed = "removed: { code: not asked for }\n";
  project.write("resources/v2/orders.yaml", orders("kind: integer, size: integer") + removed);
  expect(await stepsOf(project)).toEqual(["keep orders.code, which nothing uses any more"]);
});

test("a version that is retired takes its form of the properties with it, and gets it back filled", async () => {
  const project = await declared(`kind: integer, ${MADE}`);
  project.write("service.yaml", "service: shop\nversions: { v1: retired, v2: draft }\n");
  expect(await stepsOf(project)).toEqual(["keep orders.size, which nothing uses any more"]);
  project.write("service.yaml", "service: shop\nversions: { v1: draft, v2: draft }\n");
  expect(await stepsOf(project)).toEqual([
    "use orders.size again",
    "make orders.size of orders.code, by ordersV1ToV2",
  ]);
});

test.each([
  {
    what: "another property goes after the rows were converted",
    first: `kind: integer, ${MADE}`,
    then: MADE,
    why: /^"kind" goes now, and "code", which custom code makes of it,/,
  },
  {
    what: "what was renamed is converted",
    first: "kind: integer, code: { type: integer, renamedFrom: size }",
    then: `kind: integer, ${MADE}`,
    why: /^"code" holds what "size" was in existing rows/,
  },
  {
    what: "what was converted is renamed",
    first: `kind: integer, ${MADE}`,
    then: "kind: integer, code: { type: integer, renamedFrom: size }",
    why: /^"code" was made of "size" by custom code in existing rows/,
  },
])("$what: refused, and can be squashed", async ({ first, then, why }) => {
  const project = await declared(first);
  project.write("resources/v2/orders.yaml", orders(then));
  const result = await project.generate();
  expect(result.diagnostics.map(({ code, suggestion }) => [code, suggestion])).toEqual([
    ["SCH-433", expect.stringMatching(why)],
  ]);
});

test("a migration finds its functions when the resource has another name", async () => {
  const named = (name: string, entity: string, rest: string): string =>
    `resource: ${name}\nentity: ${entity}\n${rest}\n`;
  const project = new MemoryProject({
    "service.yaml": "service: shop\nversions: { v1: draft, v2: draft, v3: draft }\n",
    "resources/v1/orders.yaml": named("orders", "order", "properties: { size: integer }"),
    "resources/v2/orders.yaml": named(
      "orders",
      "order",
      "properties: { millimetres: { type: integer, converted: true } }",
    ),
    "resources/v3/deals.yaml": named(
      "deals",
      "order",
      "renamedFrom: orders\nproperties: { millimetres: integer }",
    ),
  });
  expect(told(await project.generate())).toBe("");
  expect(project.read("src/generated/app.ts")).toContain(
    "convert: rowConverter({ dealsV1ToV2, ordersV1ToV2: dealsV1ToV2 }),",
  );
});
