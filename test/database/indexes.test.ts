import pg from "pg";
import { expect, inject, test } from "vitest";
import type { StoredIndex } from "#runtime/store/storage-model";
import type { DialectName } from "#runtime/store/database";
import type { ListQuery } from "#runtime/query/query";
import { ListSql } from "#runtime/store/list-sql";
import { connectSqlite } from "#runtime/store/sqlite/module";
import { printTables } from "../../src/storage/print-tables.js";
import { makeSchema, schemaUrl } from "../support/postgres-schema.js";
import { ordersStorage, type Yaml } from "../unit/storage/support.js";

const PROPERTIES: Yaml = {
  status: { enum: ["open", "closed"] },
  dueDate: { type: "timestamp", sortable: true },
  total: { type: "decimal", scale: 2, sortable: true },
  title: { type: "string", maxLength: 100, sortable: true },
  body: "string",
  tags: { type: "array", items: "string" },
  customer: { reference: "customers", embed: ["name"], sortable: true },
  address: { type: "object", properties: { state: { type: "string", maxLength: 50 } } },
};

async function ordersIndexes(keywords: Yaml): Promise<readonly StoredIndex[]> {
  const { tables } = await ordersStorage(PROPERTIES, keywords);
  const orders = tables.find(({ name }) => name === "orders");
  return orders?.indexes ?? [];
}

/** `status, -dueDate` for each index that an alias adds. */
async function added(keywords: Yaml): Promise<readonly string[]> {
  const plain = new Set((await ordersIndexes({})).map(({ name }) => name));
  return (await ordersIndexes(keywords))
    .filter(({ name, terms }) => !plain.has(name) && terms.length > 2)
    .map(({ terms, descending = [] }) =>
      terms.map((term, place) => (descending.includes(place) ? `-${term}` : term)).join(", "),
    );
}

test.each<{ name: string; where?: Yaml; sort?: readonly string[]; want: readonly string[] }>([
  {
    name: "one value, then the sort",
    where: { status: "open" },
    sort: ["-dueDate", "title"],
    want: ["status, -dueDate, title, orderId"],
  },
  {
    name: "null is one value",
    where: { total: null },
    sort: ["title"],
    want: ["total, title, orderId"],
  },
  {
    name: "a window that is sorted by",
    where: { status: "open", dueDate: { within: "24h" } },
    sort: ["-dueDate"],
    want: ["status, -dueDate, orderId"],
  },
  {
    name: "a window beside the sort",
    where: { dueDate: { within: "24h" } },
    sort: ["title"],
    want: ["dueDate, title, orderId"],
  },
  {
    name: "what may hold for most entities, last",
    where: { status: ["open", null], total: { atLeast: 1 } },
    sort: ["-title"],
    want: ["-title, status, total, orderId"],
  },
  {
    name: "a reference, and a leaf of an object",
    where: { "customer.customerId": "0190a0a0-0000-7000-8000-000000000000", "address.state": "TX" },
    want: ["customer, address.state, orderId"],
  },
  {
    name: "what is embedded is another's",
    where: { status: "open", "customer.name": "a" },
    sort: ["title"],
    want: ["status, title, orderId"],
  },
  { name: "an array has an index of its own kind", where: { tags: "red" }, want: [] },
  {
    name: "alternatives are in none",
    where: { status: "open", any: [{ title: "a" }, { total: 1 }] },
    sort: ["title"],
    want: ["status, title, orderId"],
  },
])("the index of an alias: $name", async ({ where, sort, want }) => {
  const alias = { ...(where && { where }), ...(sort && { sort }) };
  expect(await added({ aliases: { some: alias } })).toEqual(want);
});

test("a sort alone that ascends needs no index beside that of the property", async () => {
  expect(await ordersIndexes({ aliases: { some: { sort: ["title"] } } })).toEqual(
    await ordersIndexes({}),
  );
});

test("two aliases that need the same have one, and so does what is declared", async () => {
  const some = (): Yaml => ({ where: { status: "open" }, sort: ["-title"] });
  const keywords = { aliases: { some: some(), same: some() }, indexes: [["status", "-title"]] };
  expect(await added(keywords)).toEqual(["status, -title, orderId"]);
});

test("what is declared is as it is written, common fields among it", async () => {
  const keywords = {
    indexes: [
      ["customer", "-createdDate", "address.state"],
      ["createdSubject", "-total"],
    ],
  };
  expect(await added(keywords)).toEqual([
    "customer, -created_date, address.state, orderId",
    "created_subject_id, -total, orderId",
  ]);
});

test("texts that are too long for PostgreSQL have an index in SQLite only", async () => {
  const found = await ordersIndexes({
    aliases: { some: { where: { status: "open", body: "x" } } },
  });
  expect(found.find(({ terms }) => terms.length === 3)?.databases).toEqual(["sqlite"]);
});

test("one of a unique property stands beside the index that keeps it unique", async () => {
  const { tables } = await ordersStorage(
    { fax: { type: "string", maxLength: 50, unique: true } },
    { indexes: [["fax"]], aliases: { faxless: { where: { fax: null } } } },
  );
  const indexes = tables.find(({ name }) => name === "orders")?.indexes ?? [];
  const found = indexes.filter(({ terms }) => terms[0] === "fax");
  expect(found.map(({ name, terms }) => [name, ...terms])).toEqual([
    ["orders_fax_index", "fax"],
    ["orders_fax__id_index", "fax", "orderId"],
  ]);
});

test("what is unique together is a unique index of exactly these columns", async () => {
  const found = await ordersIndexes({ unique: [["customer", "title"]] });
  expect(found.filter(({ unique }) => unique)).toEqual([
    {
      name: "orders_customer_title_unique",
      unique: true,
      searches: "order",
      terms: ["customer", "title"],
      databases: ["sqlite", "postgres"],
    },
  ]);
});

const KEYWORDS = {
  indexes: [
    ["status", "-dueDate"],
    ["status", "title"],
    ["status", "-createdDate"],
  ],
};
const SORTS = [
  { path: "dueDate", descending: true },
  { path: "title", descending: false },
  { path: "createdDate", descending: true },
];

async function statements(dialect: DialectName): Promise<{ tables: string; lists: string[] }> {
  const model = await ordersStorage(PROPERTIES, KEYWORDS);
  const tables = printTables(model, dialect).flat().join("\n");
  const columns = Object.fromEntries(
    ["status", "dueDate", "title"].map((name) => [name, { expression: `"${name}"` }]),
  );
  const select = 'SELECT "orderId" FROM "orders"';
  const sql = new ListSql({ name: "orders", idProperty: "orderId", columns }, dialect, select);
  const lists = SORTS.map((key) => {
    const filters = [{ path: "status", contains: false, values: ["open"], orNull: false }];
    const query: Pick<ListQuery, "filters" | "sort"> = { filters, sort: [key] };
    return sql.statements(query).page;
  });
  return { tables, lists };
}

test("SQLite reads a filter and a sort from an index of both", async () => {
  const { tables, lists } = await statements("sqlite");
  const database = await connectSqlite(":memory:");
  database.exec(tables);
  for (const list of lists) {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${list}`).all();
    expect(plan.map(({ detail }) => String(detail)).join("; ")).toMatch(
      /^SEARCH orders USING (?:COVERING )?INDEX orders_status_\w+ \(status=\?\)$/,
    );
  }
  database.close();
});

test("PostgreSQL reads a filter and a sort from an index of both", async () => {
  const { tables, lists } = await statements("postgres");
  const url = schemaUrl(inject("postgresUrl"));
  await makeSchema(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(tables);
    // An empty table is sorted in no time.
    await client.query(
      "SET enable_sort = off; SET enable_seqscan = off; SET enable_bitmapscan = off",
    );
    for (const list of lists) {
      const sql = list.replace("?", "'open'").replace("LIMIT ? OFFSET ?", "LIMIT 20 OFFSET 0");
      const { rows } = await client.query<Record<string, string>>(`EXPLAIN ${sql}`);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan).toMatch(/Index (?:Only )?Scan using "?orders_status_\w+/);
      expect(plan).not.toContain("Sort");
    }
  } finally {
    await client.end();
  }
});
