import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { expectError, resultsOf } from "./support/errors.js";
import { startService } from "./support/service.js";

const PALLETS = "/api/v1/pallets";
const TAKEN = "PalletAlreadyExistsMessage";
const service = await startService();
const post = async (body: JsonObject, path = PALLETS) => service.send("POST", path, { body });
const pathOf = ({ palletId }: JsonObject): string => `${PALLETS}/${String(palletId)}`;

test("a second entity with the same values is 409, and the message names them all", async () => {
  await service.create(PALLETS, { row: "A", place: 1 });
  const { description } = expectError(await post({ row: "A", place: 1 }), 409, TAKEN);
  expect(description).toBe("There is another pallet with the same row and place.");
});

test("one value in common is none too many", async () => {
  await service.create(PALLETS, { row: "B", place: 1 });
  await service.create(PALLETS, { row: "B", place: 2 });
  await service.create(PALLETS, { row: "C", place: 1 });
});

test("null is like no other", async () => {
  for (let turn = 0; turn < 2; turn += 1) {
    await service.create(PALLETS, { row: "D" });
    await service.create(PALLETS, { place: 9 });
    await service.create(PALLETS, {});
  }
});

test("a reference is a value like others", async () => {
  const depot = await service.create("/api/v1/depots", { name: "north" });
  const other = await service.create("/api/v1/depots", { name: "south" });
  const body = (one: JsonObject) => ({
    depot: { depotId: one["depotId"] ?? null },
    title: "t",
    bay: 4,
  });
  await service.create(PALLETS, body(depot));
  await service.create(PALLETS, body(other));
  const { description } = expectError(await post(body(depot)), 409, TAKEN);
  expect(description).toBe("There is another pallet with the same depot, title and bay.");
});

test.each(["PATCH", "PUT"])(
  "a %s to values that are taken is 409, its own are not",
  async (method) => {
    await service.create(PALLETS, { row: method, place: 1 });
    const second = await service.create(PALLETS, { row: method, place: 2 });
    const moved = await service.send(method, pathOf(second), { body: { ...second, place: 1 } });
    expectError(moved, 409, TAKEN);
    expect(await service.read(pathOf(second))).toEqual(second);
    const kept = await service.send(method, pathOf(second), { body: { ...second, weight: 1 } });
    expect(kept.status).toBe(200);
  },
);

test("a representation tells them in its own names", async () => {
  await service.create(PALLETS, { row: "R", place: 1 });
  const body = { row: "R", position: 1, load: 0 };
  const { description } = expectError(await post(body, "/api/v1/restingpallets"), 409, TAKEN);
  expect(description).toBe("There is another pallet with the same row and position.");
});

test("of 50 concurrent creates exactly one is 201", async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => post({ row: "race", place: 1 })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const answer of answers) if (answer.status !== 201) expectError(answer, 409, TAKEN);
  const all = resultsOf(await service.read(`${PALLETS}?pageSize=100`));
  expect(all.filter(({ row }) => row === "race")).toHaveLength(1);
});
