import { expect, test } from "vitest";
import { customCode } from "./support/custom-code.js";
import type { JsonObject } from "./support/client.js";
import { expectError, expectFields, resultsOf } from "./support/errors.js";
import { pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const DEPOTS = "/api/v1/depots";
const CONSIGNMENTS = "/api/v1/consignments";
const ELSEWHERE = "0190a0a0-1111-7000-8000-000000000000";

const service = await startService();
const consignments = await customCode("consignments");
const north = await service.create(DEPOTS, {
  name: "north",
  fee: "2.5",
  grade: "large",
  open: true,
});
const south = await service.create(DEPOTS, { name: "south", fee: "10" });
const refOf = ({ depotId = "" }: JsonObject): JsonObject => ({ depotId });
const consign = async (more: JsonObject = {}) =>
  service.create(CONSIGNMENTS, { depot: refOf(north), ...more });
const find = async (search: string, path = CONSIGNMENTS) =>
  resultsOf(await service.read(`${path}?${search}`));
const patch = async (entity: JsonObject, body: JsonObject) =>
  service.send("PATCH", pathOf(CONSIGNMENTS, entity), { body });

const NORTH = {
  depotId: north["depotId"] ?? "",
  name: "north",
  fee: "2.50",
  grade: "large",
  open: true,
};

test("PATCH keeps a reference of which it says nothing, and a PUT holds a whole one", async () => {
  const made = await consign({ returnDepot: refOf(south) });
  const { returnDepot = null } = made;
  const kept = await patch(made, { label: "kept", returnDepot: {}, previous: {} });
  expect(kept.json).toMatchObject({ label: "kept", depot: NORTH, returnDepot });
  expectFields(await patch(made, { depot: null }), "depot");
  const body = { ...made, returnDepot: {} };
  const put = await service.send("PUT", pathOf(CONSIGNMENTS, made), { body });
  expectFields(put, "returnDepot.depotId");
});

test("a list of references keeps its order and what it repeats", async () => {
  const stops = [refOf(south), refOf(north), refOf(south)];
  const made = await consign({ stops });
  expect((await service.read(pathOf(CONSIGNMENTS, made)))["stops"]).toEqual(stops);
  const turned = [refOf(north), refOf(south)];
  expect((await patch(made, { stops: turned })).json["stops"]).toEqual(turned);
});

test("an external reference takes any identifier; what it embeds is null until the service's code supplies it", async () => {
  const made = await consign({ merchant: { merchantId: ELSEWHERE, name: "ignored" } });
  expect(made["merchant"]).toEqual({ merchantId: ELSEWHERE, name: null });
  const asked: number[] = [];
  consignments.complete = async (entities) => {
    asked.push(entities.length);
    for (const { merchant } of entities) {
      if (typeof merchant === "object" && merchant !== null) {
        Object.assign(merchant, { name: "Acme" });
      }
    }
  };
  const acme = { merchantId: ELSEWHERE, name: "Acme" };
  expect((await service.read(pathOf(CONSIGNMENTS, made)))["merchant"]).toEqual(acme);
  expect((await find(`merchant.merchantId=${ELSEWHERE}`))[0]?.["merchant"]).toEqual(acme);
  expect((await patch(made, { label: "more" })).json["merchant"]).toEqual(acme);
  // Once for an answer, however many entities it has.
  expect(asked).toEqual([1, 1, 1]);
});

test.each(["PUT", "PATCH"])(
  "what an entity embeds of itself is what a %s makes of it",
  async (method) => {
    const made = await consign({ label: "before" });
    const previous = { consignmentId: made["consignmentId"] ?? "" };
    for (const label of ["first", "second"]) {
      const body = { ...(method === "PUT" && made), label, previous };
      const answer = await service.send(method, pathOf(CONSIGNMENTS, made), { body });
      expect(answer.json["previous"]).toEqual({ ...previous, label });
      expect((await service.send("GET", pathOf(CONSIGNMENTS, made))).text).toBe(answer.text);
    }
    const other = await consign({ label: "other" });
    const elsewhere = await patch(made, {
      previous: { consignmentId: other["consignmentId"] ?? "" },
    });
    expect(elsewhere.json["previous"]).toMatchObject({ label: "other" });
  },
);

test("a reference never leads to nothing, whoever deletes while others refer", async () => {
  for (let round = 0; round < 20; round += 1) {
    const depot = await service.create(DEPOTS, { name: "contested" });
    const body = { depot: refOf(depot), stops: [refOf(depot)] };
    const [deleted, ...made] = await Promise.all([
      service.send("DELETE", pathOf(DEPOTS, depot)),
      ...Array.from({ length: 4 }, async () => service.send("POST", CONSIGNMENTS, { body })),
    ]);
    const stored = made.filter(({ status }) => status === 201);
    expect([204, 409]).toContain(deleted?.status);
    if (deleted?.status === 204) expect(stored).toEqual([]);
    for (const answer of made) {
      if (answer.status === 201) continue;
      // The two are looked up one beside the other: the deletion may come between.
      const { fields = [] } = expectError(answer, 400, "ValidationFailedMessage");
      const names = fields.map(({ field }) => field);
      expect(["depot.depotId", "stops[0].depotId"]).toEqual(expect.arrayContaining(names));
      expect(names).not.toEqual([]);
    }
  }
});
