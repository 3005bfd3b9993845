import { expect, test } from "vitest";
import type { ResourceModel } from "../../../src/model/resource-model.js";
import type { JsonObject } from "../../../src/samples/json.js";
import { answerOf, type Exchange } from "../../../src/verify/exchange.js";
import { UniqueValues } from "../../../src/verify/unique-values.js";
import { renderValid } from "../../support/render-files.js";

async function ticketsWith(properties: string, unique = ""): Promise<ResourceModel> {
  const { model } = await renderValid({
    "service.yaml": "service: desk\n",
    "resources/v1/tickets.yaml": `resource: tickets\nentity: ticket\nproperties: { ${properties} }\n${unique}`,
  });
  const [tickets] = model.versions.flatMap(({ resources }) => resources);
  if (tickets === undefined) throw new Error("there are no tickets");
  return tickets;
}

/** The answer to a POST that created a ticket. */
function made(ticketId: string, values: JsonObject): Exchange {
  const bytes = Buffer.from(JSON.stringify({ ticketId, ...values }));
  const request = { method: "POST", path: "/api/v1/tickets", headers: {}, body: "" };
  return { request, answer: answerOf(201, {}, bytes) };
}

const SEED = { run: "00000000-0000-4000-8000-000000000000", index: 0, anchors: () => [] };
const ROOMS = "room: { enum: [north, south] }, floor: { enum: [low, high] }";
const TOGETHER = "unique: [[room, floor]]\n";

test.each([
  { code: 'type: string, pattern: "^[A-Z]{3}$", maxLength: 3', want: false },
  { code: 'type: string, pattern: "^[A-Z]{2}$", maxLength: 2', want: true },
  { code: 'type: string, pattern: "^[A-Z]$", maxLength: 1', want: true },
  { code: "enum: [red, blue]", want: true },
  { code: "type: integer, minimum: 1, maximum: 100", want: false },
  { code: "type: integer, minimum: 1, maximum: 50", want: true },
  { code: "type: integer, minimum: 1, maximum: 50, readOnly: true", want: false },
])("$code has few values: $want", async ({ code, want }) => {
  expect(new UniqueValues().isFew(await ticketsWith(`code: { ${code}, unique: true }`))).toBe(want);
});

test.each([
  { properties: ROOMS, want: true },
  { properties: "room: { enum: [north, south] }, floor: { type: boolean }", want: true },
  { properties: "room: { enum: [north, south] }, floor: { type: timestamp }", want: false },
])("a list of { $properties } can hold few entities: $want", async ({ properties, want }) => {
  expect(new UniqueValues().isFew(await ticketsWith(properties, TOGETHER))).toBe(want);
});

test("one place stays free, and the reason counts those that are taken", async () => {
  const tickets = await ticketsWith(ROOMS, TOGETHER);
  const unique = new UniqueValues();
  const values: JsonObject[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    expect(unique.scarceIn(tickets, null, 1)).toBeNull();
    const free = unique.freeValues(tickets, {}, SEED) ?? {};
    expect(values).not.toContainEqual(free);
    values.push(free);
    unique.observe(made(`ticket${turn}`, free), tickets);
  }
  expect(unique.scarceIn(tickets, null, 1)).toBe(
    "no two tickets have the same room and floor (taken: 3 of 4; one is kept free)",
  );
  expect(unique.scarceIn(tickets, null, 0)).toBeNull();
  unique.forget("/api/v1/tickets/ticket0");
  expect(unique.freeValues(tickets, {}, SEED)).not.toBeNull();
  expect(unique.scarceIn(tickets, null, 1)).toBeNull();
});

test("null takes no place", async () => {
  const tickets = await ticketsWith(ROOMS, TOGETHER);
  const unique = new UniqueValues();
  for (let turn = 0; turn < 5; turn += 1)
    unique.observe(made(`ticket${turn}`, { room: "north", floor: null }), tickets);
  expect(unique.scarceIn(tickets, null, 1)).toBeNull();
});

test("a refusal is right only where another entity has all of the values", async () => {
  const tickets = await ticketsWith(ROOMS, TOGETHER);
  const unique = new UniqueValues();
  unique.observe(made("one", { room: "north", floor: "low" }), tickets);
  unique.observe(made("other", { room: "south", floor: "low" }), tickets);
  const path = "/api/v1/tickets";
  const takenBy = (method: string, to: string, body: JsonObject) =>
    unique.takenBy({ method, path: to, body }, tickets);
  expect(takenBy("POST", path, { room: "north", floor: "low" })).toEqual(["room", "floor"]);
  expect(takenBy("POST", path, { room: "north", floor: "high" })).toBeNull();
  expect(takenBy("POST", path, { room: "north" })).toBeNull();
  expect(takenBy("PATCH", `${path}/other`, { room: "north" })).toEqual(["room", "floor"]);
  expect(takenBy("PATCH", `${path}/one`, { room: "north" })).toBeNull();
});
