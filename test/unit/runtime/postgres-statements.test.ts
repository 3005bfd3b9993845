import { expect, test } from "vitest";

import { numbered, PostgresStatements } from "#runtime/store/postgres-statements";

test.each([
  { given: "SELECT 1", want: "SELECT 1" },
  { given: "VALUES (?, ?, ?)", want: "VALUES ($1, $2, $3)" },
  { given: `"a?" = ? AND 'it''s?' = ?`, want: `"a?" = $1 AND 'it''s?' = $2` },
  { given: `CAST("tags" AS jsonb) @> ANY (?)`, want: `CAST("tags" AS jsonb) @> ANY ($1)` },
])("$given is sent as $want", ({ given, want }) => {
  expect(numbered(given)).toBe(want);
});

test("a text keeps its name, and two texts have two", () => {
  const statements = new PostgresStatements();
  const [one, other, again] = ["SELECT ?", "SELECT 2", "SELECT ?"].map((sql) => statements.of(sql));
  expect(again).toBe(one);
  expect(other?.name).not.toBe(one?.name);
});

test("past the most names a statement has none, so that connections do not grow without end", () => {
  const statements = new PostgresStatements(2);
  const names = ["a", "b", "c", "d", "a"].map((sql) => statements.of(sql).name);
  expect(names).toEqual(["s0", "s1", undefined, undefined, "s0"]);
});

const TICKETS = `\n  SELECT "tickets"."ticketId", "tickets"."title"\n  FROM "tickets"`;

test.each([
  { sql: `${TICKETS} WHERE "tickets"."ticketId" = ?`, lane: "lookup" },
  { sql: `${TICKETS} WHERE "tickets"."ticketId" = ANY (?)`, lane: "lookup" },
  { sql: `${TICKETS} WHERE "tickets"."title" = ? AND "tickets"."ticketId" = ?`, lane: "lookup" },
  { sql: `${TICKETS} ORDER BY "tickets"."ticketId" LIMIT ? OFFSET ?`, lane: "slow" },
  { sql: `SELECT COUNT(*) AS count FROM "tickets" WHERE "tickets"."title" = ?`, lane: "slow" },
  { sql: `SELECT 1 FROM "tickets" WHERE "order" = ? LIMIT 1`, lane: "slow" },
])("$sql is a $lane", ({ sql, lane }) => {
  const shape = new PostgresStatements().of(sql);
  expect([shape.lane.kind, shape.lanes.name]).toEqual([lane, "tickets"]);
});

test("a list is quick after three quick runs, until one is slow", () => {
  const shape = new PostgresStatements().of(`${TICKETS} ORDER BY "tickets"."ticketId"`);
  const kinds = [5, 5, 5, 500, 5].map((milliseconds) => {
    shape.learn(milliseconds);
    return shape.lane.kind;
  });
  expect(kinds).toEqual(["slow", "slow", "quick", "slow", "slow"]);
});

test("far pages are judged apart from the first ones", () => {
  const statements = new PostgresStatements();
  const sql = `${TICKETS} ORDER BY "tickets"."ticketId" LIMIT ? OFFSET ?`;
  const [near, far] = [100, 100_000].map((offset) => statements.ofRead(sql, [20, offset]));
  for (let time = 0; time < 3; time += 1) near?.learn(1);
  expect([near?.lane.kind, far?.lane.kind]).toEqual(["quick", "slow"]);
  expect(far?.name).toBe(near?.name);
});

test("a unit that writes several tables is none of theirs alone", () => {
  const statements = new PostgresStatements();
  const [one, other, again] = [
    `INSERT INTO "orders" ("a") VALUES (?)`,
    `DELETE FROM "tickets" WHERE "b" = ?`,
    `UPDATE "orders" SET "a" = ?`,
  ].map((sql) => statements.of(sql));
  if (one === undefined || other === undefined || again === undefined) throw new Error("three");
  expect(statements.lanesOf([one, again])).toBe(one.lanes);
  expect(statements.lanesOf([one, other]).name).toBe("orders,tickets");
  expect(statements.lanesOf([one, other, again])).toBe(statements.lanesOf([one, other]));
});
