import { expect, test } from "vitest";
import { query } from "../support/postgres-schema.js";
import { change, migrate, migrationRefusal } from "./support/migrated-database.js";
import { filledDatabase, INITIAL, migrationFolder } from "./support/schema-history.js";

// A hand-written migration that stopped half way on PostgreSQL: the statements that have not been run can be corrected.

const NAME = "0002-by-hand";
const ADD = `-- run: adds a note
ALTER TABLE "orders" ADD COLUMN "note" TEXT;
`;
const FILL = `-- run: fills it
UPDATE "orders" SET "note" = 'none';
`;
const WRONG = FILL.replace(`'none'`, `"none"`);
const END = `-- run: says so
COMMENT ON TABLE "orders" IS 'filled';
`;
const folderWith = (postgres: string): URL =>
  migrationFolder({ "0001-initial": INITIAL, [NAME]: { sqlite: "", postgres } });

/** A database in which the first statement of the migration was run, and the second one failed. */
async function stopped(script = ADD + WRONG + END): Promise<string> {
  const url = await filledDatabase("postgres");
  expect(await migrationRefusal(url, folderWith(script))).toMatch(
    new RegExp(
      `^Migration ${NAME} stopped at statement 2 of 3 .*can be corrected in migrations/${NAME}/postgres.sql`,
    ),
  );
  return url;
}

const NOTES = `SELECT DISTINCT "note" FROM "orders"`;
const BEGUN = `SELECT COUNT(*)::int AS "left" FROM "schema_progress", "schema_statements"`;

test.each<{ name: string; script: string }>([
  { name: "its statement is corrected", script: ADD + FILL + END },
  { name: "what follows is taken out", script: ADD + FILL },
  { name: "the statement is replaced by two", script: ADD + END + FILL },
  { name: "a statement more is at the end", script: ADD + FILL + END + END },
  {
    name: "the sentence of what was run is another",
    script: ADD.replace("a note", "notes") + FILL + END,
  },
  { name: "comments come before", script: `-- Corrected.\n${ADD}${FILL}${END}` },
  {
    name: "a check comes first",
    script: `-- check: orders without an identifier\nSELECT "orderId" FROM "orders" WHERE "orderId" IS NULL;\n${ADD}${FILL}${END}`,
  },
  {
    name: "it becomes a batch",
    script: `${ADD}-- batch: fills it\nUPDATE "orders" SET "note" = 'none' WHERE "orderId" IN (SELECT "orderId" FROM "orders" WHERE "note" IS NULL LIMIT :limit);\n${END}`,
  },
  { name: "it waits for older releases", script: ADD + END + FILL.replace("run", "contract") },
])("$name: the migration goes on behind what was run", async ({ script }) => {
  const url = await stopped();
  expect((await migrate(url, folderWith(script))).applied).toEqual([NAME]);
  expect(await query(url, NOTES)).toEqual([{ note: "none" }]);
  expect(await query(url, BEGUN)).toEqual([{ left: 0 }]);
  // From now on it is what was applied.
  expect((await migrate(url, folderWith(script))).applied).toEqual([]);
  expect(await migrationRefusal(url, folderWith(`${script}${END}`))).toContain(
    `Migration ${NAME} was changed after it had been applied to this database.`,
  );
});

test.each<{ name: string; script: string }>([
  { name: "what was run is another", script: ADD.replace("TEXT", "BIGINT") + FILL + END },
  { name: "what was run is gone", script: FILL + END },
  { name: "a statement comes before it", script: END + ADD + FILL },
  { name: "it is of another kind", script: ADD.replace("run", "outside") + FILL + END },
  { name: "it waits for older releases", script: ADD.replace("run", "contract") + FILL + END },
  { name: "nothing is left of it", script: "" },
])("$name: refused, with what can be changed", async ({ script }) => {
  const url = await stopped();
  expect(await migrationRefusal(url, folderWith(script))).toMatch(
    /half done, and a statement that has been run was changed after it\. .* restore the first statement of migrations\/0002-by-hand\/postgres\.sql\. The other statements can be changed\.$/,
  );
  expect((await migrate(url, folderWith(ADD + FILL + END))).applied).toEqual([NAME]);
});

test("a batch that stopped half way counts as not run", async () => {
  const batch = (value: string): string => `-- batch: fills it
UPDATE "orders" SET "note" = ${value} WHERE "orderId" IN (SELECT "orderId" FROM "orders" WHERE "note" IS NULL ORDER BY "orderId" LIMIT :limit);
`;
  // Orders are filled in their order until one cannot be.
  const value = `CASE WHEN "orderId" LIKE 'o99%' THEN (1 / (length("orderId") - length("orderId")))::text ELSE 'x' END`;
  const url = await stopped(ADD + batch(value) + END);
  const filled = `SELECT COUNT("note")::int AS "some", COUNT(*)::int AS "all" FROM "orders"`;
  const [{ some = 0, all = 0 } = {}] = await query(url, filled);
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(Number(all));
  expect((await migrate(url, folderWith(ADD + batch("'none'") + END))).applied).toEqual([NAME]);
});

test("checks run again, and a new one is asked", async () => {
  const url = await stopped();
  const check = `-- check: orders without a note\nSELECT "orderId" FROM "orders" WHERE "note" IS NULL;\n`;
  expect(await migrationRefusal(url, folderWith(check + ADD + FILL + END))).toMatch(
    /rows violate it \(orders without a note\).* It stays half done/,
  );
});

test("a migration that an older runtime has begun is compared as a whole", async () => {
  const url = await stopped();
  await change(url, `DROP TABLE "schema_statements"`);
  expect(await migrationRefusal(url, folderWith(ADD + FILL + END))).toContain(
    `Migration ${NAME} was changed after it had been applied`,
  );
  expect(await migrationRefusal(url, folderWith(ADD + WRONG + END))).toContain("stopped at");
});
