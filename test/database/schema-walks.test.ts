import fc from "fast-check";
import { expect, inject, test } from "vitest";
import { makeSchema, schemaUrl } from "../support/postgres-schema.js";
import { openPostgresScripts, openSqliteScripts } from "../support/run-script.js";
import { edits } from "../support/schema-walk.js";
import { walkDatabases, type Databases, type WalkCounts } from "../support/walk-databases.js";

/** `npm run walks` takes 500. */
const RUNS = Number(process.env["WALKS"] ?? 12);
const SEED = Number(process.env["WALKS_SEED"] ?? 20_261_122);

test("after random edits SQLite, PostgreSQL and fresh databases have the same structure, and every row is as declared", async () => {
  const counts: WalkCounts = { migrations: 0, refusedBySchema: 0, refusedByRows: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { minLength: 10, maxLength: 10 }), async (walk) => {
      const [walked, fresh] = [await databases(), await databases()];
      try {
        await walkDatabases(walk, walked, fresh, counts);
      } finally {
        for (const { sqlite, postgres } of [walked, fresh]) {
          await sqlite.close();
          await postgres.close();
        }
      }
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: process.env["WALKS"] !== undefined },
  );
  expect(counts.migrations).toBeGreaterThan(RUNS * 3);
}, 3_600_000);

async function databases(): Promise<Databases> {
  const url = schemaUrl(inject("postgresUrl"));
  await makeSchema(url);
  return { sqlite: openSqliteScripts(), postgres: await openPostgresScripts(url) };
}
