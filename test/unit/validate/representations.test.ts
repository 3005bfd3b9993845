import { expect, test } from "vitest";
import { checkProject, codes, type Checked } from "./check-project.js";

const ORDERS = `resource: orders
entity: order
properties:
  status: { enum: [placed, packed], filterable: true, sortable: true }
  label: { type: string, required: true, default: none }
  tags: { type: array, items: string }
  deliveryAddress: { type: object, properties: { state: { type: string, sortable: true }, city: string } }
  lines: { type: array, items: { type: object, properties: { amount: integer } } }
`;

/** What is said of a representation `openorders` of orders. */
async function check(more: string, orders = ORDERS): Promise<Checked> {
  return checkProject({
    "service.yaml": "service: helpdesk\n",
    "resources/v1/orders.yaml": orders,
    "resources/v1/openorders.yaml": `resource: openorders\nrepresents: orders\n${more}`,
  });
}

test.each([
  ["a list of the original's names", "properties: [status, label, lines]"],
  ["names of its own", "properties: { step: status, shipTo: deliveryAddress, marks: tags }"],
  ["a required property with a default left out", "properties: [status]"],
  ["a filter by what it does not show", "properties: [label]\nwhere: { status: packed }"],
  [
    "an alias by its own names",
    "properties: { shipTo: deliveryAddress }\naliases: { near: { where: { shipTo.city: Rome }, sort: [-shipTo.state] } }",
  ],
  [
    "operations, paging, counting and access of its own",
    "properties: [label]\noperations: [list]\npaging: { defaultSize: 5 }\ncount: none\naccess: { read: [anyone] }",
  ],
])("a representation may have %s", async (_what, more) => {
  expect(codes(await check(more))).toEqual([]);
});

test.each([
  ["nothing to show", "description: x", ["1:1 SCH-9"], "properties"],
  ["an empty list", "properties: []", ["3:13 SCH-125"], ""],
  ["a name twice", "properties: [label, label]", ["3:21 SCH-30"], ""],
  ["a property declared anew", "properties: { label: { type: string } }", ["3:22 SCH-8"], ""],
  ["an unknown property", "properties: [lable]", ["3:14 SCH-57"], '"label"'],
  ["a nested one", "properties: { state: deliveryAddress.state }", ["3:22 SCH-57"], ""],
  ["one property twice", "properties: { a: label, b: label }", ["3:28 SCH-58"], "Keep one"],
  ["a name that is not camelCase", "properties: { Label: label }", ["3:15 NAM-2"], '"label"'],
  ["a list that is no plural", "properties: { mark: tags }", ["3:15 NAM-3"], '"marks"'],
  ["the identifier", "properties: { orderId: label }", ["3:15 ENT-3"], ""],
  ["a common field", "properties: { createdDate: label }", ["3:15 ENT-3"], ""],
  ["a reserved name", "properties: { sort: label }", ["3:15 SCH-119"], ""],
  ["states", "properties: [label]\nstates: 1", ["4:9 SCH-8"], ""],
  ["an entity", "entity: openOrder\nproperties: [label]", ["3:1 SCH-56"], "Remove it"],
  [
    "a filter by its own name",
    "properties: { step: status }\nwhere: { step: placed }",
    ["4:10 SCH-83"],
    'calls it "status"',
  ],
  [
    "an alias by the original's name",
    "properties: { step: status }\naliases: { a: { where: { status: placed } } }",
    ["4:26 SCH-83"],
    "",
  ],
  [
    "an alias by what it does not show",
    "properties: [label]\naliases: { a: { where: { status: placed } } }",
    ["4:26 SCH-83"],
    "",
  ],
])("a representation has no %s", async (_what, more, want, suggestion) => {
  const checked = await check(more);
  expect(codes(checked)).toEqual(want);
  expect(checked.diagnostics[0]?.suggestion ?? "").toContain(suggestion);
});

test.each([
  ["a required property", "label: { type: string, required: true }", ["1:11 SCH-60"]],
  [
    "a list that is never empty",
    "labels: { type: array, items: string, minItems: 1 }",
    ["1:11 SCH-60"],
  ],
  ["a property that may be null", "label: string", []],
  ["what the service's own code writes", "label: { type: string, readOnly: true }", []],
])("a create that can not say it: %s", async (_what, property, want) => {
  const orders = `resource: orders\nentity: order\nproperties:\n  shown: string\n  ${property}\n`;
  expect(codes(await check("properties: [shown]", orders))).toEqual(want);
  const without = "properties: [shown]\noperations: [list, read, replace, update, delete]";
  expect(codes(await check(without, orders))).toEqual([]);
});

test("what has a parent is represented without create, and with its parent", async () => {
  const orders =
    "resource: orders\nentity: order\nparent: customers\nproperties: { label: string }\n";
  const customers = "resource: customers\nentity: customer\nproperties: { title: string }\n";
  const checked = async (more: string): Promise<Checked> =>
    checkProject({
      "service.yaml": "service: helpdesk\n",
      "resources/v1/customers.yaml": customers,
      "resources/v1/orders.yaml": orders,
      "resources/v1/openorders.yaml": `resource: openorders\nrepresents: orders\n${more}`,
    });
  const shown =
    "properties: { buyer: customer, label: label }\nwhere: { customer.customerId: null }";
  expect(codes(await checked(shown))).toEqual(["1:11 SCH-59"]);
  expect(codes(await checked(`${shown}\noperations: [list, read, replace, update]`))).toEqual([]);
});

test("a state that is not shown is the initial one in what is created", async () => {
  const states =
    "states: { property: status, initial: placed, transitions: { placed: [packed], packed: [] } }";
  const required = ORDERS.replace(
    "enum: [placed, packed]",
    "enum: [placed, packed], required: true",
  );
  expect(codes(await check("properties: [label]", `${required}${states}\n`))).toEqual([]);
});

test.each([
  ["openorders", "orders", "openOrder"],
  ["purchases", "orders", "purchase"],
])("%s of %s takes the type name of an entity %s", async (name, original, entity) => {
  const other = `resource: ${entity.toLowerCase()}notes\nentity: ${entity}Page\nproperties: { text: string }\n`;
  const checked = await checkProject({
    "service.yaml": `service: helpdesk\ninflections: { ${entity}Page: ${entity.toLowerCase()}notes }\n`,
    "resources/v1/orders.yaml": ORDERS,
    [`resources/v1/${name}.yaml`]: `resource: ${name}\nrepresents: ${original}\nproperties: [label]\n`,
    [`resources/v1/${entity.toLowerCase()}notes.yaml`]: other,
  });
  expect(codes(checked).join()).toContain("SCH-19");
});
