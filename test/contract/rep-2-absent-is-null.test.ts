import { expect, test } from "vitest";
import type { Json, JsonObject } from "./support/client.js";
import { at, expectFields, resultsOf } from "./support/errors.js";
import { DEPTHS, FULL_CRATE } from "./support/full-bodies.js";
import { FULL_WIDGET } from "./support/samples.js";
import { startService } from "./support/service.js";

const BLANKS: readonly Json[] = ["", " ", "\t\n\r", "\u00a0", "\u2003\u3000", "\ufeff", null];
const NULL_LEAVES = { since: null, note: null, fee: null, key: null, labels: [] };
const NULL_INNER_SHELF = { ...NULL_LEAVES, colour: null, tight: null, width: null, weight: null };
const service = await startService();

test("a created entity holds every property: what was left out is null, or its default", async () => {
  const widget = await service.create("/api/v1/widgets", { name: "drill" });
  expect(widget).toEqual({
    ...widget,
    name: "drill",
    size: null,
    weight: null,
    price: null,
    active: null,
    status: "draft",
    tags: [],
    note: null,
    email: null,
    pinCode: null,
    startDate: null,
    batch: null,
    deliveryAddress: null,
    parts: [],
  });
  expect(Object.keys(widget)).toHaveLength(Object.keys(FULL_WIDGET).length + 5);
});

test("so it is answered when it is created, read, listed, patched and replaced", async () => {
  const crate = await service.create("/api/v1/crates", { title: "first" });
  const path = `/api/v1/crates/${String(crate["crateId"])}`;
  const same = { ...crate, lastModifiedDate: expect.any(String) };
  expect(await service.read(path)).toEqual(same);
  expect(resultsOf(await service.read("/api/v1/crates"))).toEqual([same]);
  const patched = await service.send("PATCH", path, { body: { title: "second" } });
  expect(patched.json).toEqual({ ...same, title: "second" });
  const replaced = await service.send("PUT", path, { body: { ...crate, title: "third" } });
  expect(replaced.json).toEqual({ ...same, title: "third" });
});

test("an object that is left out is null, and an empty one is an object of nulls", async () => {
  const without = await service.create("/api/v1/crates", { title: "t" });
  expect(without["spot"]).toBeNull();
  const empty = await service.create("/api/v1/crates", { title: "t", spot: {} });
  expect(empty["spot"]).toEqual({ ...NULL_LEAVES, shelf: null });
  const deeper = await service.create("/api/v1/crates", { title: "t", spot: { shelf: {} } });
  expect(deeper["spot"]).toEqual({ ...NULL_LEAVES, shelf: NULL_INNER_SHELF });
  expect(await service.read(`/api/v1/crates/${String(deeper["crateId"])}`)).toEqual(deeper);
});

test("an object of a list omits nothing either", async () => {
  const body = { title: "t", lots: [{}, { shelf: {} }] };
  const crate = await service.create("/api/v1/crates", body);
  expect(crate["lots"]).toEqual([
    { ...NULL_LEAVES, shelf: null },
    { ...NULL_LEAVES, shelf: { ...NULL_LEAVES, code: null } },
  ]);
  expect(await service.read(`/api/v1/crates/${String(crate["crateId"])}`)).toEqual(crate);
});

test.each(DEPTHS)(
  "blank text, and null, is null for each scalar that may be null $depth",
  async (place) => {
    for (const blank of BLANKS) {
      const body = place.bodyWith({ since: blank, note: blank, fee: blank, key: blank });
      const crate = await service.create("/api/v1/crates", body);
      for (const name of ["since", "note", "fee", "key"]) {
        expect(at(crate, place.path + name), `${name}: ${JSON.stringify(blank)}`).toBeNull();
      }
    }
  },
);

test("blank text is null for numbers, booleans, enums and objects as well", async () => {
  const names = ["size", "weight", "price", "active", "status", "email", "pinCode", "startDate"];
  for (const blank of BLANKS) {
    const blanks = Object.fromEntries([...names, "deliveryAddress"].map((name) => [name, blank]));
    const widget = await service.create("/api/v1/widgets", { name: "drill", ...blanks });
    for (const name of Object.keys(blanks)) expect(widget[name], name).toBeNull();
    const shelf = { colour: blank, tight: blank, width: blank, weight: blank };
    const crate = await service.create("/api/v1/crates", { title: "t", spot: { shelf } });
    expect(at(crate, "spot.shelf")).toEqual(NULL_INNER_SHELF);
  }
});

test("blank text in an update makes null what had a value, at every depth", async () => {
  const crate = await service.create("/api/v1/crates", FULL_CRATE);
  const path = `/api/v1/crates/${String(crate["crateId"])}`;
  const body = { note: "", spot: { note: " ", shelf: { note: "\t", colour: null, tight: "" } } };
  const patched = (await service.send("PATCH", path, { body })).json;
  const places = ["note", "spot.note", "spot.shelf.note", "spot.shelf.colour", "spot.shelf.tight"];
  for (const place of places) expect(at(patched, place), place).toBeNull();
  expect(at(patched, "spot.fee")).toBe("12.50");
  expect(await service.read(path)).toEqual(patched);
});

test("a nested object in a PUT is whole: what it leaves out is null", async () => {
  const crate = await service.create("/api/v1/crates", FULL_CRATE);
  const path = `/api/v1/crates/${String(crate["crateId"])}`;
  const body = { ...crate, spot: { note: "kept", shelf: { width: 4 } } };
  const { spot } = (await service.send("PUT", path, { body })).json;
  const shelf = { ...NULL_INNER_SHELF, width: 4 };
  expect(spot).toEqual({ ...NULL_LEAVES, note: "kept", shelf });
});

test.each(BLANKS)("for a required property it is a validation error: %j", async (blank) => {
  const body = { name: blank, parts: [{ label: "a" }, { label: blank }] };
  const answer = await service.send("POST", "/api/v1/widgets", { body });
  expectFields(answer, "name", "parts[1].label");
  const badge = { serial: "s", addresses: ["a@example.com"], box: { width: blank }, level: blank };
  const other = await service.send("POST", "/api/v1/badges", { body: badge });
  expectFields(other, "box.width", "level");
});

test("so it is for a required object, and for a required property that is left out", async () => {
  for (const box of BLANKS) {
    const body = { serial: "s", addresses: ["a@example.com"], box };
    const answer = await service.send("POST", "/api/v1/badges", { body });
    expect(answer.status, JSON.stringify(box)).toBe(400);
    expect(answer.text).toContain('"box');
  }
  expectFields(await service.send("POST", "/api/v1/widgets", { body: {} }), "name");
});

test.each(BLANKS)("as an item of a list it is a validation error: %j", async (blank) => {
  const lists: JsonObject = { labels: ["a", blank], dates: [blank], fees: [blank], keys: [blank] };
  const body = {
    title: "t",
    ...lists,
    spot: { shelf: { labels: [blank] } },
    lots: [{ labels: ["a", "b", blank] }, blank],
  };
  const answer = await service.send("POST", "/api/v1/crates", { body });
  expectFields(
    answer,
    "labels[1]",
    "dates[0]",
    "fees[0]",
    "keys[0]",
    "spot.shelf.labels[0]",
    "lots[0].labels[2]",
    "lots[1]",
  );
});

test("text with something visible in it is kept with its white space", async () => {
  for (const note of [" a ", "\n.", "0", "null"]) {
    const crate = await service.create("/api/v1/crates", { title: " t ", note, labels: [note] });
    expect(crate).toMatchObject({ title: " t ", note, labels: [note] });
  }
});

test("a value that merely looks empty is a value", async () => {
  const body = { name: "drill", size: 0, weight: 0, price: "0", active: false };
  const widget = await service.create("/api/v1/widgets", body);
  expect(widget).toMatchObject({ size: 0, weight: 0, price: "0.00", active: false });
});
