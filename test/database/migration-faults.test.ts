import { expect, test } from "vitest";
import { doomedProcess } from "./support/doomed-process.js";
import { DATABASES, newDatabase, orderService } from "./support/order-services.js";
import { change, contentOf, migrate, rows, withDatabase } from "./support/migrated-database.js";
import {
  BY_HAND,
  filledDatabase,
  INITIAL,
  migrationFolder,
  REBUILD,
  RENAME,
} from "./support/schema-history.js";

// G14: a migration that is killed leaves the old state, the new one, or one that the next start finishes.

/** On PostgreSQL all of the calls take minutes: TEST_EVERY_CALL=true tries them. */
const STEPS =
  process.env["TEST_EVERY_CALL"] === "true"
    ? { sqlite: 1, postgres: 1 }
    : { sqlite: 1, postgres: 7 };

const renamed = migrationFolder({ "0001-initial": INITIAL, "0002-rename": RENAME });
const all = migrationFolder({
  "0001-initial": INITIAL,
  "0002-rename": RENAME,
  "0003-rebuild": REBUILD,
  "0004-by-hand": BY_HAND,
});
const doomed = await doomedProcess("migration-faults");

test.each(DATABASES)(
  "%s: killed before any call to the database, it is finished by the next start",
  async (database) => {
    const whole = await filledDatabase(database);
    await migrate(whole, all);
    const want = await contentOf(whole);
    let call = 1;
    for (; ; call += STEPS[database]) {
      const url = await filledDatabase(database);
      const { wasKilled, written } = await doomed(url, all, call);
      expect(written).toBe("");
      expect(await rows(url, `SELECT COUNT(*) AS "count" FROM "shipments"`)).toEqual([
        { count: 3 },
      ]);
      await migrate(url, all);
      expect(await contentOf(url), `killed before call ${call}`).toEqual(want);
      if (!wasKilled) break;
    }
    expect(call).toBeGreaterThan(database === "sqlite" ? 30 : 60);
  },
  600_000,
);

/** Of a service that is made, and what an edit of everything about it leads to. */
const made = await orderService("faults", {
  number: { type: "string", required: true, maxLength: 40 },
  price: { type: "decimal", scale: 2, filterable: true },
  fax: { type: "string", filterable: true },
  size: { type: "object", properties: { width: { type: "decimal", scale: 1 } } },
  lines: { type: "array", items: "integer" },
});
const edited = await orderService(
  "faults-edited",
  {
    number: { type: "string", required: true, maxLength: 40, unique: true },
    price: { type: "decimal", scale: 3, filterable: true, required: true, default: 0 },
    phone: { type: "string", filterable: true, renamedFrom: "fax" },
    size: { type: "object", properties: { width: { type: "decimal", scale: 2 } } },
    color: { type: "string", required: true, default: "none" },
  },
  { removed: { lines: "nobody asks" } },
  made,
);

test.each(DATABASES)(
  "%s: a generated migration that is killed before any call is finished by the next start",
  async (database) => {
    const before = made.registry.migrations;
    const after = edited.registry.migrations;
    const full = async (): Promise<string> => {
      const url = await newDatabase(database);
      await migrate(url, before);
      const stamp = `'2026-01-01T00:00:00.000Z', 's', 's'`;
      const orders = Array.from(
        { length: 120 },
        (_, index) =>
          `('o${index}', 'n${index}', ${index}, 'f${index}', '{"width":"1.5"}', '[1]', ${stamp}, ${stamp}, 1)`,
      );
      await change(url, `INSERT INTO "orders" VALUES ${orders.join(", ")}`);
      return url;
    };
    const whole = await full();
    await migrate(whole, after);
    const want = await contentOf(whole);
    expect(JSON.stringify(want)).toContain(`"phone":"f1"`);
    let call = 1;
    for (let isOver = false; !isOver; call += STEPS[database]) {
      const url = await full();
      const { wasKilled, written } = await doomed(url, after, call);
      expect(written).toBe("");
      await migrate(url, after);
      expect(await contentOf(url), `killed before call ${call}`).toEqual(want);
      isOver = !wasKilled;
    }
    expect(call).toBeGreaterThan(30);
  },
  900_000,
);

test("PostgreSQL: an older release reads and writes in every state that a kill leaves", async () => {
  for (let call = 1; ; call += STEPS.postgres) {
    const url = await filledDatabase("postgres");
    const { wasKilled, written } = await doomed(url, renamed, call, "early");
    expect(written).toBe("");
    await change(url, `UPDATE "orders" SET "fax" = 'changed' WHERE "orderId" = 'o7'`);
    await change(url, `INSERT INTO "orders" ("orderId", "fax", "number") VALUES ('new', 'f', '1')`);
    const old = `SELECT "fax" FROM "orders" WHERE "orderId" IN ('o7', 'o8', 'new') ORDER BY "orderId"`;
    expect(await rows(url, old)).toEqual([{ fax: "f" }, { fax: "changed" }, { fax: "f8" }]);
    const early = await migrate(url, renamed, { isFinishing: false });
    expect(early.waiting).toEqual(["0002-rename"]);
    const both = `SELECT COUNT(*) AS "count" FROM "orders" WHERE "fax" = "phone"`;
    expect(await rows(url, both)).toEqual([{ count: 301 }]);
    if (!wasKilled) return;
  }
});

test("SQLite: nothing of a run of migrations stays unless all of it does", async () => {
  const url = await filledDatabase("sqlite");
  await change(url, `UPDATE "orders" SET "number" = NULL WHERE "orderId" = 'o1'`);
  const before = await contentOf(url);
  await expect(migrate(url, all)).rejects.toThrow("1 row violates it");
  expect(await contentOf(url)).toEqual(before);
  await withDatabase(url, async (database) => {
    expect(await database.get("PRAGMA foreign_keys", [])).toEqual({ foreign_keys: 1 });
  });
});
