import { expect, test } from "vitest";
import { normalise } from "../../../src/model/normalise.js";
import type { ResourceYaml } from "../../../src/validate/resource-document.js";
import { entityIn, modelOf, resourceIn, SECURED, ticketsWith, treeOf } from "./model-of.js";

const ORDERS = "resource: orders\nentity: order\nproperties: { title: string, number: string }\n";

test("an entity is what one file keeps, whatever represents it", async () => {
  const model = await modelOf({
    orders: ORDERS,
    openorders: "resource: openorders\nrepresents: orders\nproperties: { label: title }\n",
  });
  expect(model.entities.map(({ name }) => name.plural)).toEqual(["orders"]);
  expect(resourceIn(model, "openorders").entity).toBe(entityIn(model, "orders"));
  expect(resourceIn(model, "orders").entity).toBe(entityIn(model, "orders"));
});

test("an entity has the shape of the newest version, and each resource that of its own", async () => {
  const tree = await treeOf({ orders: ORDERS, tickets: ticketsWith("title: string") });
  const properties: ResourceYaml["properties"] = { title: "string", priority: "integer" };
  const newer = tree.resources
    .filter(({ value }) => value.resource === "orders")
    .map((one) => ({
      ...one,
      version: "v2",
      value: { ...one.value, properties, removed: { number: "nobody counts" } },
    }));
  const model = normalise({ ...tree, resources: [...newer, ...tree.resources] });
  const names = (holder: { properties: readonly { name: string }[] }): string[] =>
    holder.properties.map(({ name }) => name);
  expect(model.versions.map(({ name }) => name)).toEqual(["v1", "v2"]);
  expect(model.entities.map(({ name }) => name.plural)).toEqual(["orders", "tickets"]);
  expect(names(entityIn(model, "orders"))).toEqual(["title", "priority", "number"]);
  expect(names(resourceIn(model, "orders", "v1"))).toEqual(["title", "number"]);
  expect(names(resourceIn(model, "orders", "v2"))).toEqual(["title", "priority"]);
});

test.each([
  { name: "nothing", given: "title: string", want: [] },
  {
    name: "what filters and sorts name",
    given: "title: { type: string, filterable: true }\nsize: { type: integer, sortable: true }",
    want: ["size", "title"],
  },
  {
    name: "leaves of an object",
    given:
      "place: { type: object, properties: { city: { type: string, filterable: true }, zip: string } }",
    want: ["place.city"],
  },
  {
    name: "the identifiers in a list of references",
    given: "others: { type: array, items: { reference: tickets }, filterable: true }",
    want: ["others.ticketId"],
  },
])("$name is compared by statements on an entity", async ({ given, want }) => {
  const model = await modelOf({ tickets: ticketsWith(given) });
  expect(entityIn(model, "tickets").queried).toEqual(want);
});

test("what conditions name is compared as well, whichever resource they are of", async () => {
  const model = await modelOf({
    orders: `${ORDERS}aliases: { dull: { where: { number: x, createdDate: { within: 1d } } } }\n`,
    openorders: `resource: openorders
represents: orders
where: { title: open }
properties: { label: title }
aliases: { plain: { where: { label: { not: x } } } }
`,
  });
  expect(entityIn(model, "orders").queried).toEqual(["createdDate", "number", "title"]);
});

const SHIPMENTS = `resource: shipments
entity: shipment
parent: orders
properties:
  carrier: { reference: users, required: true, embed: [name] }
  depots: { type: array, items: { reference: depots } }
  next: { reference: shipments, onDelete: setNull }
  merchant: { reference: merchants, external: true, entity: merchant }
`;
const NAMED = (plural: string, entity: string): string =>
  `resource: ${plural}\nentity: ${entity}\nproperties: { name: string }\n`;
const FLEET = {
  orders: ORDERS,
  shipments: SHIPMENTS,
  users: NAMED("users", "user"),
  depots: NAMED("depots", "depot"),
};

test.each([
  {
    plural: "users",
    want: [{ property: "carrier", isLinked: false, isRequired: true, onDelete: "refuse" }],
  },
  { plural: "depots", want: [{ property: "depots", isLinked: true, isRequired: false }] },
  {
    plural: "shipments",
    want: [{ property: "next", isLinked: false, isRequired: false, onDelete: "setNull" }],
  },
  // A child is deleted with its parent, and keeps it from nothing.
  { plural: "orders", want: [] },
])("those that refer to $plural are told", async ({ plural, want }) => {
  const { referrers } = entityIn(await modelOf(FLEET), plural);
  expect(referrers).toHaveLength(want.length);
  for (const [index, one] of want.entries()) {
    expect(referrers[index]).toMatchObject({ name: { plural: "shipments" }, ...one });
  }
});

test("a child is among those of its parent, with those that refer to it", async () => {
  const [child, ...others] = entityIn(await modelOf(FLEET), "orders").children;
  expect(others).toEqual([]);
  expect(child).toMatchObject({
    name: { plural: "shipments" },
    property: "order",
    states: null,
    isGuarded: false,
    isTold: true,
    referrers: [{ name: { plural: "shipments" }, property: "next" }],
  });
});

test("a child goes after those of its siblings that refer to it", async () => {
  const child = (plural: string, entity: string, more: string): string =>
    `resource: ${plural}\nentity: ${entity}\nparent: orders\nproperties: { ${more} }\n`;
  const model = await modelOf({
    orders: ORDERS,
    boxes: child("boxes", "box", "label: string"),
    labels: child("labels", "label", "box: { reference: boxes, required: true }"),
    pallets: child("pallets", "pallet", "label: { reference: labels }"),
  });
  const names = entityIn(model, "orders").children.map(({ name }) => name.plural);
  expect(names).toEqual(["pallets", "labels", "boxes"]);
});

const BOXES = "resource: boxes\nentity: box\nparent: orders\nproperties: { title: string }\n";

test.each([
  { name: "what anybody may delete", orders: "", boxes: "", guarded: false, told: true },
  {
    name: "a child that only clerks may delete",
    orders: "",
    boxes: "access: { delete: [role:clerk] }",
    guarded: true,
    told: true,
  },
  {
    name: "a child that goes with its parent",
    orders: "",
    boxes: "access: { delete: [role:clerk, parent] }",
    guarded: false,
    told: true,
  },
  {
    name: "a child that only clerks may read",
    orders: "",
    boxes: "access: { read: [role:clerk] }",
    guarded: true,
    told: false,
  },
  {
    name: "a child of what only clerks may delete",
    orders: "access: { delete: [role:clerk] }",
    boxes: "access: { read: [role:clerk], delete: [role:clerk] }",
    guarded: false,
    told: true,
  },
])("the deletion of a parent asks and tells of $name", async ({ orders, boxes, guarded, told }) => {
  const model = await modelOf(
    { orders: `${ORDERS}${orders}\n`, boxes: `${BOXES}${boxes}\n` },
    SECURED,
  );
  const [child] = entityIn(model, "orders").children;
  expect(child).toMatchObject({ isGuarded: guarded, isTold: told });
  const { guardedChildren } = resourceIn(model, "orders");
  expect(guardedChildren.map(({ plural }) => plural)).toEqual(guarded ? ["boxes"] : []);
});

test("a parent that nobody can delete asks for the right to no child", async () => {
  const boxes = `${BOXES}access: { delete: [role:clerk] }\n`;
  const model = await modelOf({ orders: `${ORDERS}operations: [list]\n`, boxes }, SECURED);
  expect(resourceIn(model, "orders").guardedChildren).toEqual([]);
  expect(entityIn(model, "orders").children[0]?.isGuarded).toBe(false);
});

test.each([
  { name: "anybody reads", access: "{}", creator: false, parentCreator: false },
  { name: "creators read", access: "{ read: [owner] }", creator: true, parentCreator: false },
  {
    name: "creators change",
    access: "{ update: [owner], delete: [owner] }",
    creator: false,
    parentCreator: false,
  },
  {
    name: "creators of the parent delete",
    access: "{ delete: [parent] }",
    creator: false,
    parentCreator: true,
  },
])("an entity that $name is asked for who created it, or not", async (given) => {
  const orders = `${ORDERS}access: { delete: [owner] }\n`;
  const boxes = `${BOXES}access: ${given.access}\n`;
  const model = await modelOf({ orders, boxes }, SECURED);
  expect(entityIn(model, "boxes")).toMatchObject({
    isFilteredByCreator: given.creator,
    ownerships: given.parentCreator ? ["parent:owner"] : [],
  });
});
