import { expect, test } from "vitest";
import type { StorageModel, StoredValue } from "../../templates/kernel/store/storage-model.js";
import { connectSqlite } from "../../templates/kernel/store/sqlite-module.js";
import { query } from "../support/postgres-schema.js";
import { migrate, migrationRefusal } from "./support/migrated-database.js";
import {
  DATABASES,
  newDatabase,
  orderService,
  placeOrder,
  readOrder,
  refusal,
  whileServing,
  type Yaml,
} from "./support/order-services.js";
import { both, migrationFolder } from "./support/schema-history.js";

// A database with data in it, and a service that was generated after an edit of the schema.

const PROPERTIES = {
  price: { type: "decimal", scale: 2 },
  quantity: "integer",
  sent: "string",
  status: { enum: ["open", "packed", "closed"] },
  size: { type: "object", properties: { width: { type: "decimal", scale: 1 } } },
  lines: { type: "array", items: "integer" },
};
const ORDER = {
  price: "12.50",
  quantity: 7,
  sent: "yesterday",
  status: "packed",
  size: { width: "1.5" },
  lines: [1, 2],
};
const made = await orderService("made", PROPERTIES);

/** A database that the first service has filled with one order. */
async function filled(database: (typeof DATABASES)[number]) {
  const url = await newDatabase(database);
  const order = await whileServing(made, url, (orders) => placeOrder(orders, ORDER));
  return { url, order };
}

/** The service after an edit: properties that are undefined are gone. */
function editedService(name: string, edit: Yaml, keywords: Yaml = {}) {
  const properties = Object.entries({ ...PROPERTIES, ...edit }).filter(([, type]) => type);
  return orderService(name, Object.fromEntries(properties), keywords, made);
}

const { sent: _sent, ...UNSENT } = ORDER;

const MIGRATED: readonly { name: string; edit: Yaml; keywords?: Yaml; want: Yaml }[] = [
  {
    name: "scale",
    edit: { price: { type: "decimal", scale: 3 } },
    want: { ...ORDER, price: "12.500" },
  },
  {
    name: "integer",
    edit: { quantity: { type: "decimal", scale: 2 } },
    want: { ...ORDER, quantity: "7.00" },
  },
  {
    name: "leaf",
    edit: { size: { type: "object", properties: { width: { type: "decimal", scale: 2 } } } },
    want: { ...ORDER, size: { width: "1.50" } },
  },
  { name: "property", edit: { note: "string" }, want: { ...ORDER, note: null } },
  {
    name: "preset",
    edit: { note: { type: "string", required: true, default: "none" } },
    want: { ...ORDER, note: "none" },
  },
  { name: "required", edit: { sent: { type: "string", required: true } }, want: ORDER },
  { name: "index", edit: { quantity: { type: "integer", filterable: true } }, want: ORDER },
  {
    name: "rename",
    edit: { sent: undefined, dispatched: { type: "string", renamedFrom: "sent" } },
    want: { ...UNSENT, dispatched: "yesterday" },
  },
  {
    name: "removed",
    edit: { sent: undefined },
    keywords: { removed: { sent: "nobody asks" } },
    want: UNSENT,
  },
  { name: "unused value", edit: { status: { enum: ["packed", "closed"] } }, want: ORDER },
  {
    name: "another value",
    edit: { status: { enum: ["open", "packed", "sent", "closed"] } },
    want: ORDER,
  },
];

test.each(MIGRATED)(
  "an edit of $name is migrated at the start, with the rows that are there",
  async ({ name, edit, keywords, want }) => {
    const edited = await editedService(`migrated-${name.replace(" ", "-")}`, edit, keywords);
    for (const database of DATABASES) {
      const { url, order } = await filled(database);
      await whileServing(edited, url, async (orders) => {
        const answer = await readOrder(orders, order);
        expect(answer).toMatchObject(want);
        expect("sent" in answer).toBe("sent" in want);
        await placeOrder(orders, want);
      });
      expect(await refusal(made, url)).toMatch(
        /^The database \S+ is newer than this release, [^\n]+$/,
      );
      await whileServing(edited, url, (orders) => readOrder(orders, order));
    }
  },
);

const IN_THE_WAY: readonly { name: string; edit: Yaml }[] = [
  { name: "value", edit: { status: { enum: ["open", "closed"] } } },
  { name: "bound", edit: { quantity: { type: "integer", maximum: 5 } } },
];

test.each(IN_THE_WAY)(
  "rows that an edit of a $name does not allow are told, and the database is left as it is",
  async ({ name, edit }) => {
    const edited = await editedService(`in-the-way-${name}`, edit);
    for (const database of DATABASES) {
      const { url, order } = await filled(database);
      const message = await refusal(edited, url);
      expect(message).toMatch(/ cannot be applied, because 1 row stands in its way \([^\n]+$/);
      expect(message).toContain(order.slice(order.lastIndexOf("/") + 1));
      const answer = await whileServing(made, url, (orders) => readOrder(orders, order));
      expect(answer).toMatchObject(ORDER);
    }
  },
);

const KEPT: readonly { name: string; edit: Yaml; keywords?: Yaml }[] = [
  { name: "description", edit: { sent: { type: "string", description: "When." } } },
  { name: "operations", edit: {}, keywords: { operations: ["create", "read"] } },
  { name: "order", edit: Object.fromEntries(Object.entries(PROPERTIES).toReversed()) },
];

test.each(KEPT)("an edit of $name keeps the database", async ({ name, edit, keywords }) => {
  const edited = await editedService(`kept-${name}`, edit, keywords);
  for (const database of DATABASES) {
    const { url, order } = await filled(database);
    for (const service of [edited, made, edited]) {
      const answer = await whileServing(service, url, (orders) => readOrder(orders, order));
      expect(answer).toMatchObject(ORDER);
    }
  }
});

test("a service that does not migrate at its start refuses a database that lacks a migration", async () => {
  const edited = await editedService("not-at-start", { note: "string" });
  for (const database of DATABASES) {
    const { url } = await filled(database);
    const refused = edited.createService(edited.registry, {
      databaseUrl: url,
      migrateAtStart: false,
    });
    await expect(refused).rejects.toThrow("and MIGRATE_AT_START is false");
  }
});

test("a database that a release before this record has made is refused", async () => {
  for (const database of DATABASES) {
    const { url } = await filled(database);
    await forgetStorage(url);
    expect(await refusal(made, url)).toContain("did not record how values are stored");
    expect(await refusal(made, url), "again").toContain("did not record how values are stored");
  }
});

/** The first migration as an earlier generator has made it: with its storage model, and without steps. */
function earlierFolder(price: Partial<StoredValue>, ...more: readonly StoredValue[]): URL {
  const text = { type: "text", encoding: { form: "string" } } as const;
  const decimal = { type: "integer", encoding: { form: "decimal", scale: 2 } } as const;
  const storage: StorageModel = {
    format: 1,
    tables: [
      {
        name: "orders",
        holds: "entities",
        columns: [
          { name: "orderId", nullable: false, ...text },
          { name: "price", nullable: true, ...decimal, ...price },
          ...more,
        ],
        primaryKey: ["orderId"],
        foreignKeys: [],
        indexes: [],
      },
    ],
  };
  const script = both(
    `CREATE TABLE "orders" ("orderId" TEXT PRIMARY KEY NOT NULL, "price" INTEGER);`,
  );
  return migrationFolder({ "0001-initial": { ...script, storage } });
}

test("the database of an earlier generator is refused with what changed, where values would be misread", async () => {
  const folder = earlierFolder({});
  const thousandths = { encoding: { form: "decimal", scale: 3 } };
  const notes = Array.from({ length: 9 }, (_, index): StoredValue => ({
    name: `note${index}`,
    type: "text",
    nullable: true,
    encoding: { form: "string" },
  }));
  for (const database of DATABASES) {
    const url = await newDatabase(database);
    await migrate(url, folder);
    const message = await migrationRefusal(url, earlierFolder(thousandths));
    expect(message).toContain(
      "The database was made for other schemas: orders.price: scale 2 -> 3. ",
    );
    expect(message).toMatch(/"npm run db:reset -- (?:store\.db|\w+)" deletes it/);
    expect(await migrationRefusal(url, earlierFolder(thousandths, ...notes))).toContain(
      "orders.note6: is new; and 2 more. ",
    );
    await migrate(url, earlierFolder({ bounds: { minimum: "1.00" } }));
    await migrate(url, folder);
  }
});

async function forgetStorage(url: string): Promise<void> {
  const statement = `DROP TABLE "schema_storage"`;
  if (url.startsWith("postgres")) await query(url, statement);
  else {
    const connection = await connectSqlite(url.slice("sqlite:".length));
    connection.exec(statement);
    connection.close();
  }
}
