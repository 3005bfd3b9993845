import { expect, test } from "vitest";

import {
  numbered,
  PostgresStatements,
} from "../../../templates/kernel/store/postgres-statements.js";

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
  const [one, other, again] = ["SELECT ?", "SELECT 2", "SELECT ?"].map((sql) =>
    statements.of(sql, [1]),
  );
  expect(again).toEqual(one);
  expect(other?.name).not.toBe(one?.name);
});

test("past the most names a statement has none, so that connections do not grow without end", () => {
  const statements = new PostgresStatements(2);
  const names = ["a", "b", "c", "d", "a"].map((sql) => statements.of(sql, []).name);
  expect(names).toEqual(["s0", "s1", undefined, undefined, "s0"]);
});
