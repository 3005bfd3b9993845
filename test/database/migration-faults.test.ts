import { expect, test } from "vitest";
import { doomedProcess } from "./support/doomed-process.js";
import { DATABASES } from "./support/order-services.js";
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
    for (; ; call += 1) {
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

test("PostgreSQL: an older release reads and writes in every state that a kill leaves", async () => {
  for (let call = 1; ; call += 4) {
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
  await expect(migrate(url, all)).rejects.toThrow("1 row stands in its way");
  expect(await contentOf(url)).toEqual(before);
  await withDatabase(url, async (database) => {
    expect(await database.get("PRAGMA foreign_keys", [])).toEqual({ foreign_keys: 1 });
  });
});
