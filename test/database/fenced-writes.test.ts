import { Client } from "pg";
import { expect, test } from "vitest";
import type { Database, WriteStep } from "#runtime/store/database";
import { ReleaseRetired, RAISE_FENCE } from "#runtime/store/releases";
import { keyedStep } from "#runtime/store/write-sql";
import { rows, withDatabase } from "./support/migrated-database.js";
import { DATABASES, newDatabase } from "./support/order-services.js";

// What a process that has not noticed a migration writes, whatever its statement looks like.

const RAISE = { sql: RAISE_FENCE, values: ["0002-next"] };
const INSERT: WriteStep = { sql: `INSERT INTO "items" VALUES (?, ?, 1)`, values: ["b", "new"] };
const UPDATE = `UPDATE "items" SET "text" = ?, "revision" = ? WHERE "id" = ? AND "revision" = ?`;
const ITEM = { id: "a", text: "old", revision: 1 };

function update(revision: number): WriteStep {
  return keyedStep(UPDATE, ["new", revision + 1, "a", revision], { name: "items" });
}

const WRITES: Readonly<Record<string, readonly WriteStep[]>> = {
  insert: [INSERT],
  update: [update(1)],
  "update that meets a conflict": [update(7)],
  delete: [
    keyedStep(`DELETE FROM "items" WHERE "id" = ? AND "revision" = ?`, ["a", 1], { name: "items" }),
  ],
  transaction: [INSERT, update(1)],
};

/** A database with one item, and a process that serves it. */
async function whileServed(url: string, work: (database: Database) => Promise<void>) {
  await withDatabase(url, async (database) => {
    await database.serving();
    const sql = `CREATE TABLE "items" ("id" TEXT PRIMARY KEY, "text" TEXT, "revision" BIGINT)`;
    await database.write([{ sql, values: [] }]);
    await database.write([{ ...INSERT, values: ["a", "old"] }]);
    await database.serve("0001-initial");
    await work(database);
  });
}

for (const [name, steps] of Object.entries(WRITES)) {
  test.each(DATABASES)(
    `%s: ${name}: refused after a migration, nothing is changed`,
    async (database) => {
      const url = await newDatabase(database);
      await whileServed(url, async (older) => {
        await withDatabase(url, (newer) => newer.write([RAISE]));
        await expect(older.write(steps)).rejects.toBeInstanceOf(ReleaseRetired);
      });
      expect(await rows(url, `SELECT * FROM "items"`)).toEqual([ITEM]);
    },
  );
}

test("PostgreSQL: a write that waits for a row keeps a migration from raising the fence", async () => {
  const url = await newDatabase("postgres");
  await whileServed(url, async (database) => {
    const [rival, migration] = [new Client(url), new Client(url)];
    await Promise.all([rival.connect(), migration.connect()]);
    try {
      await rival.query(`BEGIN; SELECT 1 FROM "items" WHERE "id" = 'a' FOR UPDATE`);
      const written = database.write([update(1)]);
      const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND pid IN
        (SELECT pid FROM pg_locks WHERE relation = 'schema_fence'::regclass)`;
      await expect.poll(async () => (await rival.query(waiting)).rowCount).toBe(1);
      const lock = `LOCK TABLE "schema_fence" IN ACCESS EXCLUSIVE MODE NOWAIT`;
      await expect(migration.query(`BEGIN; ${lock}`)).rejects.toThrow("could not obtain lock");
      await rival.query("COMMIT");
      await written;
      await migration.query(`ROLLBACK; BEGIN; ${lock}`);
    } finally {
      await Promise.all([rival.end(), migration.end()]);
    }
  });
  expect(await rows(url, `SELECT * FROM "items"`)).toEqual([{ ...ITEM, text: "new", revision: 2 }]);
});

test("PostgreSQL: a write that comes while the fence is raised waits, and is refused", async () => {
  const url = await newDatabase("postgres");
  await whileServed(url, async (database) => {
    const migration = new Client(url);
    await migration.connect();
    try {
      await migration.query(`BEGIN; LOCK TABLE "schema_fence" IN ACCESS EXCLUSIVE MODE`);
      const written = database.write([update(1)]);
      const refused = expect(written).rejects.toBeInstanceOf(ReleaseRetired);
      const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'schema_fence'::regclass`;
      await expect.poll(async () => (await migration.query(waiting)).rowCount).toBe(1);
      await migration.query(RAISE_FENCE.replace("?", "$1"), ["0002-next"]);
      await migration.query("COMMIT");
      await refused;
    } finally {
      await migration.end();
    }
  });
  expect(await rows(url, `SELECT * FROM "items"`)).toEqual([ITEM]);
});

test("PostgreSQL: a statement of custom code that divides by zero fails alone", async () => {
  await whileServed(await newDatabase("postgres"), async (database) => {
    const wrong = { sql: `UPDATE "items" SET "revision" = "revision" / 0`, values: [] };
    for (const steps of [[wrong], [INSERT, wrong]]) {
      const refused: unknown = await database.write(steps).catch((error: unknown) => error);
      expect(refused).toMatchObject({ message: "division by zero" });
    }
    await database.write([INSERT]);
  });
});
