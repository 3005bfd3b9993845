import { expect, test } from "vitest";
import { renderValid, type Texts } from "../../support/render-files.js";
import { SECURED } from "../model/model-of.js";

const USERS = "resource: users\nentity: user\nproperties: { name: string }\n";
const ORDERS = `resource: orders
entity: order
properties:
  title: { type: string, unique: true, maxLength: 80 }
  user: { reference: users }
  status: { enum: [placed, sent] }
`;

/** What the routes of `orders`, or of another resource, say. */
async function routesOf(resources: Texts, { service = "service: shop\n", plural = "orders" } = {}) {
  const all = Object.entries({ users: USERS, ...resources }).map(([name, text]) => [
    `resources/v1/${name}.yaml`,
    text,
  ]);
  const { outputs } = await renderValid({
    "service.yaml": service,
    ...(Object.fromEntries(all) as Texts),
  });
  const path = `src/generated/v1/${plural}/${plural}.controller.ts`;
  return outputs.find((file) => file.path === path)?.text ?? "";
}

test.each([
  {
    name: "a resource without rules",
    given: { orders: ORDERS },
    want: "new EntityRepository(entities.orders, { shape: orderShape });",
  },
  {
    name: "one that demands If-Match",
    given: { orders: `${ORDERS}ifMatch: required\n` },
    want: 'ifMatch: "required",\n    shape: orderShape,',
  },
  {
    name: "one that embeds values of others",
    given: { orders: ORDERS.replace("reference: users", "reference: users, embed: [name]") },
    want: "new EntityRepository(entities.orders);",
  },
  {
    name: "one whose bodies refer to others",
    given: { orders: ORDERS },
    want: "    references: entities.orders.references,\n",
  },
])("$name makes its controller of what it needs", async ({ given, want }) => {
  expect(await routesOf(given)).toContain(want);
});

test("a resource that reads no body looks up no reference", async () => {
  const routes = await routesOf({ orders: `${ORDERS}operations: [list, read]\n` });
  expect(routes).not.toContain("references");
});

test("rules of access are asked by routes, by the repository, and by references to what is not open", async () => {
  const users = `${USERS}access: { read: [role:clerk] }\n`;
  const routes = await routesOf({ orders: ORDERS, users }, { service: SECURED });
  expect(routes.split("access: orderAccess,\n")).toHaveLength(3);
  expect(routes).toContain("guardedBy(entities.orders.references, { user: userAccess })");
  expect(routes).toContain('import { userAccess } from "../users/users.access.js";');
});

test("a parent asks for the right to the children that not everybody may delete", async () => {
  const boxes =
    "resource: boxes\nentity: box\nparent: orders\nproperties: { label: string }\naccess: { delete: [role:clerk] }\n";
  const routes = await routesOf({ orders: ORDERS, boxes }, { service: SECURED });
  expect(routes).toContain("children: guardChildren({ boxes: boxAccess })");
  expect(routes).toContain('import { boxAccess } from "../boxes/boxes.access.js";');
});

test.each([
  { name: "all references under their names", shown: "[title, user]", want: [false, false] },
  {
    name: "a reference under another name",
    shown: "{ title: title, by: user }",
    want: [true, true],
  },
  {
    name: "a unique property under another name",
    shown: "{ label: title, user: user }",
    want: [false, true],
  },
])("a representation that shows $name says what differs", async ({ shown, want }) => {
  const open = `resource: openorders\nrepresents: orders\nproperties: ${shown}\n`;
  const routes = await routesOf({ orders: ORDERS, openorders: open }, { plural: "openorders" });
  expect([
    routes.includes("renamedBy(entities.orders.references, openOrderReferenceNames)"),
    routes.includes("names: openOrderNames"),
  ]).toEqual(want);
  expect(routes).toContain("new EntityRepository(entities.orders");
});

test("a method of a known path that is not offered has no handler, and the path stays", async () => {
  const routes = await routesOf({ users: `${USERS}operations: [list]\n` }, { plural: "users" });
  expect(routes).toContain('    operations: ["list"],\n');
});
