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

// A search that is added to rows that are there finds them, also those that are written meanwhile (QRY-7).

const properties = (filterable: unknown): Yaml => ({
  name: { type: "string", maxLength: 100, filterable },
  aliases: { type: "array", items: "string", filterable },
  address: { type: "object", properties: { street: { type: "string", filterable } } },
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
