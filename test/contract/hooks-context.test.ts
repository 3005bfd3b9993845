import { expect, test } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import type { WriteStep } from "#runtime/store/database";
import { apiErrorClass, customCode, type Values } from "./support/custom-code.js";
import { expectError, resultsOf } from "./support/errors.js";
import { BADGES, LOGS, MISSING, newBadge, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const START = Date.UTC(2026, 0, 1);
let now = START;
const identifiers: string[] = [];
const service = await startService("contract", {
  ownErrors: true,
  clock: () => now,
  newIdentifier: () => identifiers.shift() ?? crypto.randomUUID(),
});
const widgets = await customCode("widgets");
const badges = await customCode("badges");
const depots = await customCode("depots");
const consignments = await customCode("consignments");
const ApiError = await apiErrorClass();

const post = async (body: Values) => service.send("POST", WIDGETS, { body });
const countOf = async (path: string) => (await service.read(path))["itemCount"];

/** A write of the service's own code: one more log. */
function logLine(line: string): WriteStep {
  const stamps = `'2026-01-01T00:00:00.000Z', '${MISSING}', 'x'`;
  return {
    sql: `INSERT INTO "logs" VALUES (?, ?, ${stamps}, ${stamps}, 1)`,
    values: [crypto.randomUUID(), line],
  };
}

const logLines = async () =>
  resultsOf(await service.read(`${LOGS}?pageSize=5&sort=line`)).map(({ line }) => line);

test("context.add writes in the transaction of the change", async () => {
  Object.assign(widgets, {
    beforeCreate: (_: Values, context: Context) => context.add(logLine("1 created")),
    beforeUpdate: (_: Values, _stored: Values, context: Context) =>
      context.add(logLine("2 updated")),
    beforeDelete: (_: Values, context: Context) => context.add(logLine("3 deleted")),
  });
  const made = await service.create(WIDGETS, { name: "drill" });
  const path = pathOf(WIDGETS, made);
  expect(await logLines()).toEqual(["1 created"]);
  await service.send("PATCH", path, { body: { size: 1 } });
  await service.send("DELETE", path);
  expect(await logLines()).toEqual(["1 created", "2 updated", "3 deleted"]);
});

test("an added write that fails takes the change back, and the other way round", async () => {
  const lines = await logLines();
  const made = await service.create(BADGES, newBadge("rolled"));
  const path = pathOf(BADGES, made);
  // Fails after the change: one identifier for two logs.
  const twice = (context: Context): void => {
    const step = logLine("9 twice");
    context.add(step);
    context.add(step);
  };
  Object.assign(badges, {
    beforeCreate: (_: Values, context: Context) => twice(context),
    beforeUpdate: (_: Values, _stored: Values, context: Context) => twice(context),
    beforeDelete: (_: Values, context: Context) => twice(context),
  });
  const failed = [
    await service.send("POST", BADGES, { body: newBadge("never") }),
    await service.send("PATCH", path, { body: { level: 5 } }),
    await service.send("DELETE", path),
  ];
  for (const { status } of failed) expect(status).toBeGreaterThanOrEqual(400);
  expect(await service.read(path)).toEqual(made);
  badges.beforeCreate = (_, context) => context.add(logLine("9 orphan"));
  const taken = await service.send("POST", BADGES, { body: newBadge("rolled") });
  expectError(taken, 409, "BadgeAlreadyExistsMessage");
  expect(await logLines()).toEqual(lines);
  expect(resultsOf(await service.read(BADGES)).map(({ serial }) => serial)).not.toContain("never");
});

test("a write that must change a number of rows takes the change back when it does not", async () => {
  const before = await countOf(WIDGETS);
  widgets.beforeCreate = (_, context) => {
    context.add({
      sql: `DELETE FROM "logs" WHERE "logId" = ?`,
      values: [MISSING],
      changes: 1,
      otherwise: () => new ApiError(403, "NothingLeftMessage", "There is nothing left."),
    });
  };
  expectError(await post({ name: "drill" }), 403, "NothingLeftMessage");
  expect(await countOf(WIDGETS)).toBe(before);
});

test("a reference to nothing that a hook writes is its mistake: 500 soon, and nothing is written", async () => {
  const made = await service.create("/api/v1/depots", { name: "north" });
  const before = await countOf("/api/v1/consignments");
  const path = pathOf("/api/v1/depots", made);
  let calls = 0;
  const orphan = (context: Context): void => {
    calls += 1;
    context.add({
      sql: `INSERT INTO "consignments_stops" (owner_id, other_id) VALUES (?, ?)`,
      values: [MISSING, MISSING],
    });
  };
  Object.assign(depots, {
    beforeUpdate: (_: Values, _stored: Values, context: Context) => orphan(context),
    beforeDelete: (_: Values, context: Context) => orphan(context),
  });
  consignments.beforeCreate = (consignment) => {
    consignment["depot"] = { depotId: MISSING, name: "", fee: null, grade: null, open: null };
    calls += 1;
  };
  const body = { depot: { depotId: made["depotId"] ?? "" } };
  const failed = [
    await service.send("PATCH", path, { body: { name: "south" } }),
    await service.send("DELETE", path),
    await service.send("POST", "/api/v1/consignments", { body }),
  ];
  for (const answer of failed) expectError(answer, 500, "InternalErrorMessage");
  expect(calls).toBeLessThan(20);
  expect(await service.read(path)).toEqual(made);
  expect(await countOf("/api/v1/consignments")).toBe(before);
});

test("what a refused request added is not written by a later one", async () => {
  const lines = await logLines();
  widgets.beforeCreate = (widget, context) => {
    context.add(logLine("9 left over"));
    if (widget["name"] === "refused") throw new ApiError(403, "ForbiddenMessage", "No.");
    if (widget["name"] === "clean") throw new Error("not reached");
  };
  await post({ name: "refused" });
  delete widgets.beforeCreate;
  await post({ name: "later" });
  expect(await logLines()).toEqual(lines);
});

test("the context says who calls, when, and under which request id", async () => {
  const seen: unknown[] = [];
  widgets.beforeCreate = (_, { subject, clock, requestId, logger }) => {
    logger.info("seen");
    seen.push(subject, clock(), requestId);
  };
  const headers = { "x-request-id": "request-7" };
  await service.send("POST", WIDGETS, { body: { name: "drill" }, headers });
  const nobody = "00000000-0000-0000-0000-000000000000";
  expect(seen).toEqual([{ subjectId: nobody, userPrincipalName: "anonymous" }, now, "request-7"]);
});

test("dates are the injected clock's, and identifiers the injected source's", async () => {
  const id = "0190a0a0-2222-7000-8000-000000000001";
  identifiers.push(id);
  now = Date.UTC(2027, 1, 28, 23, 59, 59, 999);
  const made = await service.create(WIDGETS, { name: "drill" });
  expect(made).toMatchObject({
    widgetId: id,
    createdDate: "2027-02-28T23:59:59.999Z",
    lastModifiedDate: "2027-02-28T23:59:59.999Z",
  });
  now += 1;
  const path = `${WIDGETS}/${id}`;
  const changed = await service.send("PATCH", path, { body: { size: 1 } });
  expect(changed.json).toMatchObject({
    createdDate: "2027-02-28T23:59:59.999Z",
    lastModifiedDate: "2027-03-01T00:00:00.000Z",
  });
});

test("a clock that is set back never sets lastModifiedDate back", async () => {
  now = Date.UTC(2028, 0, 1);
  const made = await service.create(WIDGETS, { name: "drill" });
  now = START;
  const changed = await service.send("PATCH", pathOf(WIDGETS, made), { body: { size: 1 } });
  expect(changed.json["lastModifiedDate"]).toBe(made["lastModifiedDate"]);
});
