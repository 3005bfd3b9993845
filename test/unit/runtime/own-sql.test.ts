import { expect, test } from "vitest";
import type { CommonFields } from "#runtime/base/common-fields";
import { sqlOf, type Sql } from "#runtime/entity/custom-sql";
import type { RequestContext } from "#runtime/http/request";
import type { ServiceRuntime } from "#runtime/http/settings";
import { decimalFilter } from "#runtime/query/filters";
import type { Database, DialectName, SqlRow, SqlValue } from "#runtime/store/database";
import { scaledInteger } from "#runtime/store/rows";
import type { EntityStore } from "#runtime/store/entity-store";
import { fakeSql } from "#runtime/testing/test-app";

interface Order extends CommonFields {
  orderId: string;
  total: string | null;
  note: string | null;
  address: { state: string | null };
}

interface Argument extends CommonFields {
  argumentId: string;
  as: string;
}

interface Stores {
  orders: EntityStore<Order, object>;
  arguments: EntityStore<Argument, object>;
  name: EntityStore<Argument, object>;
  length: EntityStore<Argument, object>;
  call: EntityStore<Argument, object>;
  integer: EntityStore<Argument, object>;
}

const leaf = { sqlite: `"orders"."address" ->> '$.state'`, postgres: `"orders"."address"::x` };
const total = {
  bind: (value: string | number | boolean) => scaledInteger(value, 2),
  filter: decimalFilter(2),
};
const ORDERS = {
  name: "orders",
  idProperty: "orderId",
  written: ["total", "note", "address", "lines"],
  columns: { "buyer.name": { expression: `"buyers"."name"`, joined: true }, total },
  leaves: { "address.state": { expression: leaf } },
  json: { address: { state: null }, lines: [{ note: null }] },
};
const OTHERS = { name: "others", idProperty: "otherId", written: ["as"], columns: {} };

/** Statements and their values as they reach a database. */
const asked: unknown[] = [];

function sqlFor(dialect: DialectName, rows: readonly SqlRow[] = []): Sql<Stores> {
  const all = async (sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> => {
    asked.push(sql, values);
    return rows;
  };
  const database = { dialect, all } as unknown as Database;
  const others = ["arguments", "name", "length", "call", "integer"].map((name) => [
    name,
    { table: OTHERS },
  ]);
  const stores = { orders: { table: ORDERS }, ...Object.fromEntries(others) } as never;
  const runtime = {
    database,
    settings: { limits: { pageBytes: 100 } },
  } as unknown as ServiceRuntime;
  return sqlOf(stores, runtime)({} as RequestContext) as Sql<Stores>;
}

test.each([
  {
    dialect: "sqlite",
    want: `SELECT "orders"."note", "orders"."address" ->> '$.state', "o"."address" ->> '$.state', ? FROM "orders", "orders" AS "o" WHERE "orders"."created_date" > ? AND ("orders"."total" IN (?, ?))`,
  },
  {
    dialect: "postgres",
    want: `SELECT "orders"."note", "orders"."address"::x, "o"."address"::x, $1 FROM "orders", "orders" AS "o" WHERE "orders"."created_date" > $2 AND ("orders"."total" IN ($3, $4))`,
  },
] as const)("names, values and parts of a statement for $dialect", async ({ dialect, want }) => {
  const sql = sqlFor(dialect);
  const { orders } = sql;
  const other = orders.as("o");
  const part = sql`(${orders.total} IN (${[orders.total.of("1"), 3]}))`;
  asked.length = 0;
  await sql`SELECT ${orders.note}, ${orders.address.state}, ${other.address.state}, ${true} FROM ${orders}, ${other} WHERE ${orders.createdDate} > ${"?"} AND ${part}`.rows(
    {},
  );
  expect(asked).toEqual([want, [1, "?", 100n, 3n]]);
});

test("what has no column has no name", () => {
  const { orders } = sqlFor("sqlite");
  const names = Object.keys(orders).sort();
  expect(names).toEqual([
    "address",
    "as",
    "createdDate",
    "createdSubject",
    "lastModifiedDate",
    "lastModifiedSubject",
    "note",
    "orderId",
    "total",
  ]);
});

test("resources may be called as what a function has, or as a reader, and a property as what a table has", async () => {
  const sql = sqlFor("sqlite");
  const names = ["arguments", "name", "length", "call", "integer"] as const;
  asked.length = 0;
  for (const name of names) {
    await sql`SELECT ${sql[name].as}`.rows({});
    expect(asked.splice(0)).toEqual([`SELECT "others"."as"`, []]);
  }
  expect(sql.boolean.orNull).toBeDefined();
});

test("a test without a database gives what a statement finds", async () => {
  const none = fakeSql<Sql<Stores>>(undefined);
  expect(() => none`SELECT ${none.orders.total.of("1")}`).toThrow(
    "sql was called, but the test does not provide it.",
  );
  const sql = fakeSql<Sql<Stores>>(() => ({ rows: async () => [{ total: "1.00" }] }));
  const { orders } = sql;
  const rows = await sql`SELECT SUM(${orders.as("o").total}) AS total FROM ${orders}`.rows({
    total: sql.decimal(2).orNull,
  });
  expect(rows).toEqual([{ total: "1.00" }]);
});
