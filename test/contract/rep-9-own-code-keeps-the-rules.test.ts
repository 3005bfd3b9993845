import { expect, test } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import type { EntityStore } from "#runtime/store/entity-store";
import { customCode, type Values } from "./support/custom-code.js";
import type { Json } from "./support/client.js";
import { expectError, resultsOf } from "./support/errors.js";
import { BADGES, FULL_WIDGET, MISSING, newBadge, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";
import { logOf, startProcess } from "./support/service-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const ORDERS = "/api/v1/orders";
const CONSIGNMENTS = "/api/v1/consignments";
const service = await startService("contract");
const widgets = await customCode("widgets");
const badges = await customCode("badges");
const orders = await customCode("orders");
const consignments = await customCode("consignments");

const countOf = async (path: string) => (await service.read(path))["itemCount"];
const missing = undefined as unknown as Json;

test.each<{ name: string; write: Values }>([
  { name: "a sum of floats", write: { price: String(0.1 + 0.2) } },
  { name: "a number for a decimal", write: { price: 12.5 } },
  { name: "NaN", write: { size: Number.NaN } },
  { name: "a value out of bounds", write: { size: 1_000_001 } },
  { name: "a text that is too long", write: { name: "x".repeat(65) } },
  { name: "a required property that is null", write: { name: null } },
  { name: "another value than the enum's", write: { status: "sold" } },
  { name: "a time in another form", write: { startDate: "2026-02-28" } },
  { name: "a list of too many", write: { tags: Array.from({ length: 11 }, (_, at) => `t${at}`) } },
  { name: "a list with null in it", write: { tags: [null] } },
  { name: "an object of the wrong shape", write: { deliveryAddress: { place: { floor: "2" } } } },
  { name: "a property that there is not", write: { colour: "red" } },
])("$name that a hook writes is a 500, and nothing is stored", async ({ write }) => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  const before = await countOf(WIDGETS);
  widgets.beforeCreate = (widget) => void Object.assign(widget, write);
  widgets.beforeUpdate = (next) => ({ ...next, ...write });
  const body = { name: "drill" };
  expectError(await service.send("POST", WIDGETS, { body }), 500, "InternalErrorMessage");
  const path = pathOf(WIDGETS, made);
  expectError(await service.send("PATCH", path, { body }), 500, "InternalErrorMessage");
  delete widgets.beforeUpdate;
  expect(await service.read(path)).toEqual(made);
  expect(await countOf(WIDGETS)).toBe(before);
});

test("what a hook writes gets the one form of a value", async () => {
  widgets.beforeCreate = (widget) => ({
    ...widget,
    tags: null,
    parts: missing,
    note: "",
    price: "012.5",
    batch: "0190A0A0-1111-7000-8000-000000000000",
    deliveryAddress: { state: " ", city: missing, place: null },
  });
  const made = await service.create(WIDGETS, { name: "drill", tags: ["a"], note: "x" });
  expect(made).toMatchObject({
    tags: [],
    parts: [],
    note: null,
    price: "12.50",
    batch: "0190a0a0-1111-7000-8000-000000000000",
    deliveryAddress: { state: null, city: null, place: null },
  });
  expect(await service.read(pathOf(WIDGETS, made))).toEqual(made);
  expect(resultsOf(await service.read(`${WIDGETS}?sort=-createdDate`))[0]).toEqual(made);
});

test("a hook writes what clients only read, and cannot change what is set for good", async () => {
  badges.beforeCreate = (badge) => void (badge["score"] = 7);
  const made = await service.create(BADGES, { ...newBadge("r9-1"), origin: "north" });
  expect(made["score"]).toBe(7);
  badges.beforeUpdate = (next) => void (next["score"] = "8");
  const path = pathOf(BADGES, made);
  expectError(
    await service.send("PATCH", path, { body: { level: 2 } }),
    500,
    "InternalErrorMessage",
  );
  badges.beforeUpdate = (next) => void (next["origin"] = "south");
  expectError(
    await service.send("PATCH", path, { body: { level: 2 } }),
    500,
    "InternalErrorMessage",
  );
  badges.beforeUpdate = (next) => void (next["score"] = 8);
  const changed = await service.send("PATCH", path, { body: { level: 2 } });
  expect(changed.json).toMatchObject({ score: 8, level: 2, origin: "north" });
});

test("a hook makes no transition that the states do not allow", async () => {
  const made = await service.create(ORDERS, { label: "a" });
  const path = pathOf(ORDERS, made);
  const patch = async (body: Values) => service.send("PATCH", path, { body });
  orders.beforeCreate = (order) => void (order["status"] = "shipped");
  const created = await service.send("POST", ORDERS, { body: { label: "b" } });
  expectError(created, 500, "InternalErrorMessage");
  orders.beforeUpdate = (next) => void (next["status"] = "shipped");
  expectError(await patch({ label: "b" }), 500, "InternalErrorMessage");
  orders.beforeUpdate = (next) => void (next["status"] = "cancelled");
  expect((await patch({ label: "b" })).json).toMatchObject({ label: "b", status: "cancelled" });
  // In this state nobody changes anything else.
  orders.beforeUpdate = (next) => void (next["label"] = "c");
  expectError(await patch({}), 500, "InternalErrorMessage");
});

test("a reference that a hook writes leads somewhere, and embeds what is there", async () => {
  const { depotId = "" } = await service.create("/api/v1/depots", { name: "north" });
  const other = await service.create("/api/v1/depots", { name: "south" });
  const post = async () =>
    service.send("POST", CONSIGNMENTS, { body: { depot: { depotId }, stops: [{ depotId }] } });
  consignments.beforeCreate = (one) => ({ ...one, depot: { depotId: MISSING } });
  expectError(await post(), 500, "InternalErrorMessage");
  consignments.beforeCreate = (one) => ({ ...one, stops: [{ depotId: MISSING }] });
  expectError(await post(), 500, "InternalErrorMessage");
  consignments.beforeCreate = (one) => ({
    ...one,
    depot: { depotId: other["depotId"] ?? "", name: "made up" },
    merchant: { merchantId: MISSING, name: "made up" },
  });
  const { json: made } = await post();
  expect(made).toMatchObject({
    depot: { depotId: other["depotId"], name: "south" },
    merchant: { merchantId: MISSING, name: null },
    stops: [{ depotId }],
  });
  expect(await service.read(pathOf(CONSIGNMENTS, made))).toEqual(made);
});

test("what a hook gives to a store is read as well", async () => {
  type Widgets = { readonly widgets: EntityStore<never, Values> };
  const writing = (write: Values) => {
    badges.beforeCreate = (_: Values, context: Context) => {
      const { stores } = context as Context<Widgets>;
      const { entity, steps } = stores.widgets.insertion({ ...FULL_WIDGET, ...write }, context);
      context.add(...steps);
      return { ..._, score: Object.keys(entity).length };
    };
  };
  const before = Number(await countOf(WIDGETS));
  writing({ size: -1 });
  const refused = await service.send("POST", BADGES, { body: newBadge("r9-2") });
  expectError(refused, 500, "InternalErrorMessage");
  expect(await countOf(WIDGETS)).toBe(before);
  writing({ note: "", tags: null });
  await service.create(BADGES, newBadge("r9-2"));
  const [made] = resultsOf(await service.read(`${WIDGETS}?sort=-createdDate&pageSize=1`));
  expect(made).toMatchObject({ note: null, tags: [], size: FULL_WIDGET.size });
});

test("what complete supplies is held to the rules, and null where it is not", async () => {
  const { depotId = "" } = await service.create("/api/v1/depots", { name: "east" });
  const body = { depot: { depotId }, merchant: { merchantId: MISSING } };
  const nameOf = ({ merchant }: Values) => (merchant as unknown as Values)["name"];
  const supplying = (name: unknown) => {
    consignments.complete = (all) => {
      for (const one of all) Object.assign(Object(one["merchant"]), { name });
    };
  };
  for (const [name, shown] of [
    ["Harbour", "Harbour"],
    ["", null],
    [undefined, null],
    [12, null],
    ["x".repeat(10_001), null],
  ]) {
    supplying(name);
    const made = await service.create(CONSIGNMENTS, body);
    const path = pathOf(CONSIGNMENTS, made);
    expect(nameOf(made)).toBe(shown);
    expect(nameOf(await service.read(path))).toBe(shown);
    const list = resultsOf(await service.read(`${CONSIGNMENTS}?sort=-createdDate&pageSize=1`));
    expect(list.map(nameOf)).toEqual([shown]);
  }
});

test("the log names the hook, the property and the fault", async () => {
  const { ready, child, ended } = startProcess(temporaryFolder());
  const client = await ready;
  const answer = await client.send("POST", WIDGETS, { body: { name: "careless" } });
  const { description } = expectError(answer, 500, "InternalErrorMessage");
  child.kill("SIGTERM");
  const { output } = await ended;
  const lines = logOf(output).filter(({ msg }) => msg === "request failed");
  expect(lines).toMatchObject([
    {
      err: {
        type: "OwnCodeFault",
        code: "beforeCreate of widgets",
        fields: [
          {
            field: "size",
            message: "must be a whole number between -9007199254740991 and 9007199254740991",
          },
          { field: "price", message: "must have at most 2 fraction digits, and has 17" },
        ],
      },
    },
  ]);
  expect(description).toContain(String(lines[0]?.["requestId"]));
});
