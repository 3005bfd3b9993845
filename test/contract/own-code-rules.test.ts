import { expect, test, vi } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import { apiErrorClass, customCode, type Values } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { FULL_WIDGET, MISSING, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const BOOKINGS = "/api/v1/bookings";
const OPEN_BOOKINGS = "/api/v1/openbookings";
const CONSIGNMENTS = "/api/v1/consignments";
const service = await startService("contract", { ownErrors: true });
const widgets = await customCode("widgets");
const bookings = await customCode("bookings");
const consignments = await customCode("consignments");
const ApiError = await apiErrorClass();

const countOf = async (path: string) => (await service.read(path))["itemCount"];

test("problems of business rules are told with those of the schema, in one 400", async () => {
  widgets.validate = (next, stored, problems) => {
    if (Number(next["size"]) > 10) problems.add("size", "is over what fits");
    if (stored === null) problems.add("tags[1]", "is not for new ones");
  };
  const body = { name: "", size: 11, tags: ["a", "b"], colour: "red" };
  const { fields } = expectError(
    await service.send("POST", WIDGETS, { body }),
    400,
    "ValidationFailedMessage",
  );
  expect(fields).toEqual([
    { field: "colour", message: "is not known" },
    { field: "name", message: "must not be empty" },
    { field: "size", message: "is over what fits" },
    { field: "tags[1]", message: "is not for new ones" },
  ]);
});

test("rules are asked for an update as well, but not for one that changes nothing", async () => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  const path = pathOf(WIDGETS, made);
  const asked: unknown[] = [];
  widgets.validate = async (next, stored, problems) => {
    asked.push([next["size"], stored?.["size"]]);
    await Promise.resolve();
    problems.add("size", "cannot be changed on a Sunday");
  };
  const refused = await service.send("PATCH", path, { body: { size: 13 } });
  const { fields } = expectError(refused, 400, "ValidationFailedMessage");
  expect(fields).toEqual([{ field: "size", message: "cannot be changed on a Sunday" }]);
  expect((await service.send("PUT", path, { body: made })).status).toBe(200);
  expect(asked).toEqual([[13, 12]]);
  expect(await service.read(path)).toEqual(made);
});

test("a rule that looks at a property which the schema refuses ends there; the others are asked", async () => {
  widgets.validate = [
    (next, _stored, problems) => {
      problems.add("note", "is told before");
      // Nothing that could be looked at was sent.
      problems.add("email", `depends on ${String(next["size"])}`);
    },
    (_next, _stored, problems) => problems.add("pinCode", "is known to everybody"),
  ];
  const answer = await service.send("POST", WIDGETS, { body: { name: "a", size: "many" } });
  const { fields } = expectError(answer, 400, "ValidationFailedMessage");
  expect(fields?.map(({ field }) => field)).toEqual(["size", "note", "pinCode"]);
});

test("problems are told in the names of the resource that was called", async () => {
  bookings.validate = (_next, _stored, problems) => {
    problems.add("label", "is taken by a rule");
    problems.add("address.state", "is too far");
  };
  const told = async (path: string, body: Values) => {
    const answer = await service.send("POST", path, { body });
    const { fields } = expectError(answer, 400, "ValidationFailedMessage");
    return fields?.map(({ field }) => field);
  };
  expect(await told(BOOKINGS, { label: "a" })).toEqual(["label", "address.state"]);
  expect(await told(OPEN_BOOKINGS, { label: "a" })).toEqual(["label", "shipTo.state"]);
  delete bookings.validate;
  bookings.beforeCreate = () => {
    const fields = [{ field: "price", message: "is not ours" }];
    throw new ApiError(400, "ValidationFailedMessage", "The request is not valid.", { fields });
  };
  expect(await told(BOOKINGS, { label: "a" })).toEqual(["price"]);
  expect(await told(OPEN_BOOKINGS, { label: "a" })).toEqual(["fee"]);
});

test("problems inside of objects and lists are told in the names of the version", async () => {
  const versions = await startService("versions");
  const orders = await customCode("orders", "versions");
  orders.validate = (_next, _stored, problems) => {
    const inside = ["shippingAddress.postalCode", "shippingAddress.country", "lines[1].article"];
    for (const path of inside) problems.add(path, "is refused by a rule");
    problems.add("lines[0].engraving", "is refused by a rule");
  };
  const customer = await versions.create("/api/v2/customers", {
    fullName: "Ada",
    email: "ada@example.com",
  });
  const body = { customer: { customerId: customer["customerId"] ?? null } };
  const told = async (version: string) => {
    const answer = await versions.send("POST", `/api/${version}/orders`, { body });
    const { fields } = expectError(answer, 400, "ValidationFailedMessage");
    return fields?.map(({ field }) => field);
  };
  const stored = ["shippingAddress.postalCode", "shippingAddress.country", "lines[1].article"];
  expect(await told("v2")).toEqual([...stored, "lines[0].engraving"]);
  const shown = ["deliveryAddress.zip", "deliveryAddress.country", "lines[1].sku"];
  expect(await told("v1")).toEqual([...shown, "lines[0].engraving"]);
});

test("an external service that fails leaves null, and the write stands", async () => {
  const { depotId = "" } = await service.create("/api/v1/depots", { name: "north" });
  consignments.complete = async () => {
    await Promise.resolve();
    throw new Error("the merchants' service is down");
  };
  const body = { depot: { depotId }, merchant: { merchantId: MISSING } };
  const made = await service.create(CONSIGNMENTS, body);
  expect(made["merchant"]).toEqual({ merchantId: MISSING, name: null });
  const path = pathOf(CONSIGNMENTS, made);
  expect(await service.read(path)).toEqual(made);
  const changed = await service.send("PATCH", path, { body: { label: "x" } });
  expect([changed.status, changed.json["label"]]).toEqual([200, "x"]);
  const headers = { "idempotency-key": "complete-fails" };
  const keyed = await service.send("POST", CONSIGNMENTS, { body, headers });
  expect(keyed.status).toBe(201);
});

test("add throws where there is no transaction", async () => {
  const thrown: string[] = [];
  const attempt = (context: Context): void => {
    try {
      context.add({ sql: `DELETE FROM "logs"`, values: [] });
    } catch (error) {
      thrown.push(String(error));
    }
  };
  const made = await service.create(WIDGETS, FULL_WIDGET);
  Object.assign(widgets, {
    authorize: (operation: string, _: unknown, context: Context) => {
      if (operation === "read") attempt(context);
    },
    complete: (_: unknown, context: Context) => attempt(context),
    afterCommit: (_: unknown, context: Context) => attempt(context),
  });
  await service.read(pathOf(WIDGETS, made));
  expect(thrown).toHaveLength(2);
  await service.send("PATCH", pathOf(WIDGETS, made), { body: { size: 1 } });
  await vi.waitFor(() => expect(thrown).toHaveLength(4));
  for (const text of thrown) expect(text).toContain("context.add: there is no transaction here");
});

test("afterCommit does not hold the answer up", async () => {
  let release = (): void => undefined;
  let hasEnded = false;
  widgets.afterCommit = async () => {
    await new Promise<void>((resolve) => (release = resolve));
    hasEnded = true;
  };
  const before = Number(await countOf(WIDGETS));
  const made = await service.send("POST", WIDGETS, { body: { name: "drill" } });
  expect([made.status, hasEnded]).toEqual([201, false]);
  expect(await countOf(WIDGETS)).toBe(before + 1);
  release();
  await vi.waitFor(() => expect(hasEnded).toBe(true));
});

test("a service that stops waits for afterCommit", async () => {
  const other = await startService("contract");
  let hasEnded = false;
  widgets.afterCommit = async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    hasEnded = true;
  };
  await other.create(WIDGETS, { name: "drill" });
  expect(hasEnded).toBe(false);
  await other.close();
  expect(hasEnded).toBe(true);
});
