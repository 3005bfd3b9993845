import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectError, expectFields, resultsOf } from "./support/errors.js";
import { pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

const LOST = "/api/v1/lostwagons";

const service = await startService();
const idOf = ({ wagonId }: JsonObject): JsonObject => ({ wagonId: wagonId ?? "" });
const convoy = await service.create("/api/v1/convoys", { name: "east" });
const under = `${pathOf("/api/v1/convoys", convoy)}/wagons`;

/** A new wagon of the convoy that is on its way. */
async function movingWagon(label: string): Promise<JsonObject> {
  const made = await service.create(under, { label });
  const body = { status: "moving" };
  return (await service.send("PATCH", pathOf("/api/v1/wagons", idOf(made)), { body })).json;
}

test("a child has its parent under the name that it has here", async () => {
  const wagon = await movingWagon("a");
  const shown = await service.read(pathOf(LOST, idOf(wagon)));
  expect(shown).toMatchObject({ mark: "a", train: wagon["convoy"], whereabouts: "moving" });
  const { convoyId } = convoy;
  const found = await service.read(`${LOST}?train.convoyId=${String(convoyId)}&mark=a`);
  expect(resultsOf(found)).toEqual([shown]);
});

test("a child keeps its parent here, too, and is created under it alone", async () => {
  const other = await service.create("/api/v1/convoys", { name: "west" });
  const wagon = await movingWagon("b");
  const path = pathOf(LOST, idOf(wagon));
  const shown = await service.read(path);
  const same = await service.send("PUT", path, { body: { ...shown, mark: "c" } });
  expect(same.json).toMatchObject({ mark: "c", train: wagon["convoy"] });
  const body = { train: { convoyId: other["convoyId"] ?? "" } };
  expectFields(await service.send("PATCH", path, { body }), "train.convoyId");
  const refused = await service.send("POST", LOST, { body });
  expectError(refused, 405, "MethodNotAllowedMessage");
});

test("a child is deleted here as its state allows, and with its parent", async () => {
  const wagon = await movingWagon("d");
  const path = pathOf(LOST, idOf(wagon));
  expectError(await service.send("DELETE", path), 409, "InvalidWagonStateMessage");
  await service.send("PATCH", path, { body: { whereabouts: "lost" } });
  expect((await service.send("DELETE", path)).status).toBe(204);
  expectError(await service.send("GET", path), 404, "WagonNotFoundMessage");
});
