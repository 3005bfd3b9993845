import { expect, test } from "vitest";
import { expectSuccess } from "../../support/expect-success.js";
import { MemoryProject } from "../../support/memory-project.js";

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
  project.edit("service.yaml", "v1: draft", "v1: draft, v2: draft");
  project.write(
    "resources/v1/relics.yaml",
    V1.replace("orders", "relics").replace("order", "relic"),
  );
  project.write("resources/v2/orders.yaml", "resource: orders\nsameAs: v1\n");
  expect(await steps(project)).toEqual(["make the table relics"]);
  project.edit("service.yaml", "v1: draft", "v1: retired");
  expect(await steps(project)).toEqual(["keep the table relics, which nothing uses any more"]);
});
