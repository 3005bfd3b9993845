import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Database, SqlRow } from "#runtime/store/database";
import { decodeRows, jsonOf, textOf, LinkedRowDeleted, type LinkedRows } from "#runtime/store/rows";
import { openSqlite } from "#runtime/store/sqlite/sqlite";
import { applyScript } from "./fixture/apply-script.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const database = await openSqlite(join(temporaryFolder(), "links.db"));
afterAll(() => database.close());
await applyScript(
  database,
  `CREATE TABLE "teams" ("teamId" TEXT PRIMARY KEY NOT NULL, "members" TEXT NOT NULL) STRICT;
   CREATE TABLE "users" ("userId" TEXT PRIMARY KEY NOT NULL, "name" TEXT NOT NULL) STRICT;
   CREATE TABLE "teams_members" (owner_id TEXT NOT NULL, other_id TEXT NOT NULL) STRICT;
   INSERT INTO "users" VALUES ('a', 'Ann'), ('b', 'Ben');
   INSERT INTO "teams" VALUES ('one', '["a","b","a"]');
   INSERT INTO "teams_members" VALUES ('one', 'a'), ('one', 'b');`,
);

/** A team with the names of its members, which stand in another table. */
const TEAMS = {
  idProperty: "teamId",
  linked: [
    {
      path: "members",
      select: `SELECT "userId", "name" FROM "users"`,
      idProperty: "userId",
      links: "teams_members",
    },
  ],
  decode: (row: SqlRow, linked: LinkedRows): readonly string[] =>
    jsonOf<string[]>(row["members"]).map((id) => textOf(linked.row("members", id)["name"])),
};

const look = (): ReturnType<Database["all"]> => database.all(`SELECT * FROM "teams"`, []);
const letGo = async (): Promise<void> =>
  database.write([
    { sql: `UPDATE "teams" SET "members" = '["a"]'`, values: [] },
    { sql: `DELETE FROM "teams_members" WHERE other_id = 'b'`, values: [] },
    { sql: `DELETE FROM "users" WHERE "userId" = 'b'`, values: [] },
  ]);

test("what a list shows of others is read with it, in its order and as often as it is there", async () => {
  const { entities } = await decodeRows(TEAMS, look, { database });
  expect(entities).toEqual([["Ann", "Ben", "Ann"]]);
});

test("what is let go of and deleted between two statements is looked for again", async () => {
  let looks = 0;
  const slow = async (): ReturnType<typeof look> => {
    const rows = await look();
    looks += 1;
    if (looks === 1) await letGo();
    return rows;
  };
  const { entities } = await decodeRows(TEAMS, slow, { database });
  expect(entities).toEqual([["Ann"]]);
  expect(looks).toBe(2);
});

test("what leads to nothing for good is a fault, and not an endless search", async () => {
  await database.write([{ sql: `UPDATE "teams" SET "members" = '["c"]'`, values: [] }]);
  await expect(decodeRows(TEAMS, look, { database })).rejects.toThrow(LinkedRowDeleted);
});
