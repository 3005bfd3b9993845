import { expect, test } from "vitest";

import {
  LOOKUP,
  numbered,
  PostgresStatements,
  QUICK,
  SLOW,
  WRITE,
} from "#runtime/store/postgres/statements";

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
  { sql: `${TICKETS} WHERE "tickets"."ticketId" = ?`, kind: LOOKUP },
  { sql: `${TICKETS} WHERE "tickets"."ticketId" = ANY (?)`, kind: LOOKUP },
  { sql: `${TICKETS} WHERE "tickets"."title" = ? AND "tickets"."ticketId" = ?`, kind: LOOKUP },
  { sql: `${TICKETS} ORDER BY "tickets"."ticketId" LIMIT ? OFFSET ?`, kind: SLOW },
  { sql: `SELECT COUNT(*) AS count FROM "tickets" WHERE "tickets"."title" = ?`, kind: SLOW },
  { sql: `SELECT 1 FROM "tickets" WHERE "order" = ? LIMIT 1`, kind: SLOW },
  { sql: `UPDATE "tickets" SET "title" = ? WHERE "tickets"."ticketId" = ?`, kind: WRITE },
  { sql: `DELETE FROM "tickets" WHERE "ticketId" = ?`, kind: WRITE },
  {
    sql: `WITH event_0 AS (INSERT INTO "events" ("a") VALUES (?)) INSERT INTO "tickets" ("b") VALUES (?)`,
    kind: WRITE,
  },
])("$sql is of tickets, and of its kind", ({ sql, kind }) => {
  const shape = new PostgresStatements().of(sql);
  expect([shape.kind, shape.table]).toEqual([kind, "tickets"]);
});

test("a list is quick after three quick runs, until one is slow", () => {
  const shape = new PostgresStatements().of(`${TICKETS} ORDER BY "tickets"."ticketId"`);
  const kinds = [5, 5, 5, 500, 5].map((milliseconds) => {
    shape.recordDuration(milliseconds);
    return shape.kind;
  });
  expect(kinds).toEqual([SLOW, SLOW, QUICK, SLOW, SLOW]);
});

test("a read by identifier stays one, however long it takes", () => {
  const shape = new PostgresStatements().of(`${TICKETS} WHERE "tickets"."ticketId" = ?`);
  shape.recordDuration(5000);
  expect(shape.kind).toBe(LOOKUP);
});

test("far pages are judged apart from the first ones", () => {
  const statements = new PostgresStatements();
  const sql = `${TICKETS} ORDER BY "tickets"."ticketId" LIMIT ? OFFSET ?`;
  const [near, far] = [100, 100_000].map((offset) => statements.ofRead(sql, [20, offset]));
  for (let time = 0; time < 3; time += 1) near?.recordDuration(1);
  expect([near?.kind, far?.kind]).toEqual([QUICK, SLOW]);
  expect(far?.name).toBe(near?.name);
});
