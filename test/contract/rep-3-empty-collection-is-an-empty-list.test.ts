import { expect, test } from "vitest";
import type { Json } from "./support/client.js";
import { at, expectFields } from "./support/errors.js";
import { DEPTHS, FULL_CRATE } from "./support/full-bodies.js";
import { newBadge } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();

test.each(DEPTHS)("a list that is left out, null or empty is [] $depth", async (place) => {
  for (const values of [{}, { labels: null }, { labels: [] }]) {
    const crate = await service.create("/api/v1/crates", place.bodyWith(values));
    expect(at(crate, `${place.path}labels`)).toEqual([]);
    const read = await service.read(`/api/v1/crates/${String(crate["crateId"])}`);
    expect(at(read, `${place.path}labels`)).toEqual([]);
  }
});

test.each(["labels", "dates", "fees", "keys", "lots"])(
  "so is a list of every kind: %s",
  async (name) => {
    for (const values of [{}, { [name]: null }, { [name]: [] }]) {
      const crate = await service.create("/api/v1/crates", { title: "t", ...values });
      expect(crate[name]).toEqual([]);
    }
  },
);

test("an update with null or [] empties a list, at every depth", async () => {
  for (const labels of [null, []]) {
    const crate = await service.create("/api/v1/crates", FULL_CRATE);
    const path = `/api/v1/crates/${String(crate["crateId"])}`;
    const body = { labels, spot: { labels, shelf: { labels } } };
    const patched = (await service.send("PATCH", path, { body })).json;
    for (const place of ["labels", "spot.labels", "spot.shelf.labels"]) {
      expect(at(patched, place)).toEqual([]);
    }
    const lots = (await service.send("PATCH", path, { body: { lots: labels } })).json;
    expect(lots["lots"]).toEqual([]);
    const replaced = await service.send("PUT", path, { body: { ...crate, labels, fees: labels } });
    expect(replaced.json).toMatchObject({ labels: [], fees: [] });
  }
});

test("an update that leaves a list out keeps it", async () => {
  const crate = await service.create("/api/v1/crates", FULL_CRATE);
  const path = `/api/v1/crates/${String(crate["crateId"])}`;
  const patched = await service.send("PATCH", path, { body: { spot: { note: "b" } } });
  expect(patched.json["labels"]).toEqual(crate["labels"]);
  expect(at(patched.json, "spot.labels")).toEqual(at(crate, "spot.labels"));
});

test("a list with `minItems` counts null and nothing as no items", async () => {
  const { addresses: _, ...without } = newBadge("one");
  const bodies = [without, { ...without, addresses: null }, { ...without, addresses: [] }];
  const messages: string[] = [];
  for (const body of bodies) {
    const answer = await service.send("POST", "/api/v1/badges", { body });
    messages.push(expectFields(answer, "addresses")["addresses"] ?? "");
  }
  expect(new Set(messages).size).toBe(1);
  const badge = await service.create("/api/v1/badges", newBadge("one"));
  const path = `/api/v1/badges/${String(badge["badgeId"])}`;
  const answer = await service.send("PATCH", path, { body: { addresses: null } });
  expectFields(answer, "addresses");
});

test.each<Json>(["a", 1, true, {}, { 0: "a", length: 1 }])(
  "what is no list is a validation error: %j",
  async (labels) => {
    const body = { title: "t", labels, spot: { shelf: { labels } }, lots: [{ labels }] };
    const answer = await service.send("POST", "/api/v1/crates", { body });
    expectFields(answer, "labels", "spot.shelf.labels", "lots[0].labels");
  },
);

test("an object is no collection, and is null where it is absent", async () => {
  const crate = await service.create("/api/v1/crates", { title: "t" });
  expect(crate["spot"]).toBeNull();
});

test("a list keeps its order, and items that are equal", async () => {
  const labels = ["b", "a", "b"];
  expect((await service.create("/api/v1/crates", { title: "t", labels }))["labels"]).toEqual(
    labels,
  );
});
