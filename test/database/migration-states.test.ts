import { expect, test } from "vitest";
import type { MigrationStep } from "#runtime/store/migrations/migration";
import { query } from "../support/postgres-schema.js";
import { contentOf, migrate, migrationRefusal, rows } from "./support/migrated-database.js";
import { DATABASES, newDatabase } from "./support/order-services.js";
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

// Which releases a database serves: those that know its migrations, and older ones while they can live with them.

const FIRST = { "0001-initial": INITIAL };
const ALL = {
  ...FIRST,
  "0002-rename": RENAME,
  "0003-rebuild": REBUILD,
  "0004-by-hand": BY_HAND,
};

test("PostgreSQL: what an older release could not live with is done when none serves any more", async () => {
  const url = await filledDatabase("postgres");
  const renamed = { ...FIRST, "0002-rename": RENAME };
  const folder = migrationFolder(renamed);
  const early = { isFinishing: false };
  expect(await migrate(url, folder, early)).toMatchObject({
    applied: [],
    waiting: ["0002-rename"],
  });
  expect(await migrate(url, folder, early)).toMatchObject({
    applied: [],
    waiting: ["0002-rename"],
  });
  // The older release goes on, and may start.
  expect(await migrate(url, migrationFolder(FIRST))).toMatchObject({ begun: ["0002-rename"] });
  expect(await migrationRefusal(url, folder, { isApplying: false })).toBe(
    "Migration 0002-rename of the database postgres is half done. " +
      `When no older release serves any more, "npm run migrate -- --finish" finishes it.`,
  );
  const elsewhere: MigrationStep = { step: "retireTable", table: "others" };
  const again: MigrationStep = { step: "renameColumn", table: "orders", path: "phone", to: "tel" };
  const next = migrationFolder({
    ...renamed,
    "0003-elsewhere": { steps: [elsewhere], ...both(`-- run: nothing\nSELECT 1;\n`) },
    "0004-again": {
      steps: [again],
      ...both(`-- run: renames\nALTER TABLE "orders" RENAME COLUMN "phone" TO "tel";\n`),
    },
  });
  expect(await migrate(url, next, early)).toMatchObject({
    applied: ["0003-elsewhere"],
    waiting: ["0002-rename", "0004-again"],
  });
  expect(await migrate(url, next)).toMatchObject({
    applied: ["0002-rename", "0004-again"],
    waiting: [],
  });
  expect(await rows(url, `SELECT * FROM "orders" WHERE "orderId" = 'o1'`)).toEqual([
    { orderId: "o1", number: "1", tel: "f1" },
  ]);
});

test.each(DATABASES)("%s: a new database waits for nobody", async (database) => {
  const url = await newDatabase(database);
  const { applied, waiting } = await migrate(url, migrationFolder(ALL), { isFinishing: false });
  expect({ applied, waiting }).toEqual({ applied: Object.keys(ALL), waiting: [] });
});

test.each(DATABASES)(
  "%s: a newer, a diverged and a lacking database are refused",
  async (database) => {
    const url = await filledDatabase(database);
    await migrate(
      url,
      migrationFolder({ ...FIRST, "0002-theirs": both(`DELETE FROM "shipments";`) }),
    );
    expect(await migrationRefusal(url, migrationFolder(FIRST))).toMatch(
      /^The database \S+ is newer than this release, which does not know the migration 0002-theirs\. [^\n]+$/,
    );
    const ours = migrationFolder({ ...FIRST, "0002-ours": both(`DELETE FROM "orders";`) });
    expect(await migrationRefusal(url, ours)).toMatch(
      /^The database \S+ and this release have diverged: it has the migration 0002-theirs, and lacks the migration 0002-ours\. [^\n]+$/,
    );
    const merged = migrationFolder({
      ...FIRST,
      "0002-ours": both(`DELETE FROM "orders";`),
      "0002-theirs": both(`DELETE FROM "shipments";`),
    });
    expect(await migrationRefusal(url, merged, { isApplying: false })).toMatch(
      /^The database \S+ lacks the migration 0002-ours, and MIGRATE_AT_START is false\. [^\n]+$/,
    );
    expect((await migrate(url, merged)).applied).toEqual(["0002-ours"]);
  },
);

test("a database that an earlier release of the generator has made is migrated", async () => {
  const url = await filledDatabase("postgres");
  await query(
    url,
    `DROP TABLE "schema_progress", "schema_statements", "schema_lock", "schema_releases", "schema_fence"`,
  );
  await migrate(url, migrationFolder(ALL));
  const whole = await filledDatabase("postgres");
  await migrate(whole, migrationFolder(ALL));
  expect(await contentOf(url)).toEqual(await contentOf(whole));
});

test("PostgreSQL: what was checked is not checked again once values have been put in their place", async () => {
  const url = await filledDatabase("postgres");
  const swapped = `-- check: orders whose fax is marked
SELECT "orderId" FROM "orders" WHERE "fax" LIKE 'x%';
-- contract: marks them
UPDATE "orders" SET "fax" = 'x' || "fax";
-- contract: says so
COMMENT ON COLUMN "orders"."fax" IS 'marked';
`;
  const folder = migrationFolder({
    ...FIRST,
    "0002-marks": { steps: [WIDEN], sqlite: "", postgres: swapped },
  });
  const tell = (): void => {
    throw new Error("the machine goes down");
  };
  await expect(migrate(url, folder, { tell })).rejects.toThrow("the machine goes down");
  expect(await migrationRefusal(url, migrationFolder(FIRST))).toContain(
    "is newer than this release",
  );
  expect((await migrate(url, folder)).applied).toEqual(["0002-marks"]);
  expect(await rows(url, `SELECT "fax" FROM "orders" WHERE "orderId" = 'o1'`)).toEqual([
    { fax: "xf1" },
  ]);
});
