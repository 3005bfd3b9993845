import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { customCode } from "./support/custom-code.js";
import { expectError, expectFields } from "./support/errors.js";
import {
  BADGES,
  EMPTY_WIDGET,
  FULL_WIDGET,
  MISSING,
  newBadge,
  pathOf,
  WIDGETS,
} from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const deprecated = await startService("deprecated");
const lockers = await customCode("lockers");

const NEW_BADGE = {
  ...{ serial: "s", alias: null, secret: null, level: 2, addresses: ["two@example.com"] },
  box: { width: 2, height: 3 },
};

test("a PUT answers 200 and the whole entity, which is then what a GET answers", async () => {
  const made = await service.create(WIDGETS, { name: "bare" });
  const path = pathOf(WIDGETS, made);
  const answer = await service.send("PUT", path, { body: FULL_WIDGET });
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject(FULL_WIDGET);
  expect(answer.json).toMatchObject({
    widgetId: made["widgetId"],
    createdDate: made["createdDate"],
    createdSubject: made["createdSubject"],
  });
  expect((await service.send("GET", path)).text).toBe(answer.text);
});

test("an unknown value is sent as null, and empties the property", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  const answer = await service.send("PUT", path, { body: EMPTY_WIDGET });
  expect(answer.status).toBe(200);
  // `status` has a default, which a null does not ask for.
  expect(answer.json).toMatchObject(EMPTY_WIDGET);
});

test.each(Object.keys(FULL_WIDGET))(
  "a PUT without %s is refused, and changes nothing",
  async (name) => {
    const made = await service.create(WIDGETS, FULL_WIDGET);
    const path = pathOf(WIDGETS, made);
    const body = Object.fromEntries(Object.entries(EMPTY_WIDGET).filter(([key]) => key !== name));
    expectFields(await service.send("PUT", path, { body }), name);
    expect(await service.read(path)).toEqual(made);
  },
);

test("all missing properties are named at once, those with a default too", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  expectFields(await service.send("PUT", path, { body: {} }), ...Object.keys(FULL_WIDGET));
});

test("a PUT may leave out what was added after its version was published, which stays as it is", async () => {
  const added = { note: "soon", priority: 5, stamps: ["red"], sender: { name: "Ann" } };
  const all = { label: "a", weight: 2, address: { street: "Main", town: "Hof" }, ...added };
  const path = pathOf("/api/v1/parcels", await deprecated.create("/api/v1/parcels", all));
  const published = { label: "b", weight: null, address: { street: "Side" } };
  const answer = await deprecated.send("PUT", path, { body: published });
  expect(answer.status, answer.text).toBe(200);
  const address = { street: "Side", town: "Hof" };
  expect(await deprecated.read(path)).toMatchObject({ ...published, ...added, address });
});

test("a PUT of what is not there is 404 and never creates", async () => {
  const answer = await service.send("PUT", `${WIDGETS}/${MISSING}`, { body: FULL_WIDGET });
  expectError(answer, 404, "WidgetNotFoundMessage");
  expectError(await service.send("GET", `${WIDGETS}/${MISSING}`), 404, "WidgetNotFoundMessage");
});

test("what was read can be sent back as it is, and changes nothing", async () => {
  const made = await service.create(WIDGETS, FULL_WIDGET);
  const answer = await service.send("PUT", pathOf(WIDGETS, made), { body: made });
  expect([answer.status, answer.json]).toEqual([200, made]);
});

test("a read-only property is not asked for, and ignored when it is sent", async () => {
  const path = pathOf(BADGES, await service.create(BADGES, newBadge("ro1")));
  const without = await service.send("PUT", path, { body: { ...NEW_BADGE, serial: "ro2" } });
  expect(without.status, without.text).toBe(200);
  for (const score of [7, "seven", { of: 7 }]) {
    const ignored = await service.send("PUT", path, {
      body: { ...NEW_BADGE, serial: "ro2", score },
    });
    expect([ignored.status, ignored.json["score"]]).toEqual([200, null]);
  }
});

test("an immutable property can be left out, and keeps its value", async () => {
  const made = await service.create(BADGES, {
    ...newBadge("im1"),
    ...{ origin: "Hof", colour: "navyBlue" },
  });
  const answer = await service.send("PUT", pathOf(BADGES, made), {
    body: { ...NEW_BADGE, serial: "im1" },
  });
  expect(answer.json).toMatchObject({ origin: "Hof", colour: "navyBlue", level: 2 });
});

test.each(["PUT", "PATCH"])(
  "a %s may repeat an immutable value, and not give another one, null included",
  async (method) => {
    const serial = `im-${method}`;
    const made = await service.create(BADGES, { ...newBadge(serial), origin: "Hof" });
    const path = pathOf(BADGES, made);
    const send = async (changes: { origin?: string | null; colour?: string }) =>
      service.send(method, path, { body: { ...NEW_BADGE, serial, ...changes } });
    const same = await send({ origin: "Hof", colour: "red" });
    expect(same.status, same.text).toBe(200);
    expectFields(await send({ origin: "Ulm" }), "origin");
    expectFields(await send({ origin: null }), "origin");
    expectFields(await send({ colour: "navyBlue", origin: "Ulm" }), "colour", "origin");
    expect(await service.read(path)).toEqual(same.json);
  },
);

test("an immutable property that was null stays null", async () => {
  const path = pathOf(BADGES, await service.create(BADGES, newBadge("im3")));
  const body = { ...NEW_BADGE, serial: "im3" };
  expect((await service.send("PUT", path, { body: { ...body, origin: null } })).status).toBe(200);
  expectFields(await service.send("PUT", path, { body: { ...body, origin: "Hof" } }), "origin");
});

test("a nested object in a PUT is whole: what it leaves out is null, or []", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, FULL_WIDGET));
  const put = async (deliveryAddress: object) =>
    service.send("PUT", path, {
      body: { ...FULL_WIDGET, deliveryAddress: { ...deliveryAddress } },
    });
  expect((await put({ city: "Ulm" })).json["deliveryAddress"]).toEqual({
    state: null,
    city: "Ulm",
    place: null,
  });
  expect((await put({ place: {} })).json["deliveryAddress"]).toEqual({
    state: null,
    city: null,
    place: { floor: null, doors: [] },
  });
});

test("a nested property that has a default is null as well when a PUT leaves it out", async () => {
  const path = pathOf(BADGES, await service.create(BADGES, newBadge("nested")));
  const body = { ...NEW_BADGE, serial: "nested", box: { width: 9 } };
  expect((await service.send("PUT", path, { body })).json["box"]).toEqual({
    width: 9,
    height: null,
  });
});

test("a nested property that is required cannot be left out of a PUT", async () => {
  const path = pathOf(BADGES, await service.create(BADGES, newBadge("whole")));
  const body = { ...NEW_BADGE, serial: "whole", box: { height: 1 } };
  expectFields(await service.send("PUT", path, { body }), "box.width");
});

test("the same PUT twice is the same entity, with the same dates", async () => {
  const path = pathOf(WIDGETS, await service.create(WIDGETS, { name: "bare" }));
  const first = await service.send("PUT", path, { body: FULL_WIDGET });
  const second = await service.send("PUT", path, { body: FULL_WIDGET });
  expect(second.text).toBe(first.text);
});

const LOCKERS = "/api/v1/lockers";
const LOCK = { code: "1234", serial: "L1", tried: null };
const DOOR = { number: 1, colour: null, width: 5, opened: null, checked: 0, lock: LOCK };

test.each(["PUT", "PATCH"])(
  "a %s keeps what is immutable or read-only in an object",
  async (method) => {
    lockers.beforeCreate = (locker) => {
      Object.assign(Object(locker.door), { opened: 7, checked: 8 });
    };
    const door = { number: 1, colour: "red", lock: { serial: "L1" } };
    const path = pathOf(LOCKERS, await service.create(LOCKERS, { door }));
    const send = async (changes: JsonObject) =>
      service.send(method, path, { body: { door: { width: 6, lock: { code: "9" }, ...changes } } });
    const kept = { ...DOOR, ...{ colour: "red", width: 6, opened: 7, checked: 8 } };
    const lock = { ...LOCK, code: "9" };
    for (const sent of [{}, { number: 1, colour: "red" }, { opened: 1, checked: "x" }]) {
      expect((await send(sent)).json["door"]).toEqual({ ...kept, lock });
    }
    expectFields(await send({ number: 2 }), "door.number");
    expectFields(await send({ number: "2" }), "door.number");
    expectFields(await send({ colour: null }), "door.colour");
    expectFields(await send({ lock: { code: "9", serial: "L2" } }), "door.lock.serial");
    expectFields(await send({ lock: null }), "door.lock.serial");
    const without = await service.send(method, path, { body: { door: null } });
    expectFields(without, "door.number", "door.colour", "door.lock.serial");
  },
);

test.each(["PUT", "PATCH"])("a %s of null empties what holds nothing immutable", async (method) => {
  const path = pathOf(LOCKERS, await service.create(LOCKERS, { door: { number: 1, lock: {} } }));
  const send = async (door: JsonObject | null) => service.send(method, path, { body: { door } });
  expect((await send({ width: 5, lock: null })).json["door"]).toMatchObject({ lock: null });
  expectFields(await send(null), "door.number");
});

test.each(["PUT", "PATCH"])("a %s does not change an immutable object", async (method) => {
  const frame = { wood: "oak", depth: 3 };
  const path = pathOf(LOCKERS, await service.create(LOCKERS, { frame }));
  const send = async (body: JsonObject) =>
    service.send(method, path, { body: { door: null, ...body } });
  for (const body of [{}, { frame }, { frame: { ...frame, depth: 3 } }]) {
    expect((await send(body)).json["frame"]).toEqual(frame);
  }
  expectFields(await send({ frame: { ...frame, depth: 4 } }), "frame");
  expectFields(await send({ frame: null }), "frame");
  expectFields(await send({ frame: { ...frame, depth: "4" } }), "frame.depth");
  const part = await send({ frame: { wood: "oak" } });
  if (method === "PATCH") expect(part.json["frame"]).toEqual(frame);
  else expectFields(part, "frame");
});

test("an object that a PUT makes has what is set once", async () => {
  const made = await service.create(LOCKERS, {});
  const put = async (door: JsonObject | null) =>
    service.send("PUT", pathOf(LOCKERS, made), { body: { door } });
  expectFields(await put({ width: 1 }), "door.number");
  expectFields(await put({ number: 3 }), "door.width");
  const door = { ...DOOR, number: 3, width: 1, lock: null };
  expect((await put({ number: 3, width: 1 })).json["door"]).toEqual(door);
  expectFields(await put(null), "door.number");
});
