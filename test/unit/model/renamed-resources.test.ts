import { expect, test } from "vitest";
import { publish } from "../../../src/commands/publish.js";
import { readModel } from "../../../src/commands/read-model.js";
import type { ServiceModel } from "../../../src/model/service-model.js";
import { expectSuccess } from "../../support/expect-success.js";
import { codesOf, MemoryProject, told } from "../../support/memory-project.js";

const BUYERS = "resource: buyers\nentity: buyer\nproperties: { name: { type: string } }\n";

function orders(plural: string, former: string | null, more = ""): string {
  const said = former === null ? "" : `renamedFrom: ${former}\n`;
  return `resource: ${plural}\nentity: order\n${said}properties:\n  buyer: { reference: buyers, embed: [name] }\n  number: { type: string, maxLength: 20 }\n${more}`;
}

function lines(parent: string): string {
  return `resource: lines\nentity: line\nparent: ${parent}\nproperties: { text: string }\n`;
}

/** Orders that are purchases in v2; a child of theirs, and what they refer to. */
function twoVersions(): MemoryProject {
  return new MemoryProject({
    "service.yaml": "service: shop\nversions:\n  v1: draft\n  v2: draft\n",
    "resources/v1/buyers.yaml": BUYERS,
    "resources/v1/orders.yaml": orders("orders", null),
    "resources/v1/lines.yaml": lines("orders"),
    "resources/v2/buyers.yaml": "resource: buyers\nsameAs: v1\n",
    "resources/v2/purchases.yaml": orders("purchases", "orders"),
    "resources/v2/lines.yaml": lines("purchases"),
  });
}

async function modelOf({ env }: MemoryProject): Promise<ServiceModel> {
  return expectSuccess(await readModel(env.files, env.root)).model;
}

function namesIn({ versions }: ServiceModel): string[] {
  return versions.flatMap(({ resources }) =>
    resources.map(({ path, entity, parent }) =>
      [path, entity.name.plural, ...(parent === null ? [] : [parent.path])].join(" "),
    ),
  );
}

test("every version keeps its own paths, over one entity with the newest name", async () => {
  const model = await modelOf(twoVersions());
  expect(model.entities.map(({ name }) => name.plural)).toEqual(["buyers", "lines", "purchases"]);
  expect(namesIn(model)).toEqual([
    "/api/v1/buyers buyers",
    "/api/v1/lines lines /api/v1/orders",
    "/api/v1/orders purchases",
    "/api/v2/buyers buyers",
    "/api/v2/lines lines /api/v2/purchases",
    "/api/v2/purchases purchases",
  ]);
  expect(model.entities.map(({ history }) => history.formerPlurals)).toEqual([[], [], ["orders"]]);
});

test("a resource that is renamed twice is one", async () => {
  const made = twoVersions();
  made.edit("service.yaml", "  v2: draft\n", "  v2: draft\n  v3: draft\n");
  made.write("resources/v3/buyers.yaml", "resource: buyers\nsameAs: v1\n");
  made.write("resources/v3/deals.yaml", orders("deals", "purchases"));
  made.write("resources/v3/lines.yaml", lines("deals"));
  const model = await modelOf(made);
  expect(model.entities.map(({ name }) => name.plural)).toEqual(["buyers", "deals", "lines"]);
  expect(namesIn(model)).toContain("/api/v1/orders deals");
  expect(namesIn(model)).toContain("/api/v2/purchases deals");
  expect(model.entities[1]?.history.formerPlurals).toEqual(["purchases", "orders"]);
});

test("a new resource cannot have the old name as long as the entity has its own", async () => {
  const made = twoVersions();
  made.edit("service.yaml", "  v2: draft\n", "  v2: draft\n  v3: draft\n");
  made.write("resources/v3/buyers.yaml", "resource: buyers\nsameAs: v1\n");
  made.write("resources/v3/purchases.yaml", "resource: purchases\nsameAs: v2\n");
  made.write("resources/v3/lines.yaml", lines("purchases"));
  const ranks = "properties: { rank: integer }\n";
  made.write("resources/v3/orders.yaml", `resource: orders\nentity: order\n${ranks}`);
  expect(codesOf(await made.generate())).toEqual(["SCH-19"]);
});

test("a version that is published is as it was promised when a newer one renames", async () => {
  const made = twoVersions();
  for (const name of ["buyers", "purchases", "lines"]) made.remove(`resources/v2/${name}.yaml`);
  made.edit("service.yaml", "  v2: draft\n", "");
  expect(told(await publish(made.env, "v1"))).toBe("");
  const promised = made.read("contract/v1/orders.json");
  const two = twoVersions();
  for (const name of ["buyers", "purchases", "lines"]) {
    made.write(`resources/v2/${name}.yaml`, two.read(`resources/v2/${name}.yaml`));
  }
  made.edit("service.yaml", "  v1: published\n", "  v1: published\n  v2: draft\n");
  expect(told(await made.generate())).toBe("");
  expect(made.read("contract/v1/orders.json")).toBe(promised);
  expect(made.has("migrations/0002-rename-orders/migration.json")).toBe(true);
  expect(made.has("src/custom/purchases.ts")).toBe(true);
  expect(made.has("src/custom/orders.ts")).toBe(false);
});

test("a file of the user's own that was worked on stays, with the command that moves it", async () => {
  const made = new MemoryProject({
    "service.yaml": "service: shop\nversions: { v1: draft }\n",
    "resources/v1/buyers.yaml": BUYERS,
    "resources/v1/orders.yaml": orders("orders", null),
  });
  expect(told(await made.generate())).toBe("");
  made.write("src/custom/orders.ts", `${made.read("src/custom/orders.ts")}// mine\n`);
  made.remove("resources/v1/orders.yaml");
  made.write("resources/v1/purchases.yaml", orders("purchases", "orders"));
  const { changes } = expectSuccess(await made.generate());
  const kept = changes.flatMap((change) => (change.kind === "kept" ? [change.hint] : []));
  expect(kept).toEqual([
    expect.stringContaining("git mv -f src/custom/orders.ts src/custom/purchases.ts"),
  ]);
  expect(made.read("src/custom/orders.ts")).toContain("// mine");
});

test("a name that nobody stored anything under is refused", async () => {
  const made = new MemoryProject({
    "service.yaml": "service: shop\nversions: { v1: draft }\n",
    "resources/v1/buyers.yaml": BUYERS,
  });
  expect(told(await made.generate())).toBe("");
  made.write(
    "resources/v1/clients.yaml",
    BUYERS.replace("buyers", "clients").replace(
      "entity: buyer",
      "entity: client\nrenamedFrom: bayers",
    ),
  );
  expect(codesOf(await made.generate())).toEqual(["SCH-143"]);
});
