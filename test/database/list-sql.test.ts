import { afterAll, expect, inject, test } from "vitest";

import type { Filter, ListQuery, ValueFilter } from "#runtime/query/query";
import type { Database, SqlValue } from "#runtime/store/database";
import type { ListedTable } from "#runtime/store/entity-table";
import { ListSql } from "#runtime/store/list-sql";
import { openPostgres } from "#runtime/store/postgres/postgres";
import { scaledInteger } from "#runtime/store/rows";
import { openSqlite } from "#runtime/store/sqlite/sqlite";
import { makeSchema, schemaUrl } from "../support/postgres-schema.js";

const table: ListedTable = {
  name: "items",
  idProperty: "itemId",
  columns: {
    name: { expression: `"name"` },
    price: { expression: `"price"`, bind: (value) => scaledInteger(value, 2) },
    active: { expression: `"active"` },
    tags: { expression: `"tags"`, contains: true },
    rates: { expression: `"rates"`, contains: true },
    flags: { expression: `"flags"`, contains: true },
    "address.state": {
      expression: {
        sqlite: `"address" ->> '$.state'`,
        postgres: `(CAST("address" AS jsonb) #>> '{state}') COLLATE "C"`,
      },
    },
  },
};
const SELECT = `SELECT "itemId" FROM "items"`;
const ROWS: readonly (readonly SqlValue[])[] = [
  ["1", "b", 1250n, 1, `["red","blue"]`, `{"state":"utah"}`, `["12.50"]`, `[true,false]`],
  ["2", null, null, 0, "[]", null, "[]", "[]"],
  [
    "3",
    "a",
    999_999_999_999_999_999n,
    null,
    `["red"]`,
    `{"state":null}`,
    `["0.05","12.50"]`,
    `[false]`,
  ],
  ["4", "B", 5n, 1, `["green"]`, `{"state":"ohio"}`, `["1.00"]`, `[true]`],
];

function filter(path: string, values: ValueFilter["values"], orNull = false): Filter {
  return { path, values, orNull, contains: ["tags", "rates", "flags"].includes(path) };
}

function queryOf(filters: readonly Filter[], sort: ListQuery["sort"] = []): ListQuery {
  return { filters, sort, pageNumber: 1, pageSize: 20, defaultSize: 20, counted: true };
}

/** Both databases, with the same rows: every list is the same on both. */
const postgresUrl = schemaUrl(inject("postgresUrl"));
await makeSchema(postgresUrl);
const databases = [
  await filled(await openSqlite(":memory:"), ["INTEGER", "INTEGER"]),
  await filled(
    await openPostgres({ url: postgresUrl, connections: 2, requestSeconds: 30, name: "lists" }),
    ["BIGINT", "BOOLEAN"],
  ),
];
afterAll(async () => {
  for (const database of databases) await database.close();
});

async function filled(database: Database, [price, active]: readonly string[]): Promise<Database> {
  const text = `TEXT${database.dialect === "postgres" ? ' COLLATE "C"' : ""}`;
  await database.write([
    {
      sql: `CREATE TABLE "items" ("itemId" ${text}, "name" ${text}, "price" ${price}, "active" ${active},
        "tags" ${text}, "address" ${text}, "rates" ${text}, "flags" ${text})`,
      values: [],
    },
  ]);
  const sql = `INSERT INTO "items" VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
  await database.write(ROWS.map((values) => ({ sql, values })));
  return database;
}

async function idsOf(query: ListQuery): Promise<string> {
  const found: string[] = [];
  for (const database of databases) {
    const lists = new ListSql(table, database.dialect, SELECT);
    const { page, count } = lists.statements(query);
    const rows = await database.all(page, [...lists.values(query), query.pageSize, 0]);
    const counted = await database.get(count, lists.values(query));
    expect(counted?.["count"]).toBe(rows.length);
    found.push(rows.map((row) => row["itemId"]).join());
  }
  expect(found[1]).toBe(found[0]);
  return found[0] ?? "";
}

test.each([
  { name: "nothing", filters: [], want: "1,2,3,4" },
  { name: "one value", filters: [filter("name", ["a"])], want: "3" },
  { name: "case matters", filters: [filter("name", ["B"])], want: "4" },
  { name: "any of several values", filters: [filter("name", ["a", "b"])], want: "1,3" },
  { name: "null", filters: [filter("name", [], true)], want: "2" },
  { name: "a value or null", filters: [filter("name", ["a"], true)], want: "2,3" },
  { name: "several values or null", filters: [filter("name", ["a", "b"], true)], want: "1,2,3" },
  { name: "a decimal", filters: [filter("price", ["12.50"])], want: "1" },
  {
    name: "big decimals",
    filters: [filter("price", ["9999999999999999.99", "0.05"])],
    want: "3,4",
  },
  { name: "a boolean", filters: [filter("active", [true])], want: "1,4" },
  { name: "an array that contains the value", filters: [filter("tags", ["red"])], want: "1,3" },
  { name: "an array that contains any", filters: [filter("tags", ["blue", "green"])], want: "1,4" },
  { name: "an array of decimals", filters: [filter("rates", ["12.50"])], want: "1,3" },
  { name: "any of several decimals", filters: [filter("rates", ["1.00", "0.05"])], want: "3,4" },
  { name: "an array of booleans", filters: [filter("flags", [true])], want: "1,4" },
  { name: "any boolean", filters: [filter("flags", [true, false])], want: "1,3,4" },
  {
    name: "hostile texts",
    filters: [filter("name", ['"', "\\", "{", "a"]), filter("tags", ['{"', "red", '\\"'])],
    want: "3",
  },
  { name: "an empty array", filters: [filter("tags", [], true)], want: "2" },
  { name: "a value or an empty array", filters: [filter("tags", ["green"], true)], want: "2,4" },
  { name: "a nested field", filters: [filter("address.state", ["utah"])], want: "1" },
  {
    name: "a nested field that is null",
    filters: [filter("address.state", [], true)],
    want: "2,3",
  },
  {
    name: "several filters",
    filters: [filter("tags", ["red"]), filter("active", [true])],
    want: "1",
  },
  { name: "SQL in a value", filters: [filter("name", ["' OR 1=1 --"])], want: "" },
  { name: "no value at all", filters: [filter("name", [])], want: "" },
  {
    name: "alternatives of several filters",
    filters: [
      { any: [[filter("name", ["a"])], [filter("tags", ["red"]), filter("active", [true])]] },
    ],
    want: "1,3",
  },
  {
    name: "two lists of alternatives that hold together",
    filters: [
      { any: [[filter("name", ["a"])], [filter("name", ["b"])]] },
      { any: [[filter("tags", ["blue"])], [filter("tags", ["green"])]] },
    ],
    want: "1",
  },
  {
    name: "an alternative that asks nothing",
    filters: [{ any: [[filter("name", ["a"])], []] }],
    want: "1,2,3,4",
  },
  { name: "no alternative", filters: [{ any: [] }], want: "" },
])("a list filtered by $name", async ({ filters, want }) => {
  expect(await idsOf(queryOf(filters))).toBe(want);
});

test.each([
  { sort: [{ path: "name", descending: false }], want: "4,3,1,2" },
  { sort: [{ path: "name", descending: true }], want: "1,3,4,2" },
  { sort: [{ path: "active", descending: true }], want: "1,4,2,3" },
  {
    sort: [
      { path: "active", descending: false },
      { path: "name", descending: true },
    ],
    want: "2,1,4,3",
  },
])("sorted by $sort, nulls come last and ties end on the identifier", async ({ sort, want }) => {
  expect(await idsOf(queryOf([], sort))).toBe(want);
});

test("the text of a statement is the same for any values of one shape", () => {
  const lists = new ListSql(table, "sqlite", SELECT);
  const one = lists.statements(queryOf([filter("name", ["a", "b"])]));
  const other = lists.statements(queryOf([filter("name", ["c", "d", "e"])]));
  expect(other).toBe(one);
  expect(one.page).toBe(
    `SELECT "itemId" FROM "items" WHERE "name" IN (SELECT value FROM json_each(?)) ORDER BY "items"."itemId" LIMIT ? OFFSET ?`,
  );
});

test("shapes that need another statement are told apart", () => {
  const lists = new ListSql(table, "sqlite", SELECT);
  const shapes = [
    queryOf([filter("name", ["a"])]),
    queryOf([filter("name", ["a", "b"])]),
    queryOf([filter("name", [], true)]),
    queryOf([filter("name", ["a"], true)]),
    queryOf([filter("name", ["a", "b"], true)]),
    queryOf([], [{ path: "name", descending: false }]),
    queryOf([], [{ path: "name", descending: true }]),
    queryOf([filter("name", ["a"])], [{ path: "name", descending: true }]),
  ].map((query) => lists.statements(query).page);
  expect(new Set(shapes).size).toBe(shapes.length);
});

test.each(["nowhere", "constructor", "__proto__", `name"; DROP TABLE items; --`])(
  "a path that is not in the table is an internal error: %s",
  (path) => {
    expect(() =>
      new ListSql(table, "sqlite", SELECT).statements(queryOf([filter(path, ["a"])])),
    ).toThrow("has no column");
  },
);
