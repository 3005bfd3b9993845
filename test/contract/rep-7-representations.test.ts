import { beforeEach, expect, test } from "vitest";
import type { Answer, JsonObject } from "./support/client.js";
import { customCode } from "./support/custom-code.js";
import { expectError, expectFields, resultsOf } from "./support/errors.js";
import { MISSING, pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const BOOKINGS = "/api/v1/bookings";
const OPEN = "/api/v1/openbookings";
const DUE = "/api/v1/duebookings";
const LABELS = "/api/v1/bookinglabels";
const NOW = Date.parse("2026-03-10T12:00:00.000Z");
const HOUR = 3_600_000;

const clock = { now: NOW };
const service = await startService("contract", { clock: () => clock.now });
const bookings = await customCode("bookings");
const north = await service.create("/api/v1/depots", { name: "north", fee: "2.5" });
const south = await service.create("/api/v1/depots", { name: "south", fee: "1" });
const refOf = ({ depotId = "" }: JsonObject): JsonObject => ({ depotId });
const at = (hours: number): string => new Date(NOW + hours * HOUR).toISOString();

// What a PUT of an open booking must hold beside its label.
const REPLACED = ["step", "hub", "halts", "shipTo", "fee", "mark"];

const idOf = ({ bookingId }: JsonObject): JsonObject => ({ bookingId: bookingId ?? "" });
const book = async (more: JsonObject = {}) => service.create(BOOKINGS, { label: "a", ...more });
const send = async (method: string, path: string, entity: JsonObject, body?: JsonObject) =>
  service.send(method, pathOf(path, idOf(entity)), body === undefined ? {} : { body });
const stored = async (entity: JsonObject) => service.read(pathOf(BOOKINGS, idOf(entity)));
const labels = async (path: string): Promise<string> =>
  resultsOf(await service.read(path))
    .map(({ label }) => String(label))
    .join("");
const missing = (answer: Answer) => expectError(answer, 404, "BookingNotFoundMessage");

beforeEach(async () => {
  clock.now = NOW;
  for (const booking of resultsOf(await service.read(`${BOOKINGS}?pageSize=100`))) {
    await send("DELETE", BOOKINGS, booking);
  }
});

test("the same object has its own names here, its identifier and the common fields", async () => {
  const made = await book({
    depot: refOf(north),
    stops: [refOf(south)],
    address: { state: "NY", city: "Albany" },
    price: "3",
    serial: "s-1",
    channel: "mail",
  });
  const { bookingId, depot, stops, address, createdDate, createdSubject } = made;
  const shown = await send("GET", OPEN, made);
  expect(shown.status).toBe(200);
  const want = {
    bookingId,
    label: "a",
    step: "placed",
    hub: depot,
    halts: stops,
    shipTo: address,
    fee: "3.00",
    mark: "s-1",
    way: "mail",
    seen: null,
    createdDate,
    createdSubject,
    lastModifiedDate: createdDate,
    lastModifiedSubject: createdSubject,
  };
  expect(shown.text).toBe(JSON.stringify(want, null, 2));
  expect(resultsOf(await service.read(OPEN))).toEqual([want]);
});

test("what is created here is created there, with nulls and defaults for what is not shown", async () => {
  const answer = await service.send("POST", OPEN, {
    body: { label: "b", step: "placed", hub: refOf(south), shipTo: { state: "NY", city: "x" } },
  });
  expect(answer.status, answer.text).toBe(201);
  const { bookingId } = answer.json;
  expect(answer.headers["location"]).toBe(`${service.url}${OPEN}/${String(bookingId)}`);
  expect(await stored(answer.json)).toMatchObject({
    label: "b",
    status: "placed",
    depot: { depotId: south["depotId"], name: "south", fee: "1.00" },
    address: { state: "NY", city: "x" },
    note: "none",
    tags: [],
    dueDate: null,
  });
});

test("a PUT or PATCH leaves alone what is not shown", async () => {
  const hidden = { note: null, tags: ["red"], dueDate: at(5) };
  const made = await book({ ...hidden, address: { state: "NY", city: "x" } });
  const patched = await send("PATCH", OPEN, made, { shipTo: { city: "y" }, label: "b" });
  expect(patched.json).toMatchObject({ label: "b", shipTo: { state: "NY", city: "y" } });
  expect(await stored(made)).toMatchObject({ ...hidden, label: "b" });
  const replaced = await send("PUT", LABELS, made, { label: "c" });
  expect(Object.keys(replaced.json)).toEqual([
    "bookingId",
    "label",
    "createdDate",
    "createdSubject",
    "lastModifiedDate",
    "lastModifiedSubject",
  ]);
  expect(await stored(made)).toMatchObject({
    ...hidden,
    label: "c",
    address: { state: "NY", city: "y" },
  });
});

test("sending back what was read changes nothing", async () => {
  const made = await book({ depot: refOf(north), channel: "phone" });
  const read = await send("GET", OPEN, made);
  clock.now = NOW + HOUR;
  expect((await send("PUT", OPEN, made, read.json)).text).toBe(read.text);
});

test("mistakes are told by the names that it has here", async () => {
  const body = {
    label: null,
    step: "unknown",
    status: "placed",
    hub: { depotId: MISSING },
    halts: [{ depotId: "no" }],
    shipTo: { state: 1, town: "x" },
    note: "not shown",
  };
  const fields = expectFields(
    await service.send("POST", OPEN, { body }),
    "label",
    "step",
    "status",
    "hub.depotId",
    "halts[0].depotId",
    "shipTo.state",
    "shipTo.town",
    "note",
  );
  expect(fields["hub.depotId"]).toBe("does not refer to an existing depot");
  const made = await book({ channel: "mail" });
  expectFields(await send("PATCH", OPEN, made, { way: "phone" }), "way");
  expectFields(await send("PUT", OPEN, made, { label: "x" }), ...REPLACED);
});

test("filters and sorts are the original's, by the names that it has here", async () => {
  await book({ label: "a", depot: refOf(north), address: { state: "NY", city: "x" }, price: "10" });
  await book({ label: "b", stops: [refOf(north)], address: { state: "TX", city: "x" } });
  await book({ label: "c", depot: refOf(south), price: "9" });
  const { depotId } = north;
  expect(await labels(`${OPEN}?shipTo.state=NY&shipTo.state=TX&sort=-shipTo.state`)).toBe("ba");
  expect(await labels(`${OPEN}?hub.name=south`)).toBe("c");
  expect(await labels(`${OPEN}?hub.depotId=${String(depotId)}&step=placed`)).toBe("a");
  expect(await labels(`${OPEN}?halts.depotId=${String(depotId)}`)).toBe("b");
  expect(await labels(`${OPEN}?sort=fee`)).toBe("cab");
  expect(await labels(`${OPEN}?fee=9.00`)).toBe("c");
  expect(await labels(`${OPEN}?sort=-hub.name,label`)).toBe("cab");
  const refused = await service.send("GET", `${OPEN}?address.state=NY&status=placed&sort=price`);
  expectFields(refused, "address.state", "status", "sort");
});

test("an object outside its filter is not there, whatever is asked of it", async () => {
  const made = await book();
  for (const status of ["packed", "shipped"]) await send("PATCH", BOOKINGS, made, { status });
  missing(await send("GET", OPEN, made));
  missing(await send("PUT", OPEN, made, { label: "b" }));
  missing(await send("PATCH", OPEN, made, { label: "b" }));
  missing(await send("PATCH", OPEN, made, {}));
  missing(await send("DELETE", OPEN, made));
  expect(await service.read(OPEN)).toMatchObject({ results: [], itemCount: 0, pageCount: 0 });
  expect((await send("GET", LABELS, made)).status).toBe(200);
  missing(await service.send("GET", `${OPEN}/${MISSING}`));
});

test("a change may lead out of the filter: it is answered, and then the object is gone from here", async () => {
  const made = await book();
  expect((await send("PATCH", OPEN, made, { step: "packed" })).status).toBe(200);
  const shipped = await send("PATCH", OPEN, made, { step: "shipped" });
  expect(shipped.json["step"]).toBe("shipped");
  missing(await send("GET", OPEN, made));
  expect((await stored(made))["status"]).toBe("shipped");
});

test("states and unique values are the original's, and refusals name its entity", async () => {
  const body = { label: "b", step: "shipped" };
  expectError(await service.send("POST", OPEN, { body }), 409, "InvalidBookingStateMessage");
  const made = await book({ serial: "s-1" });
  const back = await send("PATCH", OPEN, made, { step: "shipped" });
  expectError(back, 409, "InvalidBookingStateMessage");
  await send("PATCH", OPEN, made, { step: "packed" });
  expectError(await send("DELETE", OPEN, made), 409, "InvalidBookingStateMessage");
  const twice = await service.send("POST", OPEN, { body: { label: "b", mark: "s-1" } });
  const { description } = expectError(twice, 409, "BookingAlreadyExistsMessage");
  expect(description).toContain("the same mark");
  const other = await book();
  expect((await send("DELETE", OPEN, other)).status).toBe(204);
  missing(await send("GET", BOOKINGS, other));
});

test("a window of its filter moves with the clock, in lists and for single objects alike", async () => {
  const soon = await book({ label: "x", dueDate: at(1) });
  const later = await book({ label: "y", dueDate: at(24) });
  const late = await book({ label: "z", dueDate: at(25) });
  await book({ label: "n" });
  await book({ label: "s", dueDate: at(1), tags: ["secret"] });
  expect(await labels(DUE)).toBe("xy");
  expect((await send("GET", DUE, later)).status).toBe(200);
  missing(await send("GET", DUE, late));
  clock.now = NOW + 2 * HOUR;
  expect(await labels(DUE)).toBe("yz");
  missing(await send("GET", DUE, soon));
  expect((await send("PATCH", DUE, late, { dueDate: null })).json["dueDate"]).toBeNull();
  missing(await send("DELETE", DUE, late));
});

test("an alias holds within its filter, by its own names and with its own sort", async () => {
  await book({ label: "a", depot: refOf(north), address: { state: "NY", city: "x" } });
  await book({ label: "b", depot: refOf(north), address: { state: "TX", city: "x" } });
  await book({ label: "c", depot: refOf(south) });
  await book({ label: "d", depot: refOf(north), stops: [refOf(south)] });
  const gone = await book({ label: "e", depot: refOf(north) });
  await send("PATCH", BOOKINGS, gone, { status: "cancelled" });
  expect(await labels(`${OPEN}/heavies`)).toBe("ba");
  expect(await labels(`${OPEN}/heavies?sort=label&shipTo.state=NY`)).toBe("a");
  await book({ label: "x", dueDate: at(1) });
  await book({ label: "w", dueDate: at(1) });
  expect(await labels(`${DUE}/unlabelled`)).toBe("w");
});

test("operations, paging and counting are its own", async () => {
  for (const label of "abc") await book({ label, dueDate: at(1) });
  expectError(
    await service.send("POST", DUE, { body: { label: "x" } }),
    405,
    "MethodNotAllowedMessage",
  );
  const page = await service.read(DUE);
  expect(Object.keys(page)).toEqual(["results", "pageNumber", "pageSize"]);
  expect(resultsOf(page)).toHaveLength(2);
  expectFields(await service.send("GET", `${DUE}?pageSize=5`), "pageSize");
  const made = await book();
  const refused = await send("PATCH", LABELS, made, { label: "x" });
  expectError(refused, 405, "MethodNotAllowedMessage");
  expect(refused.headers["allow"]).toBe("GET, HEAD, OPTIONS, PUT");
});

test("the original's own code runs for what is done here, with the original's properties", async () => {
  const seen: unknown[] = [];
  bookings.beforeCreate = (properties) => {
    seen.push(properties["status"], properties["note"]);
    properties["counted"] = 7;
  };
  bookings.beforeUpdate = (next) => {
    next["note"] = "hooked";
  };
  bookings.afterCommit = ({ kind }) => {
    seen.push(kind);
  };
  const made = await service.create(OPEN, { label: "a" });
  expect(made["seen"]).toBe(7);
  await send("PATCH", OPEN, made, { label: "b" });
  await send("DELETE", OPEN, made);
  expect(seen).toEqual(["placed", "none", "created", "updated", "deleted"]);
});

test("changes through several names at once lose nothing", async () => {
  const made = await book();
  const paths = [BOOKINGS, OPEN];
  const tags = Array.from({ length: 20 }, (_, index) => `t${index}`);
  bookings.beforeUpdate = (next, before) => {
    next["counted"] = Number(before["counted"] ?? 0) + 1;
  };
  const answers = await Promise.all(
    tags.map(async (label, index) =>
      send("PATCH", paths[index % paths.length] ?? BOOKINGS, made, { label }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(tags.map(() => 200));
  expect((await stored(made))["counted"]).toBe(tags.length);
});
