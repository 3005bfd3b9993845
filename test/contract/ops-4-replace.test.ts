import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { customCode } from "./support/custom-code.js";
import { expectFields } from "./support/errors.js";
import { BADGES, newBadge, pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const deprecated = await startService("deprecated");
const lockers = await customCode("lockers");

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

test("an immutable property that was null stays null, and a default of a nested one stands in (OPS-1)", async () => {
  const made = await service.create(BADGES, newBadge("im3"));
  expect(made["box"]).toEqual({ width: 1, height: 5 });
  const put = async (origin: string | null) =>
    service.send("PUT", pathOf(BADGES, made), { body: { ...made, origin } });
  expect((await put(null)).status).toBe(200);
  expectFields(await put("Hof"), "origin");
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
    const without = await service.send(method, path, { body: { door: null } });
    expectFields(without, "door.number", "door.colour", "door.lock.serial");
  },
);

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
