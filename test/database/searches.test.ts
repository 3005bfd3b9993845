import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { serviceFolder } from "../support/service-folders.js";
import { change, migrate, rows, withDatabase } from "./support/migrated-database.js";
import {
  DATABASES,
  newDatabase,
  orderService,
  placeOrder,
  whileServing,
  type Yaml,
} from "./support/order-services.js";

// A search that is added to rows that are there finds them, also those that are written meanwhile (QRY-7).

const properties = (filterable: unknown): Yaml => ({
  name: { type: "string", maxLength: 100, filterable },
  rank: { type: "integer", sortable: true, filterable: true },
  aliases: { type: "array", items: "string", filterable },
  address: {
    type: "object",
    properties: { street: { type: "string", filterable }, city: "string" },
  },
});
const older = await orderService("unsearched", properties(false));
const newer = await orderService("searched", properties("search"), {}, older);
const renamed = await orderService(
  "search-renamed",
  {
    ...properties("search"),
    name: undefined,
    title: { type: "string", maxLength: 100, filterable: "search", renamedFrom: "name" },
  },
  {},
  newer,
);
const without = await orderService("search-gone", properties(true), {}, newer);
const MIGRATIONS = pathToFileURL(`${serviceFolder("storage/searched")}/migrations/`);

async function found(orders: string, search: string): Promise<number> {
  const answer = await fetch(`${orders}?${search}`);
  if (answer.status !== 200) throw new Error(await answer.text());
  return ((await answer.json()) as { itemCount: number }).itemCount;
}

async function patch(orders: string, url: string, body: Yaml): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(orders + url.slice(url.lastIndexOf("/")), {
    method: "PATCH",
    headers,
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
}

test.each(DATABASES)(
  "%s: texts of a filled table are found, and those that an older release writes",
  async (database) => {
    const url = await newDatabase(database);
    await whileServing(older, url, async (orders) => {
      for (let number = 0; number < 450; number += 1) {
        await placeOrder(orders, {
          ...{ name: `Harbour ${number}`, aliases: [`alias ${number}`, "Øresund"] },
          address: { street: "Quay" },
        });
      }
      await placeOrder(orders, {});
      await placeOrder(orders, { address: { street: null, city: "Hof" } });
      const changed = await placeOrder(orders, { name: "Changed soon" });
      const emptied = await placeOrder(orders, { name: "Emptied soon" });
      await migrate(url, MIGRATIONS, { isFinishing: false });
      await patch(orders, changed, { name: "Lighthouse" });
      await patch(orders, emptied, { name: null });
      await placeOrder(orders, { name: "Later lighthouse" });
    });
    await whileServing(newer, url, async (orders) => {
      expect(await found(orders, "name.contains=harb")).toBe(450);
      expect(await found(orders, "name.contains=449")).toBe(1);
      expect(await found(orders, "aliases.startsWith=ores")).toBe(450);
      expect(await found(orders, "address.street.contains=quay&aliases.contains=449")).toBe(1);
      expect(await found(orders, "name.contains=lighthouse")).toBe(2);
      expect(await found(orders, "name.contains=soon")).toBe(0);
      expect(await found(orders, "address.street.contains=null")).toBe(0);
    });
    // Nothing is left that the migration needed.
    if (database === "postgres") {
      const left = `SELECT proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace`;
      expect(await rows(url, left)).toEqual([]);
    }
    const copy = await newDatabase(database);
    await whileServing(renamed, copy, async (orders) => {
      expect(await found(orders, "title.contains=harb")).toBe(0);
    });
    await whileServing(renamed, url, async (orders) => {
      expect(await found(orders, "title.contains=harb")).toBe(450);
    });
  },
);

test.each(DATABASES)("%s: a search that is removed, and comes back, is right", async (database) => {
  const url = await newDatabase(database);
  const first = await whileServing(newer, url, async (orders) =>
    placeOrder(orders, { name: "Harbour" }),
  );
  await whileServing(without, url, async (orders) => {
    await patch(orders, first, { name: "Lighthouse" });
    expect(await found(orders, "name=Lighthouse")).toBe(1);
  });
  const tables =
    database === "sqlite"
      ? "SELECT name FROM sqlite_schema"
      : "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()";
  expect(JSON.stringify(await rows(url, tables))).not.toContain("_search");
  const again = await orderService("search-again", properties("search"), {}, without);
  await whileServing(again, url, async (orders) => {
    expect(await found(orders, "name.contains=light")).toBe(1);
    expect(await found(orders, "name.contains=harb")).toBe(0);
  });
});

const ROWS = 2400;
/** Most are found by one word, few by another, none by both parts of a third. */
const COMMON = Array.from({ length: ROWS }, (_, number) => ({
  orderId: `019a0000-0000-7000-8000-${String((number * 4211) % ROWS).padStart(12, "0")}`,
  name: `${number % 3 === 0 ? "rare" : "common"} word ${number % 7 === 0 ? "seventh" : "other"}`,
  rank: number % 11 === 0 ? null : number % 5,
}));
const COMMON_DATE = "2026-01-15T10:30:00.000Z";

test.each(DATABASES)(
  "%s: pages of what many have are those of all rows sorted in memory",
  async (database) => {
    const url = await newDatabase(database);
    await whileServing(older, url, async () => undefined);
    const author = `'${COMMON_DATE}', 'a', 'a'`;
    await withDatabase(url, async (opened) => {
      const sql = `INSERT INTO "orders" ("orderId", "name", "aliases", "rank", created_date, created_subject_id, created_user_principal_name,
      last_modified_date, last_modified_subject_id, last_modified_user_principal_name, row_revision)
      VALUES (?, ?, '[]', ?, ${author}, ${author}, 1)`;
      await opened.write(COMMON.map((row) => ({ sql, values: [row.orderId, row.name, row.rank] })));
    });
    await migrate(url, MIGRATIONS);
    if (database === "postgres") await change(url, "ANALYZE");
    await whileServing(newer, url, async (orders) => {
      for (const list of LISTS) await comparePages(orders, list);
    });
  },
);

const WORDS = [
  "common",
  "word",
  "rare",
  "common seventh",
  "mon oth",
  "rare nothing",
  "common se",
  "common word seventh",
];
const SORTS = ["", "rank", "-rank", "-createdDate"];
const LISTS = WORDS.flatMap((search) =>
  SORTS.flatMap((sort) => [null, 3].map((rank) => ({ search, sort, rank }))),
);

async function comparePages(
  orders: string,
  { search, sort, rank }: (typeof LISTS)[number],
): Promise<void> {
  const words = search.split(" ");
  const all = COMMON.filter(
    (row) => words.every((word) => row.name.includes(word)) && (rank === null || row.rank === rank),
  ).toSorted((one, other) => compared(one, other, sort));
  for (const page of [1, 2, Math.max(1, Math.ceil(all.length / 20)), 200]) {
    const asked = new URLSearchParams({ "name.contains": search, pageNumber: String(page) });
    if (sort !== "") asked.set("sort", sort);
    if (rank !== null) asked.set("rank", String(rank));
    const answer = (await (await fetch(`${orders}?${asked}`)).json()) as Listed;
    const wanted = all.slice((page - 1) * 20, page * 20).map(({ orderId }) => orderId);
    const found = answer.results.map(({ orderId }) => orderId);
    expect({ asked: String(asked), found, count: answer.itemCount }).toEqual({
      ...{ asked: String(asked), found: wanted, count: all.length },
    });
  }
}

interface Listed {
  readonly itemCount: number;
  readonly results: readonly { readonly orderId: string }[];
}

/** Nulls last either way, ties by the identifier (QRY-4). */
function compared(
  one: (typeof COMMON)[number],
  other: (typeof COMMON)[number],
  sort: string,
): number {
  const byId = one.orderId < other.orderId ? -1 : 1;
  if (!sort.endsWith("rank") || one.rank === other.rank) return byId;
  if (one.rank === null || other.rank === null) return one.rank === null ? 1 : -1;
  return (one.rank - other.rank) * (sort.startsWith("-") ? -1 : 1);
}
