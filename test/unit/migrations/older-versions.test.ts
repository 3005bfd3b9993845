import { expect, test } from "vitest";
import { generate } from "../../../src/commands/generate.js";
import { expectSuccess } from "../../support/expect-success.js";
import { codesOf, MemoryProject, told } from "../../support/memory-project.js";

/** A file of orders with these properties, and other keys. */
function orders(properties: string, others = ""): string {
  return `resource: orders\nentity: order\nproperties:\n${properties}${others}`;
}

const V1 = orders(
  "  fax: string\n  box: { type: object, properties: { lid: string, knob: string } }\n",
);

async function steps(project: MemoryProject): Promise<readonly string[]> {
  return expectSuccess(await project.generate()).migration?.steps ?? [];
}

/** A project of one version whose first migration is made. */
async function first(): Promise<MemoryProject> {
  const project = new MemoryProject({
    "service.yaml": "service: shop\nversions: { v1: draft }\n",
    "resources/v1/orders.yaml": V1,
  });
  await steps(project);
  return project;
}

test("what a newer version has removed stays as long as a served version shows it", async () => {
  const project = await first();
  project.edit("service.yaml", "v1: draft", "v1: draft, v2: draft");
  project.write(
    "resources/v2/orders.yaml",
    orders(
      "  crate: { type: object, renamedFrom: box, properties: { lid: string } }\n",
      "removed: { fax: nobody sends faxes, box.knob: it fell off }\n",
    ),
  );
  expect(await steps(project)).toEqual(["rename orders.box to crate"]);
  project.edit("service.yaml", "v1: draft", "v1: retired");
  expect(await steps(project)).toEqual([
    "keep orders.crate.knob, which nothing uses any more",
    "keep orders.fax, which nothing uses any more",
  ]);
});

test("what any version has removed is gone when no served version shows it", async () => {
  const project = await first();
  project.edit("service.yaml", "v1: draft", "v1: draft, v2: draft, v3: draft");
  const box = "  box: { type: object, properties: { lid: string, knob: string } }\n";
  project.write("resources/v2/orders.yaml", orders(box, "removed: { fax: nobody sends faxes }\n"));
  project.write("resources/v3/orders.yaml", orders(box));
  expect(await steps(project)).toEqual([]);
  project.edit("service.yaml", "v1: draft", "v1: retired");
  expect(await steps(project)).toEqual(["keep orders.fax, which nothing uses any more"]);
});

test("a property that was renamed in each of two versions keeps its values where both come at once", async () => {
  const project = await first();
  project.edit("service.yaml", "v1: draft", "v1: draft, v2: draft, v3: draft");
  const versions = [
    { version: "v2", fax: "telefax", from: "fax" },
    { version: "v3", fax: "telecopy", from: "telefax" },
  ];
  for (const { version, fax, from } of versions) {
    const text = V1.replace("fax: string", `${fax}: { type: string, renamedFrom: ${from} }`);
    project.write(`resources/${version}/orders.yaml`, text);
  }
  expect(await steps(project)).toEqual(["rename orders.fax to telecopy"]);
});

test("a resource of a retired version alone is kept, and nothing uses it any more", async () => {
  const project = await first();
  const removed = "{ status: draft, removed: { relics: nobody keeps them } }";
  project.edit("service.yaml", "v1: draft", `v1: draft, v2: ${removed}`);
  project.write(
    "resources/v1/relics.yaml",
    V1.replace("orders", "relics").replace("order", "relic"),
  );
  project.write("resources/v2/orders.yaml", "resource: orders\nsameAs: v1\n");
  expect(await steps(project)).toEqual(["make the table relics"]);
  project.edit("service.yaml", "v1: draft", "v1: retired");
  expect(await steps(project)).toEqual(["keep the table relics, which nothing uses any more"]);
});

const RENAMED_AGAIN: readonly { name: string; newer: string; removed?: string; want: string[] }[] =
  [
    {
      name: "renamed once more",
      newer: "  cable: { type: string, renamedFrom: fax }\n  box: BOX\n",
      want: ["rename orders.telefax to cable"],
    },
    {
      name: "called as in the older version",
      newer: "  fax: string\n  box: BOX\n",
      want: ["rename orders.telefax to fax"],
    },
    {
      name: "removed instead",
      newer: "  box: BOX\n",
      removed: "removed: { fax: nobody sends faxes }\n",
      want: ["rename orders.telefax to fax"],
    },
    {
      name: "renamed inside of what has another name as well",
      newer: `  telefax: { type: string, renamedFrom: fax }
  chest:
    { type: object, renamedFrom: box, properties: { cover: { type: string, renamedFrom: lid }, knob: string } }
`,
      want: ["rename orders.crate to chest", "rename orders.chest.top to cover"],
    },
  ];

test.each(RENAMED_AGAIN)(
  "a draft's new name of a property, which is in a migration, can be another one: $name",
  async ({ newer, removed = "", want }) => {
    const project = await first();
    const crate =
      "{ type: object, renamedFrom: box, properties: { top: { type: string, renamedFrom: lid }, knob: string } }";
    project.edit("service.yaml", "v1: draft", "v1: draft, v2: draft");
    project.write(
      "resources/v2/orders.yaml",
      orders(`  telefax: { type: string, renamedFrom: fax }\n  crate: ${crate}\n`),
    );
    expect(await steps(project)).toEqual([
      "rename orders.fax to telefax",
      "rename orders.box to crate",
      "rename orders.crate.lid to top",
    ]);
    const properties = newer.replace("  box: BOX\n", `  crate: ${crate}\n`);
    project.write("resources/v2/orders.yaml", orders(properties, removed));
    expect(await steps(project)).toEqual(want);
    expect(await steps(project)).toEqual([]);
  },
);

test("a name that nothing ever had is told, and so is one whose property is removed", async () => {
  const project = await first();
  project.edit("service.yaml", "v1: draft", "v1: draft, v2: draft");
  const newer = V1.replace("fax: string", "telefax: { type: string, renamedFrom: fax }");
  project.write("resources/v2/orders.yaml", newer);
  await steps(project);
  const removed = "removed: { telefax: nobody sends faxes }\n";
  project.write("resources/v2/orders.yaml", newer.replace("telefax:", "cable:") + removed);
  expect(codesOf(await project.generate())).toEqual(["SCH-143"]);
});

test("what is new can have a name that another property or resource once had", async () => {
  const project = await first();
  project.write(
    "resources/v1/orders.yaml",
    V1.replace("fax:", "telefax:") + "renamedFrom: sales\n",
  );
  project.edit(
    "resources/v1/orders.yaml",
    "telefax: string",
    "telefax: { type: string, renamedFrom: fax }",
  );
  expect(await steps(project)).toEqual(["rename orders.fax to telefax"]);
  project.edit(
    "resources/v1/orders.yaml",
    "telefax: { type: string, renamedFrom: fax }",
    "fax: string\n  cable: { type: string, renamedFrom: telefax }",
  );
  expect(await steps(project)).toEqual(["rename orders.telefax to cable", "add orders.fax"]);
  const deals = project
    .read("resources/v1/orders.yaml")
    .replace("resource: orders", "resource: deals");
  project.remove("resources/v1/orders.yaml");
  project.write(
    "resources/v1/deals.yaml",
    deals.replace("entity: order", "entity: deal").replace("sales", "orders"),
  );
  await steps(project);
  const trades = project
    .read("resources/v1/deals.yaml")
    .replace("resource: deals", "resource: trades");
  project.remove("resources/v1/deals.yaml");
  project.write(
    "resources/v1/trades.yaml",
    trades.replace("entity: deal", "entity: trade").replace("orders", "deals"),
  );
  project.write("resources/v1/orders.yaml", V1);
  expect((await steps(project)).filter((step) => /\btable\b/.test(step))).toEqual([
    "rename the table deals to trades",
    "make the table orders",
  ]);
});

test("a draft's new name of a resource, which is in a migration, can be another one, with the tables of its lists", async () => {
  const project = new MemoryProject({
    "service.yaml": "service: shop\nversions: { v1: draft }\n",
    "resources/v1/orders.yaml": orders("  others: { type: array, items: { reference: orders } }\n"),
  });
  await steps(project);
  project.edit("service.yaml", "v1: draft", "v1: draft, v2: draft");
  const named = (plural: string): string =>
    orders(
      `  others: { type: array, items: { reference: ${plural} } }\n`,
      "renamedFrom: orders\n",
    ).replace("resource: orders", `resource: ${plural}`);
  const moves = async (): Promise<readonly string[]> =>
    (await steps(project)).filter((step) => /\btable\b/.test(step));
  project.write("resources/v2/purchases.yaml", named("purchases"));
  expect(await moves()).toEqual([
    "rename the table orders to purchases",
    "rename the table orders_others to purchases_others",
  ]);
  project.remove("resources/v2/purchases.yaml");
  project.write("resources/v2/deals.yaml", named("deals"));
  expect(await moves()).toEqual([
    "rename the table purchases to deals",
    "rename the table purchases_others to deals_others",
  ]);
  project.remove("resources/v2/deals.yaml");
  project.write("resources/v2/orders.yaml", "resource: orders\nsameAs: v1\n");
  expect(await moves()).toEqual([
    "rename the table deals to orders",
    "rename the table deals_others to orders_others",
  ]);
});

test("a new resource that is like one that is gone is told with the migration that makes its table", async () => {
  const like = V1.replace("orders", "deals").replace("entity: order", "entity: deal");
  const project = await first();
  project.remove("resources/v1/orders.yaml");
  project.write("resources/v1/deals.yaml", like);
  const alone = await project.generate({ dryRun: true });
  expect(told(alone)).toContain(
    'The table of "deals" is new and empty, and "orders", which is gone, has the same properties: perhaps it was renamed.',
  );
  expect(alone.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    "warning SCH-360",
  ]);
  // In a newer version alone, what became of it has to be told; where it is there as well, nothing was renamed.
  project.remove("resources/v1/deals.yaml");
  project.write("resources/v1/orders.yaml", V1);
  project.edit("service.yaml", "v1: draft", "v1: draft, v2: draft");
  project.write("resources/v2/deals.yaml", like);
  expect(codesOf(await project.generate({ dryRun: true }))).toEqual(["SCH-275"]);
  project.write("resources/v2/orders.yaml", "resource: orders\nsameAs: v1\n");
  expect(codesOf(await project.generate({ dryRun: true }))).toEqual([]);
  project.remove("resources/v2/orders.yaml");
  project.write(
    "resources/v2/deals.yaml",
    `${like.replace("deal\n", "order\n")}renamedFrom: orders\n`,
  );
  expect(codesOf(await project.generate())).toEqual([]);
});

test("a new resource whose table is made already is the former one again when its migration is made anew", async () => {
  const project = await first();
  project.remove("resources/v1/orders.yaml");
  const like = V1.replace("orders", "deals").replace("entity: order", "entity: deal");
  project.write("resources/v1/deals.yaml", like);
  expect(codesOf(await project.generate())).toEqual(["SCH-360"]);
  project.write("resources/v1/deals.yaml", `${like}renamedFrom: orders\n`);
  expect(await steps(project)).toEqual([]);
  const isReleased = (name: string): boolean => name === "0001-initial";
  const squash = { force: false, dryRun: false, task: { kind: "squash", isReleased } } as const;
  const remade = expectSuccess(await generate(project.env, squash)).migration;
  expect(remade?.steps).toContain("rename the table orders to deals");
  await expect(generate(project.env, squash)).rejects.toThrow("There is nothing to fold");
});
