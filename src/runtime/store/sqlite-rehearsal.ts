import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { applyMigrations, type MigrationOptions, type MigrationReport } from "./migrations.js";
import { openSqlite } from "./sqlite.js";
import { connectSqlite } from "./sqlite-module.js";

/** Applies migrations to a copy of a file, which goes again. Throws `StartRefusal`. */
export async function rehearseSqlite(
  path: string,
  folder: URL,
  options: MigrationOptions,
): Promise<MigrationReport> {
  const place = mkdtempSync(join(tmpdir(), "rehearsal-"));
  try {
    const copy = join(place, basename(path));
    const connection = await connectSqlite(path);
    try {
      connection.prepare("VACUUM INTO ?").run(copy);
    } finally {
      connection.close();
    }
    const database = await openSqlite(copy);
    try {
      // Those that serve have the original.
      await database.write([{ sql: `DELETE FROM "schema_releases"`, values: [] }]);
      return await applyMigrations(database, folder, options);
    } finally {
      await database.close();
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
