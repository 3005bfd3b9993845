import { join } from "node:path";

import fc from "fast-check";
import { expect, test } from "vitest";

import { openSqlite } from "#runtime/store/sqlite/sqlite";
import { changedPlaces, WriteSql } from "#runtime/store/write-sql";
import { applyScript } from "./fixture/apply-script.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const COLUMNS = ["title", "count", "note", "order"];
const writes = new WriteSql({ name: "things", idProperty: "thingId", written: COLUMNS });
const subject = { subjectId: "s", userPrincipalName: "n" };
const common = {
  ...{ createdDate: "c", createdSubject: subject },
  ...{ lastModifiedDate: "m", lastModifiedSubject: subject },
};

const cell = fc.oneof(fc.constant(null), fc.constantFrom("a", "b"), fc.integer({ min: 0, max: 2 }));
const encoded = fc.array(cell, { minLength: COLUMNS.length, maxLength: COLUMNS.length });

test("a change names the columns that it changes and no other, and the row is what it should be", async () => {
  const database = await openSqlite(join(temporaryFolder(), "things"));
  const names = COLUMNS.map((name) => `"${name}" ANY`).join(", ");
  const ends = ["date", "subject_id", "user_principal_name"];
  const others = ["created", "last_modified"].flatMap((of) => ends.map((end) => `"${of}_${end}"`));
  await applyScript(
    database,
    `CREATE TABLE "things" ("thingId" TEXT PRIMARY KEY, ${names}, ${others.join(", ")}, "row_revision" INTEGER)`,
  );
  let number = 0;
  await fc.assert(
    fc.asyncProperty(encoded, encoded, async (stored, next) => {
      const id = String((number += 1));
      const places = changedPlaces(stored, next);
      const update = writes.update(places, next, { id, revision: 1, common });
      await database.write([writes.insert(id, stored, common, null), update]);
      for (const [place, name] of COLUMNS.entries()) {
        expect(update.sql.includes(`"${name}" = ?`)).toBe(stored[place] !== next[place]);
      }
      const row = await database.get(`SELECT * FROM "things" WHERE "thingId" = ?`, [id]);
      expect(COLUMNS.map((name) => row?.[name])).toEqual(next);
      expect(row?.["row_revision"]).toBe(2);
      await database.write([writes.delete({ id, revision: 2 })]);
      expect(await database.all(`SELECT * FROM "things"`, [])).toEqual([]);
      // What has another revision by now is left as it is.
      await expect(database.write([update])).rejects.toThrow();
    }),
    { numRuns: 200 },
  );
  await database.close();
});
