import { expect, test } from "vitest";
import {
  DATABASES,
  exchange,
  newDatabase,
  orderService,
  placeOrder,
  readOrder,
  refusal,
  whileServing,
  type Yaml,
} from "./support/order-services.js";

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
const made = await orderService("migrated", PROPERTIES);

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

const LIVABLE = ["property", "index", "removed", "another value"];

test.each(MIGRATED)(
  "an edit of $name is migrated at the start, with the rows that are there",
  async ({ name, edit, keywords, want }) => {
    const edited = await editedService(`migrated-${name.replace(" ", "-")}`, edit, keywords);
    for (const database of DATABASES) {
      const { url, order } = await filled(database);
      const before = await whileServing(made, url, (orders) => exchange(orders, order));
      await whileServing(edited, url, async (orders) => {
        // OPS-10: a client that has the body of the release before is answered with another one.
        const again = await exchange(orders, order, { "if-none-match": before.tag });
        const now = await exchange(orders, order);
        if (now.text !== before.text) expect([again.status, again.text]).toEqual([200, now.text]);
        expect(again.status === 304).toBe(now.tag === before.tag);
        const same = { "if-match": before.tag };
        expect((await exchange(orders, order, same, "PATCH")).text).toBe(now.text);
        const answer = await readOrder(orders, order);
        expect(answer).toMatchObject(want);
        expect("sent" in answer).toBe("sent" in want);
        await placeOrder(orders, want);
      });
      // What an older release can live with, it starts with.
      if (LIVABLE.includes(name)) {
        await whileServing(made, url, async (orders) => {
          expect(await readOrder(orders, order)).toMatchObject(JSON.parse(before.text) as Yaml);
        });
      } else {
        expect(await refusal(made, url)).toMatch(
          /^The database \S+ is newer than this release, [^\n]+$/,
        );
      }
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
      expect(message).toMatch(/ cannot be applied, because 1 row violates it \([^\n]+$/);
      expect(message).toContain(order.slice(order.lastIndexOf("/") + 1));
      const answer = await whileServing(made, url, (orders) => readOrder(orders, order));
      expect(answer).toMatchObject(ORDER);
    }
  },
);

test("only rows that repeat all of what is unique together, or break a bound, stand in the way", async () => {
  const size = {
    type: "object",
    properties: { width: { type: "decimal", scale: 2, minimum: 1, maximum: 5 } },
  };
  const keywords = { unique: [["quantity", "status"]] };
  const edited = await editedService("together", { size }, keywords);
  for (const database of DATABASES) {
    const { url, order } = await filled(database);
    const others = [{ quantity: 8 }, { status: "open" }];
    for (const other of others) {
      await whileServing(made, url, (orders) => placeOrder(orders, { ...ORDER, ...other }));
    }
    await whileServing(edited, url, async (orders) => {
      expect(await readOrder(orders, order)).toMatchObject({ ...ORDER, size: { width: "1.50" } });
    });
    const refused = [
      { other: {}, what: "quantity and status another has, too" },
      {
        other: { status: "closed", size: { width: "5.1" } },
        what: "size.width does not keep maximum 5.00",
      },
      {
        other: { status: "closed", size: { width: "0.9" } },
        what: "size.width does not keep minimum 1.00",
      },
    ];
    for (const { other, what } of refused) {
      const { url: elsewhere } = await filled(database);
      await whileServing(made, elsewhere, (orders) => placeOrder(orders, { ...ORDER, ...other }));
      expect(await refusal(edited, elsewhere)).toContain(`(rows of orders whose ${what})`);
    }
  }
});

const KEPT: readonly { name: string; edit: Yaml; keywords?: Yaml }[] = [
  { name: "description", edit: { sent: { type: "string", description: "When." } } },
  { name: "operations", edit: {}, keywords: { operations: ["create", "read"] } },
  { name: "order", edit: Object.fromEntries(Object.entries(PROPERTIES).toReversed()) },
];

test.each(KEPT)("an edit of $name keeps the database", async ({ name, edit, keywords }) => {
  const edited = await editedService(`kept-${name}`, edit, keywords);
  for (const database of DATABASES) {
    const { url, order } = await filled(database);
    const read = (service: typeof edited) =>
      whileServing(service, url, (orders) => exchange(orders, order));
    const [now, before] = [await read(edited), await read(made)];
    for (const { text } of [now, before]) expect(JSON.parse(text)).toMatchObject(ORDER);
    expect(now.tag === before.tag).toBe(now.text === before.text);
  }
});

test("a service that does not migrate at its start serves a database only once it has every migration", async () => {
  const edited = await editedService("not-at-start", { note: "string" });
  const waiting: typeof edited = {
    ...edited,
    createService: (registry, options) =>
      edited.createService(registry, { ...options, migrateAtStart: false }),
  };
  for (const database of DATABASES) {
    const { url, order } = await filled(database);
    expect(await refusal(waiting, url)).toContain("and MIGRATE_AT_START is false");
    await whileServing(edited, url, (orders) => readOrder(orders, order));
    const answer = await whileServing(waiting, url, (orders) => readOrder(orders, order));
    expect(answer).toMatchObject({ ...ORDER, note: null });
  }
});
