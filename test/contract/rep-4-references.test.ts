import { expect, test } from "vitest";
import { customCode } from "./support/custom-code.js";
import type { Json, JsonObject } from "./support/client.js";
import { expectError, expectFields, resultsOf } from "./support/errors.js";
import { MISSING, pathOf } from "./support/samples.js";
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

test("a reference is answered with the identifier and what is embedded, wherever it is answered", async () => {
  const made = await consign({ returnDepot: refOf(south), origin: refOf(south) });
  expect(made["depot"]).toEqual(NORTH);
  expect(made["returnDepot"]).toEqual({ depotId: south["depotId"], name: "south" });
  expect(made["origin"]).toEqual(refOf(south));
  expect(made["previous"]).toBeNull();
  expect(made["stops"]).toEqual([]);
  const read = await service.send("GET", pathOf(CONSIGNMENTS, made));
  expect(read.text).toBe(JSON.stringify(made, null, 2));
  expect(await find(`pageSize=1&sort=-createdDate`)).toEqual([made]);
});

test("what is embedded is the other's as it is now", async () => {
  const depot = await service.create(DEPOTS, { name: "before" });
  const made = await consign({ depot: refOf(depot) });
  await service.send("PATCH", pathOf(DEPOTS, depot), { body: { name: "after", open: false } });
  const read = await service.read(pathOf(CONSIGNMENTS, made));
  expect(read["depot"]).toMatchObject({ name: "after", open: false });
  // The consignment itself was not changed.
  expect(read["lastModifiedDate"]).toBe(made["lastModifiedDate"]);
});

test("of a reference in a body only the identifier is read: what is embedded is ignored", async () => {
  const made = await consign({ depot: { ...NORTH, name: "liar", fee: 1, open: "no" } });
  expect(made["depot"]).toEqual(NORTH);
  const again = await service.send("PUT", pathOf(CONSIGNMENTS, made), { body: made });
  expect(again.text).toBe(JSON.stringify(made, null, 2));
});

test("an upper-case identifier is the same one", async () => {
  const depotId = String(north["depotId"]).toUpperCase();
  expect((await consign({ depot: { depotId } }))["depot"]).toEqual(NORTH);
});

test.each<[string, JsonObject, string]>([
  ["nothing", {}, "depot"],
  ["null", { depot: null }, "depot"],
  ["a text", { depot: "north" }, "depot"],
  ["a list", { depot: [] }, "depot"],
  ["no identifier", { depot: {} }, "depot.depotId"],
  ["null as identifier", { depot: { depotId: null } }, "depot.depotId"],
  ["no UUID", { depot: { depotId: "north" } }, "depot.depotId"],
  ["a UUID of nothing", { depot: { depotId: MISSING } }, "depot.depotId"],
])("a required reference is refused: %s", async (_what, body, field) => {
  expectFields(await service.send("POST", CONSIGNMENTS, { body }), field);
});

test("everything that is wrong is told at once, with the name of what does not exist", async () => {
  const body = {
    label: "x".repeat(41),
    depot: { depotId: MISSING, colour: "red" },
    returnDepot: { depotId: MISSING },
    stops: [refOf(north), { depotId: MISSING }, null, { depotId: 7 }],
    merchant: { merchantId: "no" },
    depott: {},
  };
  const fields = expectFields(
    await service.send("POST", CONSIGNMENTS, { body }),
    "label",
    "depot.depotId",
    "depot.colour",
    "returnDepot.depotId",
    "stops[1].depotId",
    "stops[2]",
    "stops[3].depotId",
    "merchant.merchantId",
    "depott",
  );
  expect(fields["depot.depotId"]).toBe("does not refer to an existing depot");
  expect(fields["depott"]).toContain('"depot"');
});

test("PATCH changes a reference, keeps it, and takes it away", async () => {
  const made = await consign({ returnDepot: refOf(south) });
  const kept = await patch(made, { label: "kept", returnDepot: {}, previous: {} });
  expect(kept.json).toMatchObject({
    label: "kept",
    depot: NORTH,
    returnDepot: made["returnDepot"],
  });
  const changed = await patch(made, { returnDepot: refOf(north) });
  expect(changed.json["returnDepot"]).toEqual({ depotId: north["depotId"], name: "north" });
  expect((await patch(made, { returnDepot: null })).json["returnDepot"]).toBeNull();
  expectFields(await patch(made, { depot: null }), "depot");
  expectFields(await patch(made, { depot: { depotId: MISSING } }), "depot.depotId");
});

test("a PUT holds a whole reference", async () => {
  const made = await consign({ returnDepot: refOf(south) });
  const put = async (body: JsonObject) => service.send("PUT", pathOf(CONSIGNMENTS, made), { body });
  expectFields(await put({ ...made, returnDepot: {} }), "returnDepot.depotId");
  const { depot: _depot, ...rest } = made;
  expectFields(await put(rest), "depot");
  expect((await put({ ...made, returnDepot: null })).json["returnDepot"]).toBeNull();
});

test("an immutable reference is set once", async () => {
  const made = await consign({ origin: refOf(north) });
  expect((await patch(made, { origin: refOf(north) })).status).toBe(200);
  expectFields(await patch(made, { origin: refOf(south) }), "origin.depotId");
  expectFields(await patch(made, { origin: null }), "origin");
});

test("a list of references keeps its order and what it repeats", async () => {
  const stops = [refOf(south), refOf(north), refOf(south)];
  const made = await consign({ stops });
  expect(made["stops"]).toEqual(stops);
  expect((await service.read(pathOf(CONSIGNMENTS, made)))["stops"]).toEqual(stops);
  const turned = [refOf(north), refOf(south)];
  expect((await patch(made, { stops: turned })).json["stops"]).toEqual(turned);
  expect((await patch(made, { stops: null })).json["stops"]).toEqual([]);
  const many = Array.from({ length: 6 }, () => refOf(north));
  expectFields(await patch(made, { stops: many }), "stops");
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

test("lists are filtered and sorted by identifiers and by what is embedded", async () => {
  const own = await startService();
  const [a, b, c] = await Promise.all(
    [
      { name: "alpha", fee: "10", grade: "small" },
      { name: "beta", fee: "9.5" },
      { name: "gamma", fee: "100", grade: "large" },
    ].map(async (body) => own.create(DEPOTS, body)),
  );
  const made: JsonObject[] = [];
  for (const depot of [b, a, c] as JsonObject[]) {
    made.push(
      await own.create(CONSIGNMENTS, {
        label: String(depot["name"]),
        depot: refOf(depot),
        stops: [refOf(depot), refOf(a as JsonObject)],
      }),
    );
  }
  const labels = async (search: string, path = CONSIGNMENTS): Promise<Json[]> => {
    const page = await own.read(`${path}?${search}`);
    const found = resultsOf(page).map(({ label = null }) => label);
    expect(page["itemCount"]).toBe(found.length);
    return found;
  };
  expect(await labels(`depot.depotId=${String(a?.["depotId"]).toUpperCase()}`)).toEqual(["alpha"]);
  expect(await labels("depot.name=beta")).toEqual(["beta"]);
  expect(await labels("depot.fee=9.50&depot.name=beta&depot.name=alpha")).toEqual(["beta"]);
  expect(await labels("depot.grade=")).toEqual(["beta"]);
  expect(await labels("sort=depot.name")).toEqual(["alpha", "beta", "gamma"]);
  expect(await labels("sort=-depot.fee")).toEqual(["gamma", "alpha", "beta"]);
  expect(await labels(`stops.depotId=${String(a?.["depotId"])}`)).toHaveLength(3);
  expect(await labels(`stops.depotId=${String(c?.["depotId"])}`)).toEqual(["gamma"]);
  expect(await labels("", `${CONSIGNMENTS}/kept`)).toEqual(["gamma"]);
  expectFields(await own.send("GET", `${CONSIGNMENTS}?depot.depotId=alpha`), "depot.depotId");
  expectFields(await own.send("GET", `${CONSIGNMENTS}?depot.open=true`), "depot.open");
  expectFields(await own.send("GET", `${CONSIGNMENTS}?depot=alpha`), "depot");
  expect(made).toHaveLength(3);
});

test("what is referred to is not deleted: 409, alone or in a list", async () => {
  const alone = await service.create(DEPOTS, { name: "alone" });
  const listed = await service.create(DEPOTS, { name: "listed" });
  const made = await consign({ depot: refOf(alone), stops: [refOf(listed)] });
  for (const depot of [alone, listed]) {
    const refused = await service.send("DELETE", pathOf(DEPOTS, depot));
    const { description } = expectError(refused, 409, "DepotInUseMessage");
    expect(description).toContain("consignments");
  }
  await patch(made, { depot: refOf(north), stops: [] });
  for (const depot of [alone, listed]) {
    expect((await service.send("DELETE", pathOf(DEPOTS, depot))).status).toBe(204);
  }
});

test("onDelete setNull: the reference becomes null, and the entity shows that it was changed", async () => {
  const depot = await service.create(DEPOTS, { name: "gone soon" });
  const made = await consign({ returnDepot: refOf(depot) });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await service.send("DELETE", pathOf(DEPOTS, depot))).status).toBe(204);
  const read = await service.read(pathOf(CONSIGNMENTS, made));
  expect(read["returnDepot"]).toBeNull();
  expect(String(read["lastModifiedDate"]) > String(made["lastModifiedDate"])).toBe(true);
});

test("an entity that refers to itself alone can be deleted", async () => {
  const made = await consign({ label: "self" });
  const previous = { consignmentId: made["consignmentId"] ?? "" };
  const selfish = await patch(made, { previous });
  expect(selfish.json["previous"]).toEqual({ ...previous, label: "self" });
  const next = await consign({ previous });
  expectError(
    await service.send("DELETE", pathOf(CONSIGNMENTS, made)),
    409,
    "ConsignmentInUseMessage",
  );
  expect((await service.send("DELETE", pathOf(CONSIGNMENTS, next))).status).toBe(204);
  expect((await service.send("DELETE", pathOf(CONSIGNMENTS, made))).status).toBe(204);
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
