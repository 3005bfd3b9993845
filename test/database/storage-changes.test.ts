import { expect, test } from "vitest";
import { query } from "../support/postgres-schema.js";
import { connectSqlite } from "#runtime/store/sqlite/module";
import {
  DATABASES,
  newDatabase,
  olderOrderService,
  placeOrder,
  readOrder,
  refusal,
  whileServing,
  type Yaml,
} from "./support/order-services.js";

// A database with data in it, and a service that was generated from an edited schema.

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
const made = await olderOrderService("made", PROPERTIES);

/** A database that the first service has filled with one order. */
async function filled(database: (typeof DATABASES)[number]) {
  const url = await newDatabase(database);
  const order = await whileServing(made, url, (orders) => placeOrder(orders, ORDER));
  return { url, order };
}

const REFUSED: readonly { name: string; edit: Yaml; change: string }[] = [
  {
    name: "scale",
    edit: { price: { type: "decimal", scale: 3 } },
    change: "orders.price: scale 2 -> 3",
  },
  {
    name: "integer",
    edit: { quantity: { type: "decimal", scale: 2 } },
    change: "orders.quantity: integer -> decimal",
  },
  { name: "time", edit: { sent: "timestamp" }, change: "orders.sent: string -> timestamp" },
  {
    name: "value",
    edit: { status: { enum: ["open", "closed"] } },
    change: "orders.status: value packed is gone",
  },
  {
    name: "leaf",
    edit: { size: { type: "object", properties: { width: { type: "decimal", scale: 2 } } } },
    change: "orders.size.width: scale 1 -> 2",
  },
  {
    name: "items",
    edit: { lines: { type: "array", items: "string" } },
    change: "orders.lines[]: integer -> string",
  },
  { name: "property", edit: { note: "string" }, change: "orders.note: is new" },
  {
    name: "required",
    edit: { sent: { type: "string", required: true } },
    change: "orders.sent: may be null -> is never null",
  },
  {
    name: "index",
    edit: { quantity: { type: "integer", filterable: true } },
    change: "index orders_quantity_index: is new",
  },
];

test.each(REFUSED)(
  "a database made before an edit of $name is refused with what changed, and left as it is",
  async ({ name, edit, change }) => {
    const edited = await olderOrderService(`refused-${name}`, { ...PROPERTIES, ...edit });
    for (const database of DATABASES) {
      const { url, order } = await filled(database);
      const message = await refusal(edited, url);
      expect(message).toContain(`The database was made for other schemas: ${change}. `);
      expect(message).toMatch(/"npm run db:reset -- (?:store\.db|\w+)" deletes it/);
      expect(message).not.toContain("\n");
      const answer = await whileServing(made, url, (orders) => readOrder(orders, order));
      expect(answer).toMatchObject(ORDER);
    }
  },
);

const KEPT: readonly { name: string; edit: Yaml; keywords?: Yaml }[] = [
  { name: "description", edit: { sent: { type: "string", description: "When." } } },
  { name: "bounds", edit: { price: { type: "decimal", scale: 2, minimum: 1 } } },
  { name: "operations", edit: {}, keywords: { operations: ["create", "read"] } },
];

test.each(KEPT)("an edit of $name keeps the database", async ({ name, edit, keywords }) => {
  const edited = await olderOrderService(`kept-${name}`, { ...PROPERTIES, ...edit }, keywords);
  for (const database of DATABASES) {
    const { url, order } = await filled(database);
    for (const service of [edited, made, edited]) {
      const answer = await whileServing(service, url, (orders) => readOrder(orders, order));
      expect(answer).toMatchObject(ORDER);
    }
  }
});

test("a value more keeps the database, and is on record from then on", async () => {
  const status = { enum: ["open", "packed", "sent", "closed"] };
  const edited = await olderOrderService("value-more", { ...PROPERTIES, status });
  for (const database of DATABASES) {
    const { url, order } = await filled(database);
    await whileServing(edited, url, async (orders) => {
      expect(await readOrder(orders, order)).toMatchObject(ORDER);
      await placeOrder(orders, { ...ORDER, status: "sent" });
    });
    expect(await refusal(made, url)).toContain("orders.status: value sent is gone");
  }
});

test("of many changes the first are told, and the others counted", async () => {
  const more = Array.from({ length: 12 }, (_, index) => [`note${index}`, "string"]);
  const edited = await olderOrderService("many", { ...PROPERTIES, ...Object.fromEntries(more) });
  for (const database of DATABASES) {
    const { url } = await filled(database);
    expect(await refusal(edited, url)).toContain("orders.note7: is new; and 4 more. ");
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

async function forgetStorage(url: string): Promise<void> {
  const statement = `DROP TABLE "schema_storage"`;
  if (url.startsWith("postgres")) await query(url, statement);
  else {
    const connection = await connectSqlite(url.slice("sqlite:".length));
    connection.exec(statement);
    connection.close();
  }
}
