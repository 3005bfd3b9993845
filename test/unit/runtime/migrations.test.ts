import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import fc from "fast-check";
import { expect, test } from "vitest";

import { applyMigrations } from "#runtime/store/migrations/migrations";
import { openSqlite } from "#runtime/store/sqlite/sqlite";
import { temporaryFolder } from "../../support/temporary-folder.js";

const base = temporaryFolder();

/** Writes the migrations of one test; returns their folder. */
function folderOf(name: string, scripts: Readonly<Record<string, string>>): URL {
  for (const [step, script] of Object.entries(scripts)) {
    mkdirSync(join(base, name, step), { recursive: true });
    writeFileSync(join(base, name, step, "sqlite.sql"), script);
  }
  return pathToFileURL(join(base, name));
}

const FIRST = `CREATE TABLE "items" ("itemId" TEXT PRIMARY KEY NOT NULL);\nINSERT INTO "items" VALUES ('a');\n`;
const SECOND = `ALTER TABLE "items" ADD COLUMN "name" TEXT;\n`;

test("migrations are applied once, in order of their names", async () => {
  const folder = folderOf("order", { "002-name": SECOND, "001-start": FIRST });
  const database = await openSqlite(join(base, "order.db"));
  expect((await applyMigrations(database, folder)).applied).toEqual(["001-start", "002-name"]);
  expect((await applyMigrations(database, folder)).applied).toEqual([]);
  expect(await database.all(`SELECT * FROM "items"`, [])).toMatchObject([
    { itemId: "a", name: null },
  ]);
  await database.close();
});

test("a later release applies only what is new", async () => {
  const database = await openSqlite(join(base, "later.db"));
  const folder = folderOf("later", { "001-start": FIRST });
  await applyMigrations(database, folder);
  folderOf("later", { "002-name": SECOND });
  expect((await applyMigrations(database, folder)).applied).toEqual(["002-name"]);
  await database.close();
});

test("an earlier release refuses the database of a later one", async () => {
  const database = await openSqlite(join(base, "earlier.db"));
  await applyMigrations(database, folderOf("newer", { "001-start": FIRST, "002-name": SECOND }));
  await expect(
    applyMigrations(database, folderOf("older", { "001-start": FIRST })),
  ).rejects.toThrow(
    "The database earlier.db is newer than this release, which does not know the migration 002-name. " +
      'In development "npm run db:reset -- earlier.db" deletes it and everything in it; otherwise start a release that does, or restore a backup that was made before.',
  );
  await database.close();
});

test("a migration that was changed after it was applied is refused, and the refusal says what to do", async () => {
  const database = await openSqlite(join(base, "changed.db"));
  const folder = folderOf("changed", { "001-start": FIRST });
  await applyMigrations(database, folder);
  folderOf("changed", { "001-start": `${FIRST}-- and more\n` });
  await expect(applyMigrations(database, folder)).rejects.toThrow(
    "Migration 001-start was changed after it had been applied to this database. In development " +
      `"npm run db:reset -- changed.db" deletes it and everything in it; otherwise restore migrations/001-start/sqlite.sql.`,
  );
  await database.close();
});

test("line ends do not make another migration", async () => {
  const database = await openSqlite(join(base, "lines.db"));
  const folder = folderOf("lines", { "001-start": FIRST });
  await applyMigrations(database, folder);
  folderOf("lines", { "001-start": FIRST.replaceAll("\n", "\r\n") });
  await applyMigrations(database, folder);
  await database.close();
});

test("a migration that fails half-way leaves nothing behind", async () => {
  const database = await openSqlite(join(base, "failing.db"));
  const folder = folderOf("failing", { "001-start": `${FIRST}INSERT INTO "nowhere" VALUES (1);` });
  await expect(applyMigrations(database, folder)).rejects.toThrow(
    "Migration 001-start could not be applied, and nothing of it was: no such table: nowhere.",
  );
  const tables = await database.all(`SELECT name FROM sqlite_schema WHERE name = 'items'`, []);
  expect(tables).toEqual([]);
  expect(await database.migrations()).toEqual([]);
  await database.close();
});

test("two processes that start at once apply each migration once", async () => {
  const folder = folderOf("twice", { "001-start": FIRST, "002-name": SECOND });
  const path = join(base, "twice.db");
  const [left, right] = [await openSqlite(path), await openSqlite(path)];
  await Promise.all([applyMigrations(left, folder), applyMigrations(right, folder)]);
  expect(await left.all(`SELECT "itemId" FROM "items"`, [])).toMatchObject([{ itemId: "a" }]);
  await left.close();
  await right.close();
});

test("a missing folder and a missing file are refused by name", async () => {
  const database = await openSqlite(":memory:");
  const nowhere = pathToFileURL(join(base, "nowhere"));
  await expect(applyMigrations(database, nowhere)).rejects.toThrow("cannot be read");
  mkdirSync(join(base, "empty", "001-start"), { recursive: true });
  const empty = pathToFileURL(join(base, "empty"));
  await expect(applyMigrations(database, empty)).rejects.toThrow("001-start has no sqlite.sql");
  await database.close();
});

const FILLED = `-- run: say what it is\nUPDATE "items" SET "itemId" = 'b'`;

const MORE = `\n-- run: and more\nSELECT 1;`;

test.each([
  {
    name: "a marker without a space",
    script: `${FILLED.replace("-- run", "--run")};${MORE}`,
    line: 1,
  },
  { name: "a marker in capitals", script: `${FILLED.replace("run", "Run")};${MORE}`, line: 1 },
  { name: "a marker without a sentence", script: `-- run:\nDELETE FROM "items";${MORE}`, line: 1 },
  {
    name: "a check in capitals behind a statement",
    script: `${FILLED};\n-- Check: none\nSELECT 1;`,
    line: 3,
  },
  {
    name: "SQL before the first marker",
    script: `-- ours\n\nDELETE FROM "items";\n${FILLED}`,
    line: 3,
  },
  {
    name: "SQL after a comment of several lines",
    script: `/* a\nb */ DELETE FROM "items";\n${FILLED}`,
    line: 2,
  },
  {
    name: "SQL between comments that hold the signs of others",
    script: `-- src/*\nDELETE FROM "items";\n-- test/*/\n${FILLED}`,
    line: 2,
  },
  { name: "a comment that is not closed", script: `${FILLED};\n/* and\n${MORE}`, line: 3 },
  { name: "one without markers", script: `DELETE FROM "items"; /* and\nmore`, line: 1 },
  { name: "a marker within a comment", script: `${FILLED};\n/* and${MORE} */`, line: 3 },
  { name: "SQL on the line of its marker", script: `${FILLED};\n-- run: SELECT 1;\n`, line: 3 },
  { name: "a check of nothing", script: `-- check: none\n-- or so\n${FILLED}`, line: 1 },
  { name: "a NUL character", script: `${FILLED};\nSELECT 1;\0${MORE}`, line: 3 },
])(
  "$name is refused with its file and line, and nothing is recorded",
  async ({ name, script, line }) => {
    const database = await openSqlite(":memory:");
    const folder = folderOf(name, { "001-start": FIRST, "002-fill": script });
    const refusal = new RegExp(`^migrations/002-fill/sqlite\\.sql:${line}: ".+": `);
    await expect(applyMigrations(database, folder)).rejects.toThrow(refusal);
    expect(await database.migrations()).toEqual([]);
    await database.close();
  },
);

test.each([
  {
    name: "a comment within a statement",
    script: `-- run: it\nUPDATE "items"\n  -- check: only ours\nSET "itemId" = 'b'`,
  },
  {
    name: "no marker, and a comment like one",
    script: `-- Read: the docs\n--run: a\n${FILLED.split("\n")[1] ?? ""}`,
  },
  { name: "a byte order mark", script: `\uFEFF${FILLED}` },
  {
    name: "comments before the first marker",
    script: `-- ours\n/* of\nseveral lines */\n\n${FILLED}`,
  },
  {
    name: "comments that name a marker",
    script: `-- -- run: <what it does>\n-- we run it once\n${FILLED}`,
  },
  { name: "line ends of old", script: FILLED.replaceAll("\n", "\r") },
  {
    name: "a text that holds the signs of a comment",
    script: `-- run: it\nUPDATE "items" SET "itemId" = replace('/*b', '/*', '')`,
  },
  {
    name: "texts of PostgreSQL that hold signs",
    script: `-- run: it\nUPDATE "items" SET "itemId" = 'b' -- $$it's$$ 'image/*'\n/* $a$ it's $a$ */`,
  },
  {
    name: "a check that a comment follows",
    script: `-- check: none\nSELECT "itemId" FROM "items" WHERE "itemId" = '--c';; -- there is none\n-- and\n${FILLED}`,
  },
  { name: "no marker", script: `-- ours\n${FILLED.split("\n")[1] ?? ""}` },
])("$name hides no statement", async ({ name, script }) => {
  const database = await openSqlite(":memory:");
  await applyMigrations(database, folderOf(name, { "001-start": FIRST, "002-fill": script }));
  expect(await database.all(`SELECT "itemId" FROM "items"`, [])).toMatchObject([{ itemId: "b" }]);
  await database.close();
});

test("each line of a script is a comment or run, however it is put together", async () => {
  const part = fc.constantFrom(
    "",
    "-- a comment",
    "-- -- run: <what it does>",
    "--run: a",
    "-- RUN: a",
    "-- run:",
    " -- run: a",
    "-- check :a",
    "-- run: add one",
    'INSERT INTO "counted" VALUES (1);',
    "/* a comment",
    "of several lines */",
    "/* and */",
    "SELECT '/*';",
  );
  const counts = { refused: 0, applied: 0 };
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.boolean(), async (lines, hasMark) => {
      number += 1;
      const script = `${hasMark ? "\uFEFF" : ""}${lines.join("\n")}\n`;
      const database = await openSqlite(":memory:");
      const start = 'CREATE TABLE "counted" ("n" INTEGER)';
      const folder = folderOf(`random-${number}`, { "001-start": start, "002-add": script });
      const error = await applyMigrations(database, folder).then(() => null, String);
      if (error === null) {
        const rows = await database.all('SELECT "n" FROM "counted"', []);
        const text = script.replaceAll(/\/\* a comment[^]*?\*\//g, "");
        expect(rows.length, script).toBe(text.split("INSERT").length - 1);
        counts.applied += 1;
      } else {
        // What closes a comment that was not begun is for the database to refuse.
        expect(error, script).toMatch(/002-add\/sqlite\.sql:\d+: |near "\*"|near "of"/);
        counts.refused += 1;
      }
      await database.close();
    }),
    { numRuns: 300, seed: 20_261_126 },
  );
  expect(Math.min(counts.refused, counts.applied)).toBeGreaterThan(30);
});
