import { Client as Connection } from "pg";
import { expect, test } from "vitest";
import { doomedProcess } from "./support/doomed-process.js";
import { DATABASES } from "./support/order-services.js";
import { change, contentOf, migrate, migrationRefusal, rows } from "./support/migrated-database.js";
import {
  both,
  BY_HAND,
  filledDatabase,
  INITIAL,
  migrationFolder,
  REBUILD,
  RENAME,
  WIDEN,
} from "./support/schema-history.js";
import { query } from "../support/postgres-schema.js";

// G14: migrations never lose data unasked, and are applied once.

const FIRST = { "0001-initial": INITIAL };
const ALL = {
  ...FIRST,
  "0002-rename": RENAME,
  "0003-rebuild": REBUILD,
  "0004-by-hand": BY_HAND,
};
const run = await doomedProcess("migrations");

test.each(DATABASES.flatMap((database) => [2, 8].map((processes) => ({ database, processes }))))(
  "$database: $processes processes that start at once migrate once",
  async ({ database, processes }) => {
    const url = await filledDatabase(database);
    const folder = migrationFolder(ALL);
    const starting = Array.from({ length: processes }, () => run(url, folder, 0));
    for (const { written } of await Promise.all(starting)) expect(written).toBe("");
    const whole = await filledDatabase(database);
    await migrate(whole, folder);
    expect(await contentOf(url)).toEqual(await contentOf(whole));
  },
);

test("PostgreSQL: the row alone keeps others away where a pooler shares a connection", async () => {
  const url = await filledDatabase("postgres");
  const folder = migrationFolder({ ...FIRST, "0002-by-hand": both(`DELETE FROM "shipments"`) });
  await query(url, `INSERT INTO "schema_lock" VALUES (1, 'other', 0, clock_timestamp())`);
  const key = `726511000000000 + '"schema_lock"'::regclass::oid::bigint`;
  const other = new Connection({ connectionString: url });
  await other.connect();
  await other.query(`SELECT pg_advisory_lock(${key})`);
  let isOver = false;
  const migrating = migrate(url, folder).then(() => (isOver = true));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(isOver, "its holder is there").toBe(false);
  // A pooler keeps the connection, and its lock, for others; its holder is silent.
  await query(url, `UPDATE "schema_lock" SET "renewed_date" = now() - interval '1 minute'`);
  await migrating;
  await other.end();
});

test.each(DATABASES)(
  "%s: rows that stand in the way are told with their count before anything is changed",
  async (database) => {
    const url = await filledDatabase(database);
    await change(url, `UPDATE "orders" SET "number" = NULL WHERE "orderId" LIKE 'o1%'`);
    const before = await contentOf(url);
    // The first one could be applied.
    const folder = migrationFolder({
      ...FIRST,
      "0002-widen": {
        steps: [WIDEN],
        ...both(`-- run: nothing\nUPDATE "shipments" SET "order" = "order";`),
      },
      "0003-rename": RENAME,
    });
    const message = await migrationRefusal(url, folder);
    expect(message).toMatch(
      /^Migration 0003-rename cannot be applied, because 111 rows violate it \(orders without a number\): o1, (?:o\d+, ){18}o\d+ and 91 more\. Nothing of it was done: [^\n]+$/,
    );
    expect(await contentOf(url)).toEqual(before);
    await change(url, `UPDATE "orders" SET "number" = '0' WHERE "number" IS NULL`);
    expect((await migrate(url, folder)).applied).toEqual(["0002-widen", "0003-rename"]);
  },
);

test.each(DATABASES)(
  "%s: rows that an earlier migration mends do not stand in the way of a later one",
  async (database) => {
    const url = await filledDatabase(database);
    await change(url, `UPDATE "orders" SET "number" = NULL WHERE "orderId" = 'o1'`);
    const mend = both(`UPDATE "orders" SET "number" = '0' WHERE "number" IS NULL;\n`);
    const folder = migrationFolder({ ...FIRST, "0002-mend": mend, "0003-rename": RENAME });
    expect((await migrate(url, folder)).applied).toEqual(["0002-mend", "0003-rename"]);
  },
);

const UNIQUE = {
  steps: [
    {
      step: "addIndex",
      table: "orders",
      index: {
        name: "orders_number",
        unique: true,
        searches: "order",
        terms: ["number"],
        databases: ["sqlite", "postgres"],
      },
    },
  ],
  sqlite: `-- run: makes the index\nCREATE UNIQUE INDEX "orders_number" ON "orders" ("number");\n`,
  postgres: `-- check: orders with a number that another one has
SELECT "orderId" FROM "orders" WHERE "number" IN (SELECT "number" FROM "orders" GROUP BY 1 HAVING COUNT(*) > 1) ORDER BY 1;
-- run: says what follows
COMMENT ON TABLE "orders" IS 'numbered';
-- outside: makes the index
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "orders_number" ON "orders" ("number");
`,
} as const;

test("PostgreSQL: rows that come in the way later are told, and the index is made anew once they are gone", async () => {
  const url = await filledDatabase("postgres");
  const folder = migrationFolder({ ...FIRST, "0002-unique": UNIQUE });
  const tell = (): Promise<void> =>
    change(url, `UPDATE "orders" SET "number" = '2' WHERE "orderId" = 'o1'`);
  expect(await migrationRefusal(url, folder, { tell })).toBe(
    "Migration 0002-unique cannot be applied, because 2 rows violate it (orders with a number that another one has): o1, o2. " +
      "It stays half done: change them with the release that serves now, then start this one again. " +
      'Rows that it does not show have to be changed in the database: "npx generator explain migrations" has the statements.',
  );
  expect(await migrationRefusal(url, folder, { isApplying: false })).toContain(
    `Migration 0002-unique of the database postgres is half done. `,
  );
  const valid = `SELECT "indisvalid" FROM pg_index WHERE "indexrelid" = '"orders_number"'::regclass`;
  expect(await query(url, valid)).toEqual([{ indisvalid: false }]);
  await change(url, `UPDATE "orders" SET "number" = '1' WHERE "orderId" = 'o1'`);
  await migrate(url, folder);
  expect(await query(url, valid)).toEqual([{ indisvalid: true }]);
});

test("PostgreSQL: whoever reads a table does not wait behind a migration that waits for it", async () => {
  const url = await filledDatabase("postgres");
  const reader = new Connection({ connectionString: url });
  await reader.connect();
  await reader.query(`BEGIN; SELECT COUNT(*) FROM "orders"`);
  let isOver = false;
  const migrating = migrate(url, migrationFolder({ ...FIRST, "0002-rename": RENAME })).then(
    () => (isOver = true),
  );
  let longest = 0;
  const slow = Date.now() + 2000;
  while (Date.now() < slow) {
    const started = performance.now();
    await query(url, `SELECT "fax" FROM "orders" WHERE "orderId" = 'o1'`);
    longest = Math.max(longest, performance.now() - started);
  }
  expect(isOver).toBe(false);
  // 200 ms, and what a busy machine adds.
  expect(longest).toBeLessThan(1500);
  await reader.query("COMMIT");
  await reader.end();
  await migrating;
});

const LOSING = both(`-- run: forgets
DELETE FROM "orders" WHERE "orderId" = 'o1';
`);

test.each(DATABASES)(
  "%s: a migration that deletes rows without a word is taken back",
  async (database) => {
    const url = await filledDatabase(database);
    const before = await contentOf(url);
    const folder = migrationFolder({ ...FIRST, "0002-losing": { steps: [WIDEN], ...LOSING } });
    expect(await migrationRefusal(url, folder)).toBe(
      "Migration 0002-losing could not be applied, and nothing of it was: " +
        "it would change rows that it does not name: orders has 1 row fewer, shipments has 2 rows fewer.",
    );
    expect(await contentOf(url)).toEqual(before);
    // Written by hand it is asked for.
    await migrate(url, migrationFolder({ ...FIRST, "0002-losing": LOSING }));
    expect(await rows(url, `SELECT "shipmentId" FROM "shipments"`)).toEqual([{ shipmentId: "s3" }]);
  },
);

test("PostgreSQL: rows that others write meanwhile are not counted", async () => {
  const url = await filledDatabase("postgres");
  const tell = (): Promise<void> => change(url, `DELETE FROM "orders" WHERE "orderId" = 'o9'`);
  const { applied } = await migrate(url, migrationFolder({ ...FIRST, "0002-rename": RENAME }), {
    tell,
  });
  expect(applied).toEqual(["0002-rename"]);
});

const CHECKS_NOTHING = [
  { what: "a table that there is not", sql: `-- check: none\nSELECT "orderId" FROM "ordres";` },
  { what: "a column that there is not", sql: `-- check: none\nSELECT "no_such" FROM "orders";` },
  {
    what: "no rule",
    sql: `-- read: none\nSELECT "orderId" AS "id", "fax" AS "value" FROM "orders";`,
  },
  {
    what: "a rule of no format",
    sql: `-- read: none\n-- {"format": "mail"}\nSELECT "orderId" AS "id", "fax" AS "value" FROM "orders";`,
  },
].flatMap((one) => DATABASES.map((database) => ({ ...one, database })));

test.each(CHECKS_NOTHING)(
  "$database: a check with $what refuses its migration, and nothing is changed",
  async ({ database, sql }) => {
    const url = await filledDatabase(database);
    const before = await contentOf(url);
    const checked = both(`${sql}\n-- run: empty it\nDELETE FROM "shipments";\n`);
    expect(await migrationRefusal(url, migrationFolder({ ...FIRST, "0002-own": checked }))).toMatch(
      /^Migration 0002-own could not check \(none\): /,
    );
    expect(await contentOf(url)).toEqual(before);
  },
);

test("SQLite: a rebuild that would leave references to nothing is taken back", async () => {
  const url = await filledDatabase("sqlite");
  const before = await contentOf(url);
  const forgetful = REBUILD.sqlite.replace(
    `FROM "orders";`,
    `FROM "orders" WHERE "orderId" <> 'o1';`,
  );
  const folder = migrationFolder({
    ...FIRST,
    "0002-rename": RENAME,
    "0003-rebuild": { sqlite: forgetful, postgres: "" },
  });
  expect(await migrationRefusal(url, folder)).toBe(
    "The migrations would leave 2 references of the table shipments that point to something that does not exist, so that nothing was changed.",
  );
  expect(await contentOf(url)).toEqual(before);
});
