import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { serviceFolder } from "../support/service-folders.js";
import { migrate, rows } from "./support/migrated-database.js";
import {
  DATABASES,
  newDatabase,
  orderService,
  placeOrder,
  whileServing,
  type Yaml,
} from "./support/order-services.js";

// Filters inside items that are added to rows that are there find them, also those that are written meanwhile (QRY-10).

const properties = (line: Yaml, more: Yaml = {}): Yaml => ({
  lines: { type: "array", items: { type: "object", properties: line } },
  delivery: {
    type: "object",
    properties: {
      stops: { type: "array", items: { type: "object", properties: { door: "string" } } },
    },
  },
  ...more,
});
const quantity = { type: "integer", filterable: "range" };
const PLAIN = { product: "string", quantity: "integer", price: { type: "decimal", scale: 2 } };
const FILTERED = { ...PLAIN, product: { type: "string", filterable: true }, quantity };
const older = await orderService("unfiltered-items", properties(PLAIN));
const newer = await orderService("filtered-items", properties(FILTERED), {}, older);
const MIGRATIONS = pathToFileURL(`${serviceFolder("storage/filtered-items")}/migrations/`);

const next = async (name: string, line: Yaml, more: Yaml = {}) =>
  orderService(name, properties(line, more), {}, newer);
const one = { type: "decimal", scale: 2, filterable: "range" };
/** Each edit of lists that are filtered, with a filter for lines of 3, in the names of then. */
const EDITS = {
  "one more": [await next("items-more", { ...FILTERED, price: one }), "lines.price=3.00"],
  "one fewer": [await next("items-fewer", { ...FILTERED, product: "string" }), "lines.quantity=3"],
  "another name inside": [
    await next("items-renamed", {
      ...{ product: PLAIN.product, price: PLAIN.price },
      amount: { ...quantity, renamedFrom: "quantity" },
    }),
    "lines.amount=3",
  ],
  "another name of the list": [
    await orderService(
      "items-list-renamed",
      {
        delivery: properties(FILTERED)["delivery"],
        rows: { ...(properties(FILTERED)["lines"] as Yaml), renamedFrom: "lines" },
      },
      {},
      newer,
    ),
    "rows.quantity=3",
  ],
  "another type": [
    await next("items-converted", {
      ...FILTERED,
      quantity: { type: "decimal", scale: 1, filterable: true },
    }),
    "lines.quantity=3.0",
  ],
  "one more member": [
    await next("items-grown", { ...FILTERED, note: "string" }),
    "lines.quantity=3",
  ],
  "a list inside an object": [
    await next("items-inside", FILTERED, {
      delivery: {
        type: "object",
        properties: {
          stops: {
            type: "array",
            items: { type: "object", properties: { door: { type: "string", filterable: true } } },
          },
        },
      },
    }),
    "delivery.stops.door=3",
  ],
  "none any more": [await next("items-gone", PLAIN), null],
} as const;

async function found(orders: string, search: string): Promise<number> {
  const answer = await fetch(`${orders}?${search}`);
  if (answer.status !== 200) throw new Error(await answer.text());
  return ((await answer.json()) as { itemCount: number }).itemCount;
}

async function patch(orders: string, url: string, body: Yaml): Promise<void> {
  const answer = await fetch(orders + url.slice(url.lastIndexOf("/")), {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
}

const line = (quantity: number): Yaml => ({
  product: `p${quantity}`,
  quantity,
  price: `${quantity}.00`,
});

test.each(DATABASES)(
  "%s: items of a filled table are found, and those that an older release writes",
  async (database) => {
    const url = await newDatabase(database);
    await whileServing(older, url, async (orders) => {
      for (let number = 0; number < 600; number += 1) {
        await placeOrder(orders, { lines: [line(number % 7), line(number % 3)] });
      }
      await placeOrder(orders, { lines: [] });
      const changed = await placeOrder(orders, { lines: [line(71), line(72)] });
      await migrate(url, MIGRATIONS, { isFinishing: false });
      await patch(orders, changed, { lines: [line(73)] });
      await placeOrder(orders, { lines: [line(74)] });
    });
    await whileServing(newer, url, async (orders) => {
      expect(await found(orders, "lines.quantity.atLeast=3&lines.quantity.lessThan=7")).toBe(342);
      expect(await found(orders, "lines.product=p2&lines.quantity=2")).toBe(257);
      expect(await found(orders, "lines.quantity=71")).toBe(0);
      expect(await found(orders, "lines.quantity=72")).toBe(0);
      expect(await found(orders, "lines.quantity=73")).toBe(1);
      expect(await found(orders, "lines.product=p74")).toBe(1);
    });
  },
);

test.each(
  DATABASES.flatMap((database) => Object.keys(EDITS).map((edit) => [database, edit] as const)),
)("%s: a list that is filtered, and then %s", async (database, edit) => {
  const [later, filter] = EDITS[edit as keyof typeof EDITS];
  const url = await newDatabase(database);
  const first = await whileServing(newer, url, async (orders) => {
    await placeOrder(orders, { lines: [line(4)], delivery: { stops: [{ door: "4" }] } });
    return placeOrder(orders, { lines: [line(3), line(5)], delivery: { stops: [{ door: "3" }] } });
  });
  await whileServing(later, url, async (orders) => {
    if (filter !== null) {
      expect(await found(orders, filter)).toBe(1);
      expect(await found(orders, filter.replace("3", "5"))).toBe(
        edit === "a list inside an object" ? 0 : 1,
      );
    }
    const lists = edit.endsWith("of the list") ? { rows: [] } : { lines: [] };
    await patch(orders, first, { ...lists, delivery: null });
    if (filter !== null) expect(await found(orders, filter)).toBe(0);
    await placeOrder(orders, {});
  });
  if (filter !== null) return;
  const tables =
    database === "sqlite"
      ? "SELECT name FROM sqlite_schema"
      : `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace
           UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace`;
  expect(JSON.stringify(await rows(url, tables))).not.toContain("orders_lines");
});
