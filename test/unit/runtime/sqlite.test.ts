import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { StorageUnavailable, UniqueViolation, type Database } from "#runtime/store/database";
import { connectSqlite, hasBuiltin } from "#runtime/store/sqlite/module";
import { openSqlite, type SqliteOptions } from "#runtime/store/sqlite/sqlite";
import { applyScript } from "./fixture/apply-script.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();
const TABLE = `CREATE TABLE "items" ("itemId" TEXT PRIMARY KEY NOT NULL, "code" TEXT UNIQUE, "price" INTEGER) STRICT`;
const INSERT = `INSERT INTO "items" VALUES (?, ?, ?)`;

async function openWithTable(name: string, options: SqliteOptions = {}): Promise<Database> {
  const database = await openSqlite(join(folder, name), options);
  await applyScript(database, TABLE);
  return database;
}

function insert(id: string, code: string): { sql: string; values: string[] } {
  return { sql: `INSERT INTO "items" ("itemId", "code") VALUES (?, ?)`, values: [id, code] };
}

async function ids(database: Database): Promise<unknown[]> {
  return (await database.all(`SELECT "itemId" FROM "items" ORDER BY 1`, [])).map(
    (row) => row["itemId"],
  );
}

test("the missing folder of a database file is made", async () => {
  const path = join(folder, "deep", "er", "a.db");
  const database = await openSqlite(path);
  expect(existsSync(path)).toBe(true);
  await database.close();
});

test("a file that is no database is refused, and left as it is", async () => {
  const path = join(folder, "letter.db");
  writeFileSync(path, "This is a letter, not a database, and it is quite long for one. ".repeat(4));
  await expect(openSqlite(path)).rejects.toThrow("letter.db is not a SQLite database");
});

test("a path that cannot be opened is refused with the reason", async () => {
  await expect(openSqlite(folder)).rejects.toThrow("cannot be opened: ");
});

test("writes are durable: WAL, full synchronisation, foreign keys", async () => {
  const database = await openWithTable("pragmas.db");
  expect(await database.get("PRAGMA journal_mode", [])).toMatchObject({ journal_mode: "wal" });
  expect(await database.get("PRAGMA synchronous", [])).toMatchObject({ synchronous: 2 });
  expect(await database.get("PRAGMA foreign_keys", [])).toMatchObject({ foreign_keys: 1 });
  expect(await database.get("PRAGMA trusted_schema", [])).toMatchObject({ trusted_schema: 0 });
  expect(await database.get("PRAGMA busy_timeout", [])).toMatchObject({ timeout: 0 });
  await database.close();
});

test("the steps of a unit are written all or none, and other units of the same turn are not touched", async () => {
  const database = await openWithTable("units.db");
  const results = await Promise.allSettled([
    database.write([insert("a", "1")]),
    database.write([insert("b", "2"), insert("c", "1")]),
    database.write([insert("d", "4"), insert("e", "5")]),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await ids(database)).toEqual(["a", "d", "e"]);
  await database.close();
});

test("whichever steps of a turn fail, each unit is written whole or not at all", async () => {
  const database = await openWithTable("turns-with-failures.db");
  const written = new Set<string>();
  const expected: string[] = [];
  for (let turn = 0; turn < 60; turn += 1) {
    // Later codes are mostly free, those of earlier turns mostly taken.
    const units = Array.from({ length: 1 + (turn % 5) }, (_, place) =>
      Array.from({ length: 1 + ((turn + place) % 3) }, (_, step) => {
        const code = String((turn * 7 + place * 5 + step * 11) % (20 + turn * 2));
        return insert(`${turn}-${place}-${step}`, code);
      }),
    );
    const outcomes = await Promise.allSettled(units.map(async (unit) => database.write(unit)));
    for (const [place, unit] of units.entries()) {
      const codes = unit.map(({ values }) => String(values[1]));
      const isFree = new Set(codes).size === codes.length && !codes.some((one) => written.has(one));
      expect(outcomes[place]?.status).toBe(isFree ? "fulfilled" : "rejected");
      if (!isFree) continue;
      for (const code of codes) written.add(code);
      expected.push(...unit.map(({ values }) => String(values[0])));
    }
  }
  expect(expected.length).toBeGreaterThan(40);
  expect(await ids(database)).toEqual(expected.sort());
  await database.close();
});

test("the writes of one turn share one transaction", async () => {
  const path = join(folder, "group.db");
  const database = await openWithTable("group.db");
  const watcher = await connectSqlite(path);
  const version = (): unknown => watcher.prepare("PRAGMA data_version").get()?.["data_version"];
  const before = Number(version());
  const writes = Array.from({ length: 50 }, (_, index) =>
    database.write([insert(`i${index}`, `${index}`)]),
  );
  await Promise.all(writes);
  // What another connection sees changes once a commit.
  expect(Number(version()) - before).toBe(1);
  expect(await ids(database)).toHaveLength(50);
  watcher.close();
  await database.close();
});

test("writes that come one a turn share transactions, as those of clients that connect for each do", async () => {
  const database = await openWithTable("turns.db");
  const log = join(folder, "turns.db-wal");
  // How long a transaction takes is known from the first one on.
  await database.write([insert("first", "first")]);
  const before = commitsIn(log);
  const writes: Promise<void>[] = [];
  for (let index = 0; index < 20; index += 1) {
    writes.push(database.write([insert(String(index), String(index))]));
    await new Promise(setImmediate);
  }
  await Promise.all(writes);
  // One each, if each turn wrote what it had.
  expect(commitsIn(log) - before).toBeLessThan(15);
  await database.close();
});

/** The transactions in a write-ahead log: the last frame of each has the size of the database in its header. */
function commitsIn(path: string): number {
  const log = readFileSync(path);
  const frame = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frame <= log.length; at += frame) {
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}

test("nobody is answered before the commit", async () => {
  const path = join(folder, "answered.db");
  const database = await openWithTable("answered.db");
  const reader = await connectSqlite(path);
  await database.write([insert("a", "1")]);
  expect(reader.prepare(`SELECT COUNT(*) AS n FROM "items"`).get()).toEqual({ n: 1 });
  reader.close();
  await database.close();
});

test("a unit that changes another number of rows is rolled back and rejected with its own error", async () => {
  const database = await openWithTable("changes.db");
  const stale = {
    sql: `UPDATE "items" SET "price" = 1 WHERE "itemId" = ?`,
    values: ["nobody"],
    changes: 1,
    otherwise: () => new Error("lost the race"),
  };
  await expect(database.write([insert("a", "1"), stale])).rejects.toThrow("lost the race");
  expect(await ids(database)).toEqual([]);
  await database.close();
});

test("a keyed statement that finds nothing rejects its own unit, and those beside it are written", async () => {
  const database = await openWithTable("keyed.db");
  const stale = {
    sql: `UPDATE "items" SET "price" = 1 WHERE "itemId" = ?`,
    values: ["nobody"],
    changes: 1,
    isKeyed: true,
    otherwise: () => new Error("lost the race"),
  };
  const units = [[insert("a", "1")], [stale], [insert("b", "2")]];
  const outcomes = await Promise.allSettled(units.map(async (steps) => database.write(steps)));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await ids(database)).toEqual(["a", "b"]);
  await database.close();
});

test("a value that must be unique names its table and columns", async () => {
  const database = await openWithTable("unique.db");
  await database.write([insert("a", "1")]);
  const error = await database.write([insert("b", "1")]).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UniqueViolation);
  expect(error).toMatchObject({ table: "items", columns: ["code"] });
  await database.close();
});

test("integers of 64 bits are stored exactly", async () => {
  const database = await openWithTable("exact.db");
  await database.write([{ sql: INSERT, values: ["a", "1", 999_999_999_999_999_999n] }]);
  const row = await database.get(`SELECT CAST("price" AS TEXT) AS price FROM "items"`, []);
  expect(row).toMatchObject({ price: "999999999999999999" });
  await database.close();
});

test("a lock held by another process is a storage fault, and the next write works", async () => {
  const path = join(folder, "locked.db");
  const database = await openWithTable("locked.db", { lockMilliseconds: 100 });
  const other = await connectSqlite(path);
  other.exec("BEGIN IMMEDIATE");
  await expect(database.write([insert("a", "1")])).rejects.toBeInstanceOf(StorageUnavailable);
  other.exec("ROLLBACK");
  await database.write([insert("a", "1")]);
  expect(await ids(database)).toEqual(["a"]);
  other.close();
  await database.close();
});

test("a full disk rejects the whole turn, and the service recovers when there is room", async () => {
  const database = await openWithTable("full.db");
  await database.write([insert("a", "1")]);
  const pages = Number((await database.get("PRAGMA page_count", []))?.["page_count"]);
  await database.all(`PRAGMA max_page_count = ${pages}`, []);
  await database.check();
  const results = await Promise.allSettled([
    database.write([insert("b", "2")]),
    database.write([insert("c", "x".repeat(100_000))]),
  ]);
  for (const result of results) {
    expect(result).toMatchObject({ status: "rejected" });
    expect(result.status === "rejected" && result.reason).toBeInstanceOf(StorageUnavailable);
  }
  // It is not ready from the first write on that was refused.
  await expect(database.check()).rejects.toBeInstanceOf(StorageUnavailable);
  await database.all("PRAGMA max_page_count = 1000000", []);
  await database.write([insert("c", "3")]);
  await database.check();
  expect(await ids(database)).toEqual(["a", "c"]);
  await database.close();
});

test("a database that cannot be written is not ready, and ready again when it can", async () => {
  const database = await openWithTable("read-only.db");
  await database.check();
  await database.all("PRAGMA query_only = ON", []);
  await expect(database.write([insert("a", "1")])).rejects.toBeInstanceOf(StorageUnavailable);
  await new Promise((resolve) => setTimeout(resolve, 1050));
  await expect(database.check()).rejects.toBeInstanceOf(StorageUnavailable);
  // The next probe is some time away, its outcome is not.
  await expect(database.check()).rejects.toBeInstanceOf(StorageUnavailable);
  await database.all("PRAGMA query_only = OFF", []);
  await new Promise((resolve) => setTimeout(resolve, 1050));
  await database.check();
  await database.close();
});

test("a database file that vanished or was replaced is noticed, never made anew", async () => {
  const path = join(folder, "vanishing.db");
  const database = await openWithTable("vanishing.db");
  await database.check();
  renameSync(path, `${path}.away`);
  await expect(database.check()).rejects.toThrow("removed or replaced");
  writeFileSync(path, "");
  await expect(database.check()).rejects.toThrow("removed or replaced");
  rmSync(path);
  renameSync(`${path}.away`, path);
  await database.check();
  await database.close();
});

test("what is queued is written before the database is closed", async () => {
  const database = await openWithTable("closing.db");
  const written = database.write([insert("a", "1")]);
  await database.close();
  await written;
  const again = await openSqlite(join(folder, "closing.db"));
  expect(await ids(again)).toEqual(["a"]);
  await again.close();
});

test("a statement is usable after many others have pushed it out of the cache", async () => {
  const database = await openWithTable("cache.db");
  for (let index = 0; index < 1000; index += 1) await database.get(`SELECT ${index} AS n`, []);
  expect(await database.get("SELECT 7 AS n", [])).toMatchObject({ n: 7 });
  await database.close();
});

test.each([
  ["20.20.2", false],
  ["22.12.9", false],
  ["22.13.0", true],
  ["24.0.0", true],
])("Node %s has its own SQLite: %s", (version, expected) => {
  expect(hasBuiltin(version)).toBe(expected);
});

test.each([5e-324, 1e-17, -1e-17, 2.3e-16, 0.1, 0.9999999999999999, 1.7976931348623157e308])(
  "the number %d is stored, found and answered as it was sent",
  async (number) => {
    const database = await openSqlite(":memory:");
    const script = `CREATE TABLE "items" ("weight" REAL)`;
    await applyScript(database, script);
    await database.write([{ sql: `INSERT INTO "items" VALUES (?)`, values: [number] }]);
    const found = await database.all(`SELECT "weight" FROM "items" WHERE "weight" = ?`, [number]);
    expect(found).toMatchObject([{ weight: number }]);
    await database.close();
  },
);

test.each([":memory:", "own.db"])(
  "a statement of custom code cannot write to %s, which is written afterwards, and sums are exact",
  async (name) => {
    const path = name === "own.db" ? join(folder, name) : name;
    const database = await openSqlite(path);
    await applyScript(database, TABLE);
    await database.write([{ sql: INSERT, values: ["a", "x", 9007199254740993n] }]);
    const bound = { rows: Infinity, bytes: 1000, isCustom: true };
    const ask = async (sql: string): Promise<unknown> => database.all(sql, [1n], bound);
    expect(await ask(`SELECT SUM("price") + ? AS total FROM "items"`)).toMatchObject([
      { total: 9007199254740994n },
    ]);
    await expect(ask(`WITH x AS (SELECT ?) DELETE FROM "items"`)).rejects.toThrow(
      "the statement only reads, and would write",
    );
    await expect(ask(`SELECT ? FROM "nothing"`)).rejects.toThrow("no such table: nothing");
    await database.write([insert("b", "y")]);
    expect(await ids(database)).toEqual(["a", "b"]);
    await database.close();
  },
);
