import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { plainRows } from "../../support/plain-rows.js";

import { afterAll, expect, test } from "vitest";

import {
  RecipientGone,
  StatementTimeout,
  StorageUnavailable,
  UniqueViolation,
  type Database,
  type Recipient,
  type WriteStep,
} from "#runtime/store/database";
import { IndexShapes, readPlan } from "#runtime/store/sqlite/read-plan";
import { connectSqlite } from "#runtime/store/sqlite/module";
import { openSqlite, type SqliteOptions } from "#runtime/store/sqlite/sqlite";
import { applyScript } from "../../unit/runtime/fixture/apply-script.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();
const MANY = 5000;
const TABLES = `
  CREATE TABLE "boxes" ("boxId" TEXT PRIMARY KEY NOT NULL);
  CREATE TABLE "items" (
    "itemId" TEXT PRIMARY KEY NOT NULL, "box" TEXT REFERENCES "boxes" ("boxId"), "code" TEXT, "size" INTEGER);
  CREATE UNIQUE INDEX "items_code" ON "items" ("code");
  CREATE INDEX "items_box" ON "items" ("box", "itemId");`;
const ENDLESS = `SELECT COUNT(*) AS n FROM "items" AS a, "items" AS b, "items" AS c`;

async function openFilled(name: string, options: SqliteOptions = {}): Promise<Database> {
  const database = await openSqlite(join(folder, name), options);
  await applyScript(database, TABLES);
  await database.write([
    { sql: `INSERT INTO "boxes" VALUES (?)`, values: ["b"] },
    {
      sql: `INSERT INTO "items" WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
        SELECT 'i' || n, 'b', 'c' || n, n % 10 FROM n`,
      values: [MANY],
    },
  ]);
  return database;
}

/** What the deletion of a box writes. */
function removal(box: string): WriteStep[] {
  return [
    { sql: `DELETE FROM "items" WHERE "box" = ?`, values: [box], isOpenEnded: true },
    {
      sql: `DELETE FROM "boxes" WHERE "boxId" = ?`,
      values: [box],
      changes: 1,
      otherwise: () => new Error("lost the race"),
    },
  ];
}

async function countItems(database: Database): Promise<unknown> {
  return (await database.get(`SELECT COUNT(*) AS n FROM "items"`, []))?.["n"];
}

/** The processes that this one has started and that have not ended. */
function children(): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
    } catch {
      return false;
    }
  });
}

afterAll(() => {
  // Each database was closed, and its processes with it.
  expect(children()).toEqual([]);
});

test("a long list never reads another file, from the first one on, and none that is missing", async () => {
  const other = await openFilled("other.db");
  await other.close();
  const database = await openFilled("replaced.db");
  const path = join(folder, "replaced.db");
  const list = async () => database.all(`SELECT * FROM "items" ORDER BY "size"`, []);
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  renameSync(path, `${path}.away`);
  const before = timers();
  await expect(list()).rejects.toBeInstanceOf(StorageUnavailable);
  expect(timers()).toBe(before);
  copyFileSync(join(folder, "other.db"), path);
  await expect(list()).rejects.toBeInstanceOf(StorageUnavailable);
  rmSync(path);
  renameSync(`${path}.away`, path);
  expect((await list()).length).toBe(MANY);
  await database.close();
});

test.each<[string, string, string]>([
  ["few", "by its identifier", `SELECT * FROM "items" WHERE "itemId" = ?`],
  ["few", "with a condition", `SELECT * FROM "items" WHERE "size" = ? AND "itemId" = ?`],
  ["few", "by an index that ends in it", `SELECT * FROM "items" WHERE "box" = ? AND "itemId" = ?`],
  ["few", "by several", `SELECT * FROM "items" WHERE "itemId" IN (SELECT value FROM json_each(?))`],
  [
    "few",
    "joined by one",
    `SELECT * FROM "items" LEFT JOIN "boxes" ON "boxId" = "box" WHERE "itemId" = ?`,
  ],
  ["few", "whether there is one", `SELECT 1 FROM "items" WHERE "box" = ? LIMIT 1`],
  ["window", "a page", `SELECT * FROM "items" ORDER BY "itemId" LIMIT ? OFFSET ?`],
  [
    "window",
    "a page through an index",
    `SELECT * FROM "items" WHERE "box" = ? ORDER BY "itemId" LIMIT ? OFFSET ?`,
  ],
  [
    "any",
    "a page of what is left",
    `SELECT * FROM "items" WHERE "box" = ? AND "size" = ? ORDER BY "itemId" LIMIT ? OFFSET ?`,
  ],
  ["any", "a page that is sorted", `SELECT * FROM "items" ORDER BY "size" LIMIT ? OFFSET ?`],
  ["any", "a null that many share", `SELECT * FROM "items" WHERE "code" IS NULL`],
  ["any", "a count", `SELECT COUNT(*) AS n FROM "items" WHERE "box" = ?`],
  ["any", "each with each", ENDLESS],
])("a statement may read %s rows: %s", async (reach, _name, sql) => {
  const connection = await connectSqlite(":memory:");
  connection.exec(TABLES);
  expect(readPlan(sql, connection, new IndexShapes(connection)).reach).toBe(reach);
  connection.close();
});

test("a long statement gives the same rows as a short one, while others are read", async () => {
  const database = await openFilled("same.db");
  const sorted = `SELECT "itemId", "size", NULL AS note FROM "items" ORDER BY "size" DESC, "itemId" LIMIT ? OFFSET ?`;
  const long = database.all(sorted, [2, 1]);
  expect(await database.get(`SELECT "size" FROM "items" WHERE "itemId" = ?`, ["i7"])).toMatchObject(
    {
      size: 7,
    },
  );
  expect(await long).toEqual([
    { itemId: "i1019", size: 9, note: null },
    { itemId: "i1029", size: 9, note: null },
  ]);
  expect(await database.all(`SELECT "code" FROM "items" WHERE "size" = ?`, [99])).toEqual([]);
  expect(children().length).toBeGreaterThan(0);
  await database.close();
});

test("what was just written is in the next long statement", async () => {
  const database = await openFilled("fresh.db");
  for (let count = MANY; count < MANY + 20; count += 1) {
    expect(await countItems(database)).toBe(count);
    await database.write([
      { sql: `INSERT INTO "items" VALUES (?, 'b', ?, 1)`, values: [`x${count}`, `x${count}`] },
    ]);
  }
  await database.close();
});

test("a statement that takes too long is ended, and those that wait for it are not lost", async () => {
  const database = await openFilled("deadline.db", { requestSeconds: 2 });
  const endless = Array.from({ length: 4 }, async () => database.all(ENDLESS, []));
  const began = performance.now();
  const outcomes = await Promise.allSettled([...endless]);
  expect(performance.now() - began).toBeLessThan(20_000);
  for (const outcome of outcomes) {
    expect(outcome.status === "rejected" && outcome.reason).toBeInstanceOf(StatementTimeout);
  }
  expect(await countItems(database)).toBe(MANY);
  const cut = database.all(ENDLESS, []);
  cut.catch(() => undefined);
  await database.close();
  await expect(cut).rejects.toBeInstanceOf(StorageUnavailable);
});

/** One who asks, and who can go. */
class Asking implements Recipient {
  isGone = false;
  private readonly told = new Set<() => void>();

  constructor(readonly recipientKey: string) {}

  onGone(tell: () => void): () => void {
    this.told.add(tell);
    return () => this.told.delete(tell);
  }

  go(): void {
    this.isGone = true;
    for (const tell of this.told) tell();
  }

  get isHeld(): boolean {
    return this.told.size > 0;
  }
}

test("what nobody waits for any more is not begun, and ended where it was", async () => {
  const database = await openFilled("gone.db");
  const asking = new Asking("one");
  const left = Array.from({ length: 20 }, async () => database.all(ENDLESS, [], undefined, asking));
  const other = new Asking("other");
  const counted = database.get(`SELECT COUNT(*) AS n FROM "items"`, [], other);
  const began = performance.now();
  asking.go();
  for (const outcome of await Promise.allSettled(left)) {
    expect(outcome.status === "rejected" && outcome.reason).toBeInstanceOf(RecipientGone);
  }
  expect((await counted)?.["n"]).toBe(MANY);
  expect(performance.now() - began).toBeLessThan(15_000);
  await expect(database.all(ENDLESS, [], undefined, asking)).rejects.toBeInstanceOf(RecipientGone);
  expect([asking.isHeld, other.isHeld]).toEqual([false, false]);
  await database.close();
});

test("one who asks for much shuts out nobody: the others have their turns", async () => {
  const database = await openFilled("turns.db");
  const counted: string[] = [];
  const count = async (recipient: Recipient): Promise<void> => {
    const pairs = `SELECT COUNT(*) AS n FROM "items" AS a, (SELECT 1 FROM "items" LIMIT 200)`;
    const outcome = await database.get(pairs, [], recipient).catch((error: unknown) => error);
    if (!(outcome instanceof StorageUnavailable)) counted.push(recipient.recipientKey);
  };
  const greedy = new Asking("greedy");
  const crowd = Array.from({ length: 250 }, async () => count(greedy));
  await Promise.all([count(new Asking("modest")), count(new Asking("other"))]);
  expect(counted).toContain("modest");
  expect(counted).toContain("other");
  expect(counted.length).toBeLessThan(20);
  await Promise.all(crowd);
  expect(counted.length).toBeGreaterThan(190);
  await database.close();
});

test("no more statements wait than have a chance", async () => {
  const database = await openFilled("crowd.db", { requestSeconds: 1 });
  const crowd = await Promise.allSettled(
    Array.from({ length: 300 }, async () => database.all(ENDLESS, [])),
  );
  const reasons = crowd.map((outcome) => outcome.status === "rejected" && outcome.reason);
  expect(reasons.filter((reason) => reason instanceof StorageUnavailable).length).toBeGreaterThan(
    50,
  );
  expect(reasons.filter((reason) => reason instanceof StatementTimeout).length).toBeGreaterThan(50);
  await database.close();
});

test("a large unit is written all or none, in its place among the others", async () => {
  const database = await openFilled("large.db");
  const before = database.write([{ sql: `INSERT INTO "boxes" VALUES (?)`, values: ["c"] }]);
  const lost = database.write(removal("nobody").concat(removal("b").slice(0, 1), removal("d")));
  const clash = database.write([
    ...removal("b").slice(0, 1),
    { sql: `INSERT INTO "boxes" VALUES (?)`, values: ["c"] },
  ]);
  await before;
  await expect(lost).rejects.toThrow("lost the race");
  await expect(clash).rejects.toBeInstanceOf(UniqueViolation);
  expect(await countItems(database)).toBe(MANY);
  const removed = database.write(removal("b"));
  const after = database.write([{ sql: `INSERT INTO "boxes" VALUES (?)`, values: ["b"] }]);
  await Promise.all([removed, after]);
  expect(await countItems(database)).toBe(0);
  expect(plainRows(await database.all(`SELECT "boxId" FROM "boxes" ORDER BY 1`, []))).toEqual([
    { boxId: "b" },
    { boxId: "c" },
  ]);
  await database.close();
});
