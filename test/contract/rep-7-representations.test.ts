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

test("what is created here is created there, with nulls and defaults for what is not shown", async () => {
  const made = await service.create(OPEN, { label: "b", hub: refOf(south) });
  expect(await stored(made)).toMatchObject({ note: "none", tags: [], dueDate: null });
});

test("mistakes are told by the names that it has here", async () => {
  const body = { hub: { depotId: MISSING }, status: "placed", shipTo: { state: 1, town: "x" } };
  const told = ["label", "status", "hub.depotId", "shipTo.state", "shipTo.town"];
  expectFields(await service.send("POST", OPEN, { body }), ...told);
  const made = await book({ channel: "mail" });
  expectFields(await send("PATCH", OPEN, made, { way: "phone" }), "way");
  const missed = ["step", "hub", "halts", "shipTo", "fee", "mark"];
  expectFields(await send("PUT", OPEN, made, { label: "x" }), ...missed);
});

test("filters and sorts are the original's, by the names that it has here", async () => {
  await book({ label: "a", depot: refOf(north), address: { state: "NY", city: "x" }, price: "10" });
  await book({ label: "b", stops: [refOf(north)], address: { state: "TX", city: "x" } });
  await book({ label: "c", depot: refOf(south), price: "9" });
  const id = String(north["depotId"]);
  expect(await labels(`${OPEN}?shipTo.state=NY&shipTo.state=TX&sort=-shipTo.state`)).toBe("ba");
  expect(await labels(`${OPEN}?hub.name=south&fee=9.00`)).toBe("c");
  expect(await labels(`${OPEN}?hub.depotId=${id}&step=placed`)).toBe("a");
  expect(await labels(`${OPEN}?halts.depotId=${id}`)).toBe("b");
  expect(await labels(`${OPEN}?sort=-hub.name,fee`)).toBe("cab");
});

test("a PUT or PATCH leaves alone what is not shown", async () => {
  const hidden = { note: null, tags: ["red"], dueDate: at(5) };
  const made = await book({ ...hidden, address: { state: "NY", city: "x" } });
  const patched = await send("PATCH", OPEN, made, { shipTo: { city: "y" }, label: "b" });
  expect(patched.json).toMatchObject({ label: "b", shipTo: { state: "NY", city: "y" } });
  expect(await stored(made)).toMatchObject({ ...hidden, label: "b" });
  await send("PUT", LABELS, made, { label: "c" });
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

test("a change may lead out of the filter: it is answered, and then the object is gone from here", async () => {
  const made = await book();
  expect((await send("PATCH", OPEN, made, { step: "packed" })).status).toBe(200);
  const shipped = await send("PATCH", OPEN, made, { step: "shipped" });
  expect(shipped.json["step"]).toBe("shipped");
  missing(await send("GET", OPEN, made));
  expect((await stored(made))["status"]).toBe("shipped");
});

test("states and unique values are the original's, and refusals name its entity", async () => {
  const made = await book({ serial: "s-1" });
  const back = await send("PATCH", OPEN, made, { step: "shipped" });
  expectError(back, 409, "InvalidBookingStateMessage");
  const twice = await service.send("POST", OPEN, { body: { label: "b", mark: "s-1" } });
  const { description } = expectError(twice, 409, "BookingAlreadyExistsMessage");
  expect(description).toContain("the same mark");
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

test("a child is found by its parent under the name that it has here, and keeps it", async () => {
  const convoy = await service.create("/api/v1/convoys", { name: "east" });
  const other = await service.create("/api/v1/convoys", { name: "west" });
  const under = `${pathOf("/api/v1/convoys", convoy)}/wagons`;
  const { wagonId = "" } = await service.create(under, { label: "a" });
  const moving = { body: { status: "moving" } };
  await service.send("PATCH", pathOf("/api/v1/wagons", { wagonId }), moving);
  const lost = "/api/v1/lostwagons";
  const shown = await service.read(pathOf(lost, { wagonId }));
  const { convoyId } = convoy;
  const found = await service.read(`${lost}?train.convoyId=${String(convoyId)}&mark=a`);
  expect(resultsOf(found)).toEqual([shown]);
  const body = { train: { convoyId: other["convoyId"] ?? "" } };
  expectFields(await service.send("PATCH", pathOf(lost, { wagonId }), { body }), "train.convoyId");
});
