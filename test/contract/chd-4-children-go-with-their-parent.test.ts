import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { CONVOYS, newConvoy, refTo, under, WAGONS } from "./support/convoys.js";
import { expectError } from "./support/errors.js";
import { pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const TOLLS = "/api/v1/tolls";
const BEACONS = "/api/v1/beacons";

const service = await startService();
const remove = async (collection: string, entity: JsonObject) =>
  service.send("DELETE", pathOf(collection, entity));
const wagonPath = (wagon: JsonObject): string => `${WAGONS}/${String(wagon["wagonId"])}`;
const exists = async (path: string): Promise<boolean> =>
  (await service.send("GET", path)).status === 200;
const refused = async (convoy: JsonObject): Promise<string> =>
  expectError(await remove(CONVOYS, convoy), 409, "ConvoyInUseMessage").description ?? "";

test("a parent is deleted with its children, and with no other parent's", async () => {
  const { convoy, wagons } = await newConvoy(service, 3);
  const other = await newConvoy(service, 1);
  expect((await remove(CONVOYS, convoy)).status).toBe(204);
  for (const wagon of wagons) {
    expectError(await service.send("GET", wagonPath(wagon)), 404, "WagonNotFoundMessage");
  }
  expectError(await service.send("GET", under(convoy)), 404, "ConvoyNotFoundMessage");
  expect(await exists(wagonPath(other.wagons[0] ?? {}))).toBe(true);
});

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

test("a child in a state in which it may not be deleted keeps its parent: 409, and nothing is gone", async () => {
  const { convoy, wagons } = await newConvoy(service, 2);
  const [first = {}, second = {}] = wagons;
  const set = async (status: string) =>
    service.send("PATCH", wagonPath(second), { body: { status } });
  await set("moving");
  expect(await refused(convoy)).toContain("wagons");
  expect(await exists(pathOf(CONVOYS, convoy))).toBe(true);
  expect(await exists(wagonPath(first))).toBe(true);
  await set("lost");
  expect((await remove(CONVOYS, convoy)).status).toBe(204);
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
