import { expect, test } from "vitest";
import { identity } from "../../../src/model/projection.js";
import { modelOf, resourceIn, SECURED } from "./model-of.js";

const ORDERS = `resource: orders
entity: order
properties:
  status: { enum: [placed, sent], filterable: true, required: true }
  address: { type: object, properties: { city: { type: string, sortable: true } } }
`;
const OPEN = `resource: openorders
represents: orders
where: { status: placed }
properties: { shipTo: address, step: status }
`;

test("a resource that keeps its names shows its whole entity", async () => {
  const orders = resourceIn(await modelOf({ orders: ORDERS }), "orders");
  expect(orders).toMatchObject({ isRepresentation: false, conditions: [], parent: null });
  expect(orders.projection).toEqual(identity(orders.entity.properties));
  expect(orders.properties).toEqual(orders.entity.properties);
});

test("a representation is a projection: names of its own, in the order of its file", async () => {
  const model = await modelOf({ orders: ORDERS, openorders: OPEN });
  const open = resourceIn(model, "openorders");
  expect(open).toMatchObject({
    isRepresentation: true,
    name: { plural: "openorders", singular: "openOrder", idProperty: "orderId" },
    path: "/api/v1/openorders",
    conditions: [{ kind: "comparison", path: "status", comparison: "anyOf", values: ["placed"] }],
    projection: [
      { property: "shipTo", storedPath: "address" },
      { property: "step", storedPath: "status" },
    ],
    properties: [
      {
        name: "shipTo",
        path: "shipTo",
        type: { typeName: "OrderAddress", properties: [{ name: "city", path: "shipTo.city" }] },
      },
      { name: "step", path: "step", filterable: true, type: { typeName: "OrderStatus" } },
    ],
  });
});

test("an alias knows what its conditions and sorts are stored as", async () => {
  const more = "aliases: { sentones: { where: { step: sent }, sort: [-shipTo.city] } }\n";
  const model = await modelOf({ orders: ORDERS, openorders: OPEN + more });
  expect(resourceIn(model, "openorders").aliases).toMatchObject([
    {
      name: "sentones",
      path: "/api/v1/openorders/sentones",
      conditions: [{ path: "status", values: ["sent"] }],
      sort: [{ path: "shipTo.city", storedPath: "address.city", descending: true }],
    },
  ]);
});

test.each([
  {
    name: "nothing",
    given: "",
    want: {
      operations: ["create", "list", "read", "replace", "update", "delete"],
      paging: { defaultSize: 20, maximumSize: 100 },
      counted: true,
      isMatchRequired: false,
    },
  },
  {
    name: "operations, which stand in the order of routes",
    given: "operations: [delete, create]",
    want: { operations: ["create", "delete"] },
  },
  {
    name: "a maximum below the default size, which pulls that down",
    given: "paging: { maximumSize: 5 }",
    want: { paging: { defaultSize: 5, maximumSize: 5 } },
  },
  {
    name: "no count, and If-Match",
    given: "count: none\nifMatch: required",
    want: { counted: false, isMatchRequired: true },
  },
])("a resource that says $name", async ({ given, want }) => {
  expect(resourceIn(await modelOf({ orders: ORDERS + given }), "orders")).toMatchObject(want);
});

test.each([
  { name: "says nothing", own: "", want: true },
  { name: "says otherwise", own: "ifMatch: optional\n", want: false },
])("a representation that $name demands If-Match as its original does", async ({ own, want }) => {
  const orders = `${ORDERS}ifMatch: required\n`;
  const model = await modelOf({ orders, openorders: OPEN + own });
  expect(resourceIn(model, "openorders").isMatchRequired).toBe(want);
});

const BOXES = "resource: boxes\nentity: box\nparent: orders\nproperties: { title: string }\n";

test("a child names its parent first among its properties, for good, and stands under it", async () => {
  const boxes = resourceIn(await modelOf({ orders: ORDERS, boxes: BOXES }), "boxes");
  expect(boxes.parent).toMatchObject({ path: "/api/v1/orders", property: "order" });
  expect(boxes.properties[0]).toMatchObject({
    name: "order",
    nullable: false,
    immutable: true,
    filterable: true,
    type: { kind: "reference", isParent: true },
  });
});

test("a representation of children stands at the root alone, and no path names the parent there", async () => {
  const tops =
    "resource: topboxes\nrepresents: boxes\noperations: [read]\nproperties: [title, order]\n";
  const model = await modelOf({ orders: ORDERS, boxes: BOXES, topboxes: tops });
  const found = resourceIn(model, "topboxes");
  expect(found.parent).toBeNull();
  expect(found.properties[1]?.type).toMatchObject({ kind: "reference", isParent: false });
});

const ANYONE = ["anyone"];
const NAMED = ["authenticated"];

test.each([
  {
    name: "nobody has a name",
    service: "service: shop\n",
    own: "",
    want: { read: ANYONE, create: ANYONE, update: ANYONE, delete: ANYONE },
  },
  {
    name: "nothing is said",
    service: SECURED,
    own: "",
    want: { read: NAMED, create: NAMED, update: NAMED, delete: NAMED },
  },
  {
    name: "something is said",
    service: SECURED,
    own: "access: { read: [anyone], delete: [role:clerk, owner] }\n",
    want: { read: ANYONE, create: NAMED, update: NAMED, delete: ["role:clerk", "owner"] },
  },
])("access where $name", async ({ service, own, want }) => {
  const model = await modelOf({ orders: ORDERS + own }, service);
  expect(resourceIn(model, "orders").access).toEqual(want);
});

test("what own code gives of a parent is asked of the parent by its child", async () => {
  const orders = `${ORDERS}access: { read: [custom, role:clerk], update: [custom] }\n`;
  const boxes = `${BOXES}access: { create: [parent] }\n`;
  const model = await modelOf({ orders, boxes }, SECURED);
  expect(resourceIn(model, "boxes").access).toEqual({
    read: ["parent:custom", "role:clerk"],
    create: ["parent:custom"],
    update: NAMED,
    delete: NAMED,
  });
  const scoped = model.entities.map(({ name, isScoped, isScopedByParent, isFilteredByCreator }) => [
    name.plural,
    isScoped,
    isScopedByParent,
    isFilteredByCreator,
  ]);
  expect(scoped).toEqual([
    ["boxes", false, true, false],
    ["orders", true, false, true],
  ]);
});

test("an action is as the schema says, and else as follows from the resource", async () => {
  const states =
    "states: { property: status, initial: placed, transitions: { placed: [sent], sent: [] } }\n";
  const actions = `actions:
  send: { leadsTo: sent }
  note: { input: { text: string }, answers: nothing, access: [owner] }
  total: { on: collection, answers: { sum: integer } }
  sweep: { on: collection }
`;
  const access = "access: { update: [role:clerk] }\n";
  const model = await modelOf({ orders: ORDERS + states + actions + access }, SECURED);
  const told = resourceIn(model, "orders").actions.map((action) => ({
    at: action.path.replace("/api/v1/orders", ""),
    input: action.input.properties.map(({ name }) => name),
    answers: action.answers,
    states: action.states,
    leadsTo: action.leadsTo,
    access: action.access,
  }));
  const usual = { input: [], states: null, leadsTo: null };
  expect(told).toEqual([
    {
      ...usual,
      at: "/{orderId}/send",
      answers: "entity",
      states: ["placed"],
      leadsTo: "sent",
      access: ["role:clerk"],
    },
    { ...usual, at: "/{orderId}/note", answers: "nothing", input: ["text"], access: ["owner"] },
    { ...usual, at: "/total", answers: "object", access: NAMED },
    { ...usual, at: "/sweep", answers: "nothing", access: NAMED },
  ]);
});

test("a child is read by whoever reads its parent, and `parent` is what that grants", async () => {
  const orders = `${ORDERS}access: { read: [owner, role:clerk], update: [owner] }\n`;
  const boxes = `${BOXES}access: { create: [parent], delete: [parent, role:clerk] }\n`;
  const model = await modelOf({ orders, boxes }, SECURED);
  expect(resourceIn(model, "boxes").access).toEqual({
    read: ["parent:owner", "role:clerk"],
    create: ["parent:owner"],
    update: NAMED,
    delete: ["authenticated", "role:clerk"],
  });
});

test("today is a day only where days are compared, and a window of a date is two bounds", async () => {
  const model = await modelOf({
    tasks: `resource: tasks
entity: task
properties:
  status: { enum: [today, later] }
  note: string
  due: { type: string, format: date }
  freeDays: { type: array, items: { type: string, format: date } }
aliases:
  some:
    where: { status: today, note: today, freeDays: [today, null], due: { within: 30d } }
    sort: [createdDate]
`,
  });
  const today = { timeZone: "UTC", isDate: true };
  const [alias] = resourceIn(model, "tasks").aliases;
  expect(alias?.conditions).toMatchObject([
    { path: "status", values: ["today"], relative: null },
    { path: "note", values: ["today"], relative: null },
    { path: "freeDays", values: [], orNull: true, contains: true, relative: { days: [0] } },
    { path: "due", comparison: "atLeast", relative: { ...today, days: [-30] } },
    { path: "due", comparison: "atMost", relative: { ...today, days: [0] } },
  ]);
});
