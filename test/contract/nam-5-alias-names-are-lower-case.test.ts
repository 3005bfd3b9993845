import { expect, test } from "vitest";
import { expectError, resultsOf } from "./support/errors.js";
import { expectRefusal, printed } from "./support/refusal.js";
import { startService } from "./support/service.js";

const service = await startService();

function withAlias(name: string): Readonly<Record<string, string>> {
  const head = "resource: tickets\nentity: ticket\nproperties: { title: string }\n";
  return { "resources/v1/tickets.yaml": `${head}aliases:\n  ${name}: { where: { title: a } }\n` };
}

test.each(["recentlyclosed", "top10"])("an alias may be called %s", async (name) => {
  expect(await printed(withAlias(name))).toBe("");
});

test.each([
  { name: "recently_closed", suggestion: "recentlyclosed" },
  { name: "recently-closed", suggestion: "recentlyclosed" },
  { name: "recentlyClosed", suggestion: "recentlyclosed" },
])("an alias $name is refused, and $suggestion suggested", async ({ name, suggestion }) => {
  const place = "resources/v1/tickets.yaml:5:3";
  await expectRefusal(withAlias(name), { place, code: "NAM-5", marked: name, suggestion });
});

test.each([
  { name: "open_orders", suggestion: "openorders" },
  { name: "openOrders", suggestion: "openorders" },
])("a representation $name is refused, and $suggestion suggested", async (refused) => {
  const { name, suggestion } = refused;
  const orders = "resource: orders\nentity: order\nproperties: { title: string }\n";
  const open = `resource: ${name}\nrepresents: orders\nproperties: [title]\n`;
  const files = { "resources/v1/orders.yaml": orders, [`resources/v1/${name}.yaml`]: open };
  const text = await printed(files);
  expect(text).toMatch(new RegExp(`^resources/v1/${name}\\.yaml:1:11 {2}error {2}NAM-5$`, "m"));
  expect(text).toContain(`"${suggestion}"`);
});

test("an action handOut is refused, and handout suggested", async () => {
  const head = "resource: tools\nentity: tool\nproperties: { title: string }\n";
  const withAction = (name: string): Readonly<Record<string, string>> => {
    return { "resources/v1/tools.yaml": `${head}actions:\n  ${name}: {}\n` };
  };
  const place = "resources/v1/tools.yaml:5:3";
  const told = { place, code: "NAM-5", marked: "handOut", suggestion: "handout" };
  await expectRefusal(withAction("handOut"), told);
  expect(await printed(withAction("handout"))).toBe("");
});

test("a property that is called as an alias would be is none of this rule's business", async () => {
  expect(await printed("recentlyClosed: boolean")).toBe("");
});

test("every alias that is served has such a name, and no other spelling is served", async () => {
  const { paths = {} } = await service.read("/api/v1/openapi.json");
  // A collection has actions there as well, which nobody reads (OPS-11).
  const aliases = Object.entries(paths ?? {})
    .filter(([path, item]) => /^\/[^/]+\/[^/{]+$/.test(path) && "get" in Object(item))
    .map(([path]) => path);
  expect(aliases).toContain("/tickets/recentlyclosed");
  for (const path of aliases) {
    expect(path).toMatch(/^\/[a-z][a-z0-9]*\/[a-z][a-z0-9]*$/);
    expect(resultsOf(await service.read(`/api/v1${path}`))).toEqual([]);
  }
  for (const name of ["recentlyClosed", "recently-closed", "RECENTLYCLOSED"]) {
    const answer = await service.send("GET", `/api/v1/tickets/${name}`);
    expectError(answer, 404, "TicketNotFoundMessage");
  }
});
