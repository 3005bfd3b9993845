import { closeSync, existsSync, openSync, readSync, rmSync } from "node:fs";

import { StartRefusal } from "../base/errors.js";
import { isLocked } from "./sqlite-errors.js";
import { MARKER } from "./sqlite-files.js";
import { connectSqlite } from "./sqlite-module.js";

/** The first bytes of every SQLite file. */
const HEADER = Buffer.from("SQLite format 3\0");

/** The marker goes first: where only it were left, the next start would take the database for lost. */
const SUFFIXES = [MARKER, "", "-wal", "-shm", "-journal"];

/** Deletes a SQLite file with all that belongs to it; returns what was there. Throws `StartRefusal`. */
export async function deleteSqlite(path: string): Promise<readonly string[]> {
  if (existsSync(path)) {
    refuseOtherFile(path);
    await refuseInUse(path);
  }
  const there = SUFFIXES.map((suffix) => path + suffix).filter((file) => existsSync(file));
  for (const file of there) rmSync(file);
  return there;
}

/** An empty file is a database that nothing was written to yet. */
function refuseOtherFile(path: string): void {
  const start = Buffer.alloc(HEADER.length);
  const file = openSync(path, "r");
  const length = readSync(file, start);
  closeSync(file);
  if (length === 0 || start.equals(HEADER)) return;
  throw new StartRefusal(`${path} is not a SQLite database. Nothing was deleted.`);
}

/** A process that has the database open would go on with files that are gone. */
async function refuseInUse(path: string): Promise<void> {
  const connection = await connectSqlite(path);
  try {
    connection.exec("PRAGMA locking_mode = EXCLUSIVE");
    connection.exec("BEGIN EXCLUSIVE");
    connection.exec("ROLLBACK");
  } catch (error) {
    // What is damaged may go.
    if (!isLocked(error)) return;
    throw new StartRefusal(
      `Another process has ${path} open: stop the service first. Nothing was deleted.`,
      { cause: error },
    );
  } finally {
    connection.close();
  }
}
