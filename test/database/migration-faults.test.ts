import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { SERVICES } from "../support/generated-services.js";
import { DATABASES, newDatabase } from "./support/order-services.js";
import { change, migrate, rows, STRUCTURE, withDatabase } from "./support/migrated-database.js";
import { BY_HAND, INITIAL, migrationFolder, REBUILD, RENAME } from "./support/schema-history.js";

// G14: a migration that is killed leaves the old state, the new one, or one that the next start finishes.

const initial = migrationFolder({ "0001-initial": INITIAL });
const renamed = migrationFolder({ "0001-initial": INITIAL, "0002-rename": RENAME });
const all = migrationFolder({
  "0001-initial": INITIAL,
  "0002-rename": RENAME,
  "0003-rebuild": REBUILD,
  "0004-by-hand": BY_HAND,
});
// Inside the repository, so that it finds the drivers.
const program = join(SERVICES, "doomed-migration.mjs");
await build({
  entryPoints: [resolve("test/database/support/doomed-migration.ts")],
  outfile: program,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
});

/** A database of the first release, with rows. */
async function filled(database: (typeof DATABASES)[number]): Promise<string> {
  const url = await newDatabase(database);
  await migrate(url, initial);
  const many = Array.from({ length: 300 }, (_, index) => `('o${index}', 'f${index}', '${index}')`);
  await change(url, `INSERT INTO "orders" VALUES ${many.join(", ")}`);
  await change(url, `INSERT INTO "shipments" VALUES ('s1', 'o1'), ('s2', 'o1'), ('s3', 'o2')`);
  return url;
}

/** Whether it was killed. */
async function doomed(url: string, folder: URL, call: number, finish = ""): Promise<boolean> {
  const given = [program, url, folder.pathname, String(call), finish];
  const child = spawn(process.execPath, given, { stdio: ["ignore", "ignore", "pipe"] });
  let written = "";
  child.stderr.on("data", (chunk: Buffer) => (written += chunk.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (signal === "SIGKILL") return true;
  expect({ code, written }).toEqual({ code: 0, written: "" });
  return false;
}

/** All that there is, but for the times of its history. */
function content(url: string): Promise<unknown> {
  return withDatabase(url, async (database) => ({
    orders: await database.all(`SELECT * FROM "orders" ORDER BY "orderId"`, []),
    shipments: await database.all(`SELECT * FROM "shipments" ORDER BY "shipmentId"`, []),
    history: await database.migrations(),
    structure: await database.all(STRUCTURE[database.dialect], []),
  }));
}

test.each(DATABASES)(
  "%s: killed before any call to the database, it is finished by the next start",
  async (database) => {
    const whole = await filled(database);
    await migrate(whole, all, { isFinishing: true });
    const want = await content(whole);
    let call = 1;
    for (; ; call += 1) {
      const url = await filled(database);
      const wasKilled = await doomed(url, all, call, "finish");
      expect(await rows(url, `SELECT COUNT(*) AS "count" FROM "shipments"`)).toEqual([
        { count: 3 },
      ]);
      await migrate(url, all, { isFinishing: true });
      expect(await content(url), `killed before call ${call}`).toEqual(want);
      if (!wasKilled) break;
    }
    expect(call).toBeGreaterThan(database === "sqlite" ? 30 : 60);
  },
  600_000,
);

test("PostgreSQL: an older release reads and writes in every state that a kill leaves", async () => {
  for (let call = 1; ; call += 4) {
    const url = await filled("postgres");
    const wasKilled = await doomed(url, renamed, call);
    await change(url, `UPDATE "orders" SET "fax" = 'changed' WHERE "orderId" = 'o7'`);
    await change(url, `INSERT INTO "orders" ("orderId", "fax", "number") VALUES ('new', 'f', '1')`);
    const old = `SELECT "fax" FROM "orders" WHERE "orderId" IN ('o7', 'o8', 'new') ORDER BY "orderId"`;
    expect(await rows(url, old)).toEqual([{ fax: "f" }, { fax: "changed" }, { fax: "f8" }]);
    expect((await migrate(url, renamed)).open).toEqual(["0002-rename"]);
    const both = `SELECT COUNT(*) AS "count" FROM "orders" WHERE "fax" = "phone"`;
    expect(await rows(url, both)).toEqual([{ count: 301 }]);
    if (!wasKilled) return;
  }
});

test("SQLite: nothing of a run of migrations stays unless all of it does", async () => {
  const url = await filled("sqlite");
  await change(url, `UPDATE "orders" SET "number" = NULL WHERE "orderId" = 'o1'`);
  const before = await content(url);
  await expect(migrate(url, all)).rejects.toThrow("1 row stands in its way");
  expect(await content(url)).toEqual(before);
  await withDatabase(url, async (database) => {
    expect(await database.get("PRAGMA foreign_keys", [])).toEqual({ foreign_keys: 1 });
  });
});
