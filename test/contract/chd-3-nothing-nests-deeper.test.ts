import { expect, test } from "vitest";
import { newConvoy, under } from "./support/convoys.js";
import { expectError } from "./support/errors.js";
import { expectRefusal, printed } from "./support/refusal.js";
import { startService } from "./support/service.js";

const service = await startService();

/** A resource file with these lines after its name. */
function resource(plural: string, entity: string, more = ""): Readonly<Record<string, string>> {
  const text = `resource: ${plural}\nentity: ${entity}\nproperties: { title: string }\n${more}`;
  return { [`resources/v1/${plural}.yaml`]: text };
}

const ORDERS = resource("orders", "order");
const SHIPMENTS = resource("shipments", "shipment", "parent: orders\n");
const PARCELS_OF = (parent: string) => resource("parcels", "parcel", `parent: ${parent}\n`);
const PLACE = "resources/v1/parcels.yaml:4:9";

test("a child of a resource is accepted, and so is a second one", async () => {
  expect(await printed({ ...ORDERS, ...SHIPMENTS, ...PARCELS_OF("orders") })).toBe("");
});

test("a child of a child is accepted, and a circle of parents is not", async () => {
  const files = { ...ORDERS, ...SHIPMENTS, ...PARCELS_OF("shipments") };
  expect(await printed(files)).toBe("");
  const orders = resource("orders", "order", "parent: parcels\n");
  const told = await printed({ ...files, ...orders });
  expect(told.match(/error {2}[A-Z]+-\d+/g)).toEqual(Array(3).fill("error  CHD-3"));
  expect(told).toContain("parcels, shipments, orders, parcels");
});

test("a parent that there is not is refused, and the nearest one suggested", async () => {
  const refusal = { place: PLACE, code: "SCH-38", marked: "order", suggestion: "orders" };
  await expectRefusal({ ...ORDERS, ...PARCELS_OF("order") }, refusal);
});

test("a resource is no child of itself", async () => {
  expect(await printed(PARCELS_OF("parcels"))).toContain("error  SCH-62");
});

test("the name of the parent's entity is that of the reference to it, and nothing else's", async () => {
  const declared = (order: string) => ({
    ...ORDERS,
    ...resource("parcels", "parcel", "parent: orders\n"),
    "resources/v1/parcels.yaml": `resource: parcels\nentity: parcel\nparent: orders\nproperties:\n  order: ${order}\n`,
  });
  expect(await printed(declared("{ reference: orders, embed: [title] }"))).toBe("");
  for (const wrong of [
    "string",
    "{ reference: parcels }",
    "{ reference: orders, onDelete: setNull }",
    "{ reference: orders, readOnly: true }",
  ]) {
    expect(await printed(declared(wrong)), wrong).toMatch(/error {2}SCH-6[34]/);
  }
});

test("an alias of the parent is not called like its children", async () => {
  const orders = resource("orders", "order", "aliases: { shipments: { where: { title: a } } }\n");
  expect(await printed({ ...orders, ...SHIPMENTS })).toContain("error  SCH-65");
});

test("a parent and its child that demand each other are refused: nobody could create the first", async () => {
  const orders =
    "resource: orders\nentity: order\nproperties: { main: { reference: shipments, required: true } }\n";
  const text = await printed({ ...SHIPMENTS, "resources/v1/orders.yaml": orders });
  expect(text).toContain("resources/v1/orders.yaml:3:34  error  SCH-54");
});

test("the service has no path below a child", async () => {
  const { convoy, wagons } = await newConvoy(service, 1);
  const path = `${under(convoy)}/${String(wagons[0]?.["wagonId"])}`;
  for (const below of [path, `${path}/seals`]) {
    expectError(await service.send("GET", below), 404, "PathNotFoundMessage");
  }
});
