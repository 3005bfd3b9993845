import { expect, test } from "vitest";
import type { Json, JsonObject } from "./support/client.js";
import { expectFields } from "./support/errors.js";
import { FULL_CRATE } from "./support/full-bodies.js";
import { expectRefusal, printed } from "./support/refusal.js";
import { newBadge, FULL_WIDGET } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();

test.each<{ path: string; body: JsonObject; idProperty: string }>([
  { path: "widgets", body: FULL_WIDGET, idProperty: "widgetId" },
  { path: "crates", body: FULL_CRATE, idProperty: "crateId" },
  { path: "badges", body: newBadge("one"), idProperty: "badgeId" },
])("what was read of $path can be sent back as it is", async ({ path, body, idProperty }) => {
  const created = await service.create(`/api/v1/${path}`, body);
  const one = `/api/v1/${path}/${String(created[idProperty])}`;
  for (const method of ["PUT", "PATCH"]) {
    const answer = await service.send(method, one, { body: await service.read(one) });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toEqual(created);
  }
});

test("what was read can be sent again as a new entity, which gets its own", async () => {
  const first = await service.create("/api/v1/widgets", FULL_WIDGET);
  const second = await service.create("/api/v1/widgets", first);
  expect(second["widgetId"]).not.toBe(first["widgetId"]);
  expect(second).toMatchObject(FULL_WIDGET);
});

const FIELDS = [
  "widgetId",
  "createdDate",
  "createdSubject",
  "lastModifiedDate",
  "lastModifiedSubject",
];
const VALUES: readonly Json[] = [null, "", "1999-12-31T23:59:59.999Z", 1, [], { subjectId: "x" }];

test.each(FIELDS)("%s is ignored whatever it is sent as", async (field) => {
  const stored = await service.create("/api/v1/widgets", { name: "drill" });
  const one = `/api/v1/widgets/${String(stored["widgetId"])}`;
  for (const value of VALUES) {
    const created = await service.create("/api/v1/widgets", { name: "drill", [field]: value });
    expect(created[field]).not.toEqual(value);
    const patched = await service.send("PATCH", one, { body: { [field]: value } });
    expect(patched.json).toEqual(stored);
    const replaced = await service.send("PUT", one, { body: { ...stored, [field]: value } });
    expect(replaced.json).toEqual(stored);
  }
});

test("a property that only the service's own code writes is ignored likewise", async () => {
  const badge = await service.create("/api/v1/badges", { ...newBadge("two"), score: 99 });
  expect(badge["score"]).toBeNull();
  const one = `/api/v1/badges/${String(badge["badgeId"])}`;
  for (const score of [5, "no number", null, {}]) {
    const patched = await service.send("PATCH", one, { body: { score } });
    expect(patched.json).toEqual(badge);
    const replaced = await service.send("PUT", one, { body: { ...badge, score } });
    expect(replaced.json).toEqual(badge);
  }
});

test("a PUT asks for none of them", async () => {
  const badge = await service.create("/api/v1/badges", newBadge("three"));
  const body = pick(badge, ["serial", "alias", "level", "addresses", "box"]);
  const one = `/api/v1/badges/${String(badge["badgeId"])}`;
  // Everything that can be updated, `secret` apart: that is the one that is missed.
  expectFields(await service.send("PUT", one, { body }), "secret");
  const accepted = await service.send("PUT", one, { body: { ...body, secret: null } });
  expect(accepted.status, accepted.text).toBe(200);
});

test("a field of another resource is not written by the service, and so is unknown", async () => {
  const body = { name: "drill", badgeId: "x" };
  expectFields(await service.send("POST", "/api/v1/widgets", { body }), "badgeId");
});

test("in a nested object no field is the service's, and so is unknown", async () => {
  const body = { title: "t", spot: { createdDate: null, shelf: { crateId: null } } };
  const answer = await service.send("POST", "/api/v1/crates", { body });
  expectFields(answer, "spot.createdDate", "spot.shelf.crateId");
});

test.each(["ticketId", ...FIELDS.slice(1)])("a schema may not declare %s", async (name) => {
  const place = "resources/v1/tickets.yaml:4:3";
  const refusal = { place, code: "ENT-3", marked: name, suggestion: name };
  await expectRefusal(`${name}: string`, refusal);
});

test("a schema may declare a name that only resembles one", async () => {
  expect(await printed("createdDates: { type: array, items: timestamp }\nmodified: string")).toBe(
    "",
  );
});

function pick(entity: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(entity).filter(([name]) => names.includes(name)));
}
