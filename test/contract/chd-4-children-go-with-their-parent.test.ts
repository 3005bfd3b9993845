import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { CONVOYS, newConvoy, refTo, under, WAGONS } from "./support/convoys.js";
import { expectError } from "./support/errors.js";
import { pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const TOLLS = "/api/v1/tolls";
const BEACONS = "/api/v1/beacons";
const YARDS = "/api/v1/yards";
const TRACKS = "/api/v1/tracks";

const service = await startService();
const remove = async (collection: string, entity: JsonObject) =>
  service.send("DELETE", pathOf(collection, entity));
const wagonPath = (wagon: JsonObject): string => `${WAGONS}/${String(wagon["wagonId"])}`;
const exists = async (path: string): Promise<boolean> =>
  (await service.send("GET", path)).status === 200;
const refused = async (convoy: JsonObject): Promise<string> =>
  expectError(await remove(CONVOYS, convoy), 409, "ConvoyInUseMessage").description ?? "";

const trackOf = (track: JsonObject): JsonObject => refTo(track, "trackId");

/** A yard with two tracks, and a gate that needs the first. */
async function newYard() {
  const yard = await service.create(YARDS, {});
  const path = pathOf(YARDS, yard);
  const first = await service.create(`${path}/tracks`, {});
  const tracks = [first, await service.create(`${path}/tracks`, {})];
  const gate = await service.create(`${path}/gates`, {
    track: trackOf(first),
    tracks: tracks.map(trackOf),
  });
  return { yard, tracks, gate };
}

test("children that refer to each other go together", async () => {
  const { convoy, wagons } = await newConvoy(service, 2);
  const [first = {}, second = {}] = wagons;
  for (const [wagon, next] of [
    [first, second],
    [second, first],
  ] as const) {
    const body = { next: refTo(next, "wagonId") };
    expect((await service.send("PATCH", wagonPath(wagon), { body })).status).toBe(200);
  }
  const seal = await service.create(under(convoy, "seals"), { wagon: refTo(first, "wagonId") });
  expect((await remove(CONVOYS, convoy)).status).toBe(204);
  expect(await exists(wagonPath(second))).toBe(false);
  expect(await exists(`/api/v1/seals/${String(seal["sealId"])}`)).toBe(false);
});

test("children of two kinds that refer to each other in a circle go together, alone or in lists", async () => {
  const { yard, tracks, gate } = await newYard();
  const body = {
    gate: refTo(gate, "gateId"),
    gates: [refTo(gate, "gateId")],
    others: tracks.map((track) => refTo(track, "trackId")),
  };
  for (const track of tracks) {
    expect((await service.send("PATCH", pathOf(TRACKS, track), { body })).status).toBe(200);
  }
  expect((await remove(YARDS, yard)).status).toBe(204);
  for (const track of tracks) expect(await exists(pathOf(TRACKS, track))).toBe(false);
  expect(await exists(pathOf("/api/v1/gates", gate))).toBe(false);
});

test.each(["main", "spare", "sidings", "neighbours"])(
  "a parent that refers to its own children, or to itself, goes with them: %s",
  async (property) => {
    const { yard, tracks } = await newYard();
    const listed = property === "neighbours" ? [refTo(yard, "yardId")] : tracks.map(trackOf);
    const isList = property === "neighbours" || property === "sidings";
    const body = { [property]: isList ? listed : (listed[0] ?? null) };
    const changed = await service.send("PATCH", pathOf(YARDS, yard), { body });
    expect(changed.json).toMatchObject(body);
    expect((await remove(YARDS, yard)).status).toBe(204);
    expect(await exists(pathOf(TRACKS, tracks[0] ?? {}))).toBe(false);
  },
);

test.each([
  ["main", 409],
  ["spare", 204],
] as const)("what another parent refers to is not its own child: %s", async (property, status) => {
  const { yard, tracks } = await newYard();
  const other = await service.create(YARDS, { [property]: trackOf(tracks[0] ?? {}) });
  expect((await remove(YARDS, yard)).status).toBe(status);
  expect(await exists(pathOf(YARDS, yard))).toBe(status === 409);
  const kept = status === 409 ? trackOf(tracks[0] ?? {}) : null;
  expect((await service.read(pathOf(YARDS, other)))[property]).toEqual(kept);
});

test("what refers to a child from elsewhere keeps the parent, alone or in a list", async () => {
  const { convoy, wagons } = await newConvoy(service, 1);
  const wagon = refTo(wagons[0] ?? {}, "wagonId");
  for (const body of [{ wagon }, { wagons: [wagon] }]) {
    const toll = await service.create(TOLLS, body);
    expect(await refused(convoy)).toContain("tolls");
    expectError(await remove(WAGONS, wagons[0] ?? {}), 409, "WagonInUseMessage");
    expect((await remove(TOLLS, toll)).status).toBe(204);
  }
  const elsewhere = await newConvoy(service, 1);
  const other = wagonPath(elsewhere.wagons[0] ?? {});
  await service.send("PATCH", other, { body: { next: wagon } });
  expect(await refused(convoy)).toContain("wagons");
  await service.send("PATCH", other, { body: { next: null } });
  expect((await remove(CONVOYS, convoy)).status).toBe(204);
});

test("what lets go of a child lets go of it when the parent is deleted", async () => {
  const { convoy, wagons } = await newConvoy(service, 1);
  const wagon = refTo(wagons[0] ?? {}, "wagonId");
  const beacon = await service.create(BEACONS, { wagon });
  expect(beacon["wagon"]).toEqual({ ...wagon, label: "w0" });
  expect((await remove(CONVOYS, convoy)).status).toBe(204);
  expect((await service.read(pathOf(BEACONS, beacon)))["wagon"]).toBeNull();
});

test("no child is left without its parent, whoever creates some while it is deleted", async () => {
  for (let round = 0; round < 20; round += 1) {
    const { convoy } = await newConvoy(service, 1);
    const [deleted, ...made] = await Promise.all([
      remove(CONVOYS, convoy),
      ...Array.from({ length: 4 }, async () => service.send("POST", under(convoy), { body: {} })),
    ]);
    expect(deleted?.status).toBe(204);
    for (const answer of made) {
      if (answer.status === 201) expect(await exists(wagonPath(answer.json))).toBe(false);
      else expectError(answer, 404, "ConvoyNotFoundMessage");
    }
  }
});
