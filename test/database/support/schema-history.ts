import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DialectName } from "#runtime/store/database";
import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { StoredTable, StoredValue } from "#runtime/store/storage-model";
import { change, migrate } from "./migrated-database.js";
import { newDatabase } from "./order-services.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** A migration of a test: its steps, where it was not written by hand, and its scripts. */
export interface WrittenMigration {
  readonly steps?: readonly MigrationStep[];
  readonly sqlite: string;
  readonly postgres: string;
}

/** Writes migrations, by name; returns their folder. */
export function migrationFolder(migrations: Readonly<Record<string, WrittenMigration>>): URL {
  const folder = temporaryFolder();
  for (const [name, migration] of Object.entries(migrations)) {
    writeMigration(pathToFileURL(folder), name, migration);
  }
  return pathToFileURL(`${folder}/`);
}

/** Adds one to a folder. */
export function writeMigration(
  folder: URL,
  name: string,
  { steps, sqlite, postgres }: WrittenMigration,
): void {
  const path = join(folder.pathname, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "sqlite.sql"), sqlite);
  writeFileSync(join(path, "postgres.sql"), postgres);
  if (steps === undefined) return;
  const file = { format: 1, parents: [], parentDigests: {}, steps, storage: `after ${name}` };
  writeFileSync(join(path, "migration.json"), JSON.stringify(file));
}

/** The same script for both databases. */
export function both(script: string): Record<DialectName, string> {
  return { sqlite: script, postgres: script };
}

function table(name: string, ...columns: readonly string[]): StoredTable {
  const [key = ""] = columns;
  const value = (column: string): StoredValue => ({
    name: column,
    type: "text",
    nullable: column !== key,
    encoding: { form: "string" },
  });
  return {
    name,
    holds: "entities",
    columns: columns.map(value),
    primaryKey: [key],
    foreignKeys: [],
    indexes: [],
  };
}

/** Orders, and shipments that are deleted with their order. */
export const INITIAL: WrittenMigration = {
  steps: [
    { step: "createTable", table: table("orders", "orderId", "fax", "number") },
    { step: "createTable", table: table("shipments", "shipmentId", "order") },
  ],
  ...both(`CREATE TABLE "orders" ("orderId" TEXT PRIMARY KEY NOT NULL, "fax" TEXT NOT NULL, "number" TEXT);
CREATE TABLE "shipments" ("shipmentId" TEXT PRIMARY KEY NOT NULL, "order" TEXT NOT NULL REFERENCES "orders" ("orderId") ON DELETE CASCADE);
`),
};

/** Renames a column, which an older release goes on to read and write on PostgreSQL. */
export const RENAME: WrittenMigration = {
  steps: [{ step: "renameColumn", table: "orders", path: "fax", to: "phone" }],
  sqlite: `-- Renames orders.fax.

-- check: orders without a number
SELECT "orderId" FROM "orders" WHERE "number" IS NULL;
-- run: renames the column
ALTER TABLE "orders" RENAME COLUMN "fax" TO "phone";
-- run: lets orders be found by it
CREATE INDEX "orders_phone" ON "orders" ("phone");
`,
  postgres: `-- Renames orders.fax.

-- check: orders without a number
SELECT "orderId" FROM "orders" WHERE "number" IS NULL;
-- run: adds the column under its new name
ALTER TABLE "orders" ADD COLUMN IF NOT EXISTS "phone" TEXT;
-- run: keeps both in step
CREATE OR REPLACE FUNCTION "orders_fax_phone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW."phone" := COALESCE(NEW."phone", NEW."fax");
    NEW."fax" := NEW."phone";
  ELSIF NEW."fax" IS DISTINCT FROM OLD."fax" THEN
    NEW."phone" := NEW."fax";
  ELSIF NEW."phone" IS NULL THEN
    NEW."phone" := NEW."fax";
  ELSE
    NEW."fax" := NEW."phone";
  END IF;
  RETURN NEW;
END $$;
-- run: lets it do so
CREATE OR REPLACE TRIGGER "orders_fax_phone" BEFORE INSERT OR UPDATE ON "orders"
  FOR EACH ROW EXECUTE FUNCTION "orders_fax_phone"();
-- batch: copies what is there
UPDATE "orders" SET "phone" = "fax" WHERE "orderId" IN
  (SELECT "orderId" FROM "orders" WHERE "phone" IS NULL LIMIT :limit);
-- run: asks for a value
ALTER TABLE "orders" ALTER COLUMN "phone" SET NOT NULL;
-- outside: lets orders be found by it
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_phone" ON "orders" ("phone");
-- contract: lets go of the old name
DROP TRIGGER IF EXISTS "orders_fax_phone" ON "orders";
-- contract: and of what kept both in step
DROP FUNCTION IF EXISTS "orders_fax_phone"();
-- contract: and of the column
ALTER TABLE "orders" DROP COLUMN IF EXISTS "fax";
`,
};

/** Makes a table anew on SQLite: its shipments must stay. */
export const REBUILD: WrittenMigration = {
  steps: [
    {
      step: "convertColumn",
      table: "orders",
      path: "number",
      from: { type: "text", encoding: { form: "string" } },
      to: { type: "integer", encoding: { form: "integer" } },
    },
  ],
  sqlite: `-- foreign keys: off
-- run: makes the new table
CREATE TABLE "orders_new" ("orderId" TEXT PRIMARY KEY NOT NULL, "phone" TEXT NOT NULL, "number" INTEGER);
-- run: copies
INSERT INTO "orders_new" SELECT "orderId", "phone", CAST("number" AS INTEGER) FROM "orders";
-- run: drops the old one
DROP TABLE "orders";
-- run: and takes its place
ALTER TABLE "orders_new" RENAME TO "orders";
-- run: lets orders be found by phone
CREATE INDEX "orders_phone" ON "orders" ("phone");
`,
  postgres: `-- run: converts
ALTER TABLE "orders" ALTER COLUMN "number" TYPE BIGINT USING CAST("number" AS BIGINT);
`,
};

/** Asks another bound of shipments. */
export const WIDEN: MigrationStep = {
  step: "changeValues",
  table: "shipments",
  path: "order",
  values: null,
  bounds: {},
};
/** Written by hand: without steps, and without markers. */
export const BY_HAND: WrittenMigration = both(
  `INSERT INTO "orders" ("orderId", "phone", "number") VALUES ('by hand', 'none', 0);\n`,
);

/** A database of the first release, with 300 orders. */
export async function filledDatabase(database: DialectName): Promise<string> {
  const url = await newDatabase(database);
  await migrate(url, migrationFolder({ "0001-initial": INITIAL }));
  const many = Array.from({ length: 300 }, (_, index) => `('o${index}', 'f${index}', '${index}')`);
  await change(url, `INSERT INTO "orders" VALUES ${many.join(", ")}`);
  await change(url, `INSERT INTO "shipments" VALUES ('s1', 'o1'), ('s2', 'o1'), ('s3', 'o2')`);
  return url;
}
