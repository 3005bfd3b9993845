import { stringify } from "yaml";
import { expect, test } from "vitest";
import { storageModel } from "../../../src/storage/storage-model.js";
import { renderValid } from "../../support/render-files.js";
import { printTables } from "../../../src/storage/print-tables.js";
import { ordersStorage, type Yaml } from "./support.js";

const column = (name: string, type: string, form: string, details: object = {}) => ({
  name,
  type,
  nullable: true,
  encoding: { form, ...details },
  bounds: form === "string" ? { maxLength: 10_000 } : {},
});
const items = (type: string, form: string, details: object = {}) => ({
  items: { type, encoding: { form, ...details }, bounds: {} },
});

test.each<{ name: string; given: Yaml | string; want: object }>([
  { name: "a text", given: "string", want: column("p", "text", "string") },
  {
    name: "a text with a form",
    given: { type: "string", format: "date", maxLength: 10 },
    want: {
      ...column("p", "text", "string"),
      bounds: { format: "date", maxLength: 10 },
    },
  },
  { name: "an integer", given: "integer", want: column("p", "integer", "integer") },
  {
    name: "a number with bounds",
    given: { type: "number", minimum: 1, exclusiveMaximum: 9 },
    want: {
      ...column("p", "real", "number"),
      bounds: { exclusiveMaximum: 9, minimum: 1 },
    },
  },
  { name: "a number", given: "number", want: column("p", "real", "number") },
  {
    name: "a decimal",
    given: { type: "decimal", scale: 3 },
    want: column("p", "integer", "decimal", { scale: 3 }),
  },
  { name: "a boolean", given: "boolean", want: column("p", "boolean", "boolean") },
  {
    name: "a time",
    given: "timestamp",
    want: column("p", "text", "timestamp", { pattern: "YYYY-MM-DDTHH:mm:ss.sssZ" }),
  },
  { name: "a UUID", given: "uuid", want: column("p", "text", "uuid") },
  {
    name: "an enum, whatever the order of its values",
    given: { enum: ["open", "closed", "new"] },
    want: column("p", "text", "enum", { values: ["closed", "new", "open"] }),
  },
  {
    name: "a required property",
    given: { type: "string", required: true },
    want: { ...column("p", "text", "string"), nullable: false },
  },
  {
    name: "an object, its members sorted, a decimal in it as a text",
    given: { type: "object", properties: { z: { type: "decimal", scale: 2 }, a: "boolean" } },
    want: column("p", "json", "object", {
      members: [column("a", "boolean", "boolean"), column("z", "text", "decimal", { scale: 2 })],
    }),
  },
  {
    name: "a reference",
    given: { reference: "customers", embed: ["name"] },
    want: column("p", "text", "uuid"),
  },
])("$name is described by what one has to know to read it", async ({ given, want }) => {
  const { tables } = await ordersStorage({ p: given });
  const orders = tables.find(({ name }) => name === "orders");
  expect(orders?.columns.find(({ name }) => name === "p")).toEqual(want);
});

test.each<{ name: string; given: Yaml; want: object }>([
  {
    name: "integers",
    given: { type: "array", items: "integer" },
    want: items("integer", "integer"),
  },
  {
    name: "decimals",
    given: { type: "array", items: { type: "decimal", scale: 2 } },
    want: items("text", "decimal", { scale: 2 }),
  },
  {
    name: "references",
    given: { type: "array", items: { reference: "customers" } },
    want: items("text", "uuid"),
  },
])("a list of $name is JSON of such items, and never null", async ({ given, want }) => {
  const { tables } = await ordersStorage({ labels: given });
  const orders = tables.find(({ name }) => name === "orders");
  expect(orders?.columns.find(({ name }) => name === "labels")).toEqual({
    name: "labels",
    type: "json",
    nullable: false,
    encoding: { form: "array", ...want },
    bounds: { maxItems: 1000 },
  });
});

test("a list of references has a table with a row for each member, which goes with its owner", async () => {
  const watchers = { type: "array", items: { reference: "customers" } };
  const { tables } = await ordersStorage({ watchers });
  expect(tables.map(({ name }) => name)).toEqual([
    "customers",
    "orders",
    "orders_watchers",
    "idempotency_key_answers",
  ]);
  expect(tables[2]).toMatchObject({
    holds: "links",
    primaryKey: ["owner_id", "other_id"],
    foreignKeys: [
      { column: "owner_id", table: "orders", key: "orderId", onDelete: "cascade" },
      { column: "other_id", table: "customers", key: "customerId", onDelete: "refuse" },
    ],
  });
});

test.each<{ name: string; given: Yaml; keywords?: Yaml; want: readonly string[] }>([
  { name: "nothing that is asked for", given: { p: "string" }, want: [] },
  {
    name: "a unique property",
    given: { p: { type: "string", maxLength: 10, unique: true } },
    want: ["orders_p_index unique order p: sqlite postgres"],
  },
  {
    name: "a filter",
    given: { p: { type: "integer", filterable: true } },
    want: ["orders_p_index order p,orderId: sqlite postgres"],
  },
  {
    name: "a filter by a text that PostgreSQL could not index",
    given: { p: { type: "string", maxLength: 601, filterable: true } },
    want: ["orders_p_index order p,orderId: sqlite"],
  },
  {
    name: "a filter by what a list contains",
    given: { labels: { type: "array", items: "integer", filterable: true } },
    want: ["orders_labels_index content labels: postgres"],
  },
  {
    name: "a leaf of an object",
    given: { p: { type: "object", properties: { q: { type: "uuid", sortable: true } } } },
    want: ["orders_p_q_index order p.q,orderId: sqlite postgres"],
  },
  {
    name: "a reference, which a deletion of the other asks for",
    given: { p: { reference: "customers" } },
    want: ["orders_p_customerId_index order p,orderId: sqlite postgres"],
  },
  {
    name: "a reference to another service",
    given: { p: { reference: "payments", entity: "payment", external: true } },
    want: [],
  },
  {
    name: "what an alias asks for",
    given: { p: { enum: ["open", "closed"] } },
    keywords: { aliases: { open: { description: "Open.", where: { p: "open" } } } },
    want: ["orders_p_index order p,orderId: sqlite postgres"],
  },
])("indexes of $name", async ({ given, keywords, want }) => {
  const { tables } = await ordersStorage(given, keywords);
  const found = tables.find(({ name }) => name === "orders")?.indexes ?? [];
  const lines = found
    .filter(({ name }) => !/_date$/.test(name))
    .map(({ name, unique, searches, terms, databases }) =>
      [
        name,
        ...(unique ? ["unique"] : []),
        searches,
        `${terms.join(",")}: ${databases.join(" ")}`,
      ].join(" "),
    );
  expect(lines).toEqual(want);
});

test.each([
  { operations: ["create"], isKept: true },
  { operations: ["list", "read"], actions: { ping: {} }, isKept: true },
  { operations: ["list", "read", "replace", "update", "delete"], isKept: false },
])(
  "answers to POSTs are kept ($isKept) with the operations $operations, and $actions",
  async ({ isKept, ...keywords }) => {
    const { model } = await renderValid({
      "service.yaml": "service: sample\n",
      "resources/v1/orders.yaml": stringify({
        ...{ resource: "orders", entity: "order", properties: { p: "string" } },
        ...keywords,
      }),
    });
    const holders = storageModel(model).tables.map(({ holds }) => holds);
    expect(holders.includes("answers")).toBe(isKept);
  },
);

test("PostgreSQL is told of foreign keys when all tables are there, SQLite where they are made", async () => {
  const storage = await ordersStorage({ p: { reference: "customers", required: true } });
  const sqlite = printTables(storage, "sqlite").map((block) => block.join("\n"));
  const postgres = printTables(storage, "postgres").map((block) => block.join("\n"));
  expect(sqlite[1]).toContain('"p" TEXT NOT NULL REFERENCES "customers" ("customerId"),');
  expect(postgres[1]).toContain('"p" TEXT COLLATE "C" NOT NULL,');
  expect(postgres[2]).toBe(
    'ALTER TABLE "orders" ADD CONSTRAINT "orders_p_reference" FOREIGN KEY ("p") REFERENCES "customers" ("customerId");',
  );
});

test("indexes begin with the tenant, but for references and what the access of others looks up", async () => {
  const { model } = await renderValid({
    "service.yaml": `service: sample
tenant: { claim: org }
authentication: { scheme: bearer, issuer: "https://a.example.com/", audience: a, keys: a.json }
`,
    "resources/v1/customers.yaml": `resource: customers
entity: customer
properties: { account: { reference: accounts, external: true }, region: string }
access: { read: [owner] }
`,
    "resources/v1/orders.yaml": `resource: orders
entity: order
owner: customer.account
properties: { customer: { reference: customers }, code: { type: string, maxLength: 20, unique: true } }
access: { read: [owner, { claim: code, equals: code }], update: [{ claim: org, equals: code }] }
`,
    "resources/v1/notes.yaml": `resource: notes
entity: note
parent: customers
properties: { text: string }
access: { update: [parent] }
`,
  });
  const found = storageModel(model).tables.flatMap(({ indexes }) =>
    indexes.map(({ name, terms }) => `${name}: ${terms.join(",")}`),
  );
  expect(found.filter((one) => !one.includes("_date"))).toEqual([
    "customers_row_tenant: row_tenant,customerId",
    "customers_account_accountId_index: account,customerId",
    "customers_created_subject_id: created_subject_id,customerId",
    "notes_row_tenant: row_tenant,noteId",
    "notes_customer_customerId_index: customer,noteId",
    "orders_row_tenant: row_tenant,orderId",
    "orders_customer_customerId_index: customer,orderId",
    "orders_code_index: row_tenant,code",
  ]);
});
