import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";

import { StartRefusal } from "../base/errors.js";
import { StorageUnavailable } from "./database.js";

/** The database itself, its log and the index of the log: SQLite keeps all three as long as one connection is open. */
const SUFFIXES = ["", "-wal", "-shm"];
/** Beside a database: there was one here. */
export const MARKER = ".created";
const COARSEST_CLOCK_MILLISECONDS = 2500;

/** What tells one file from another of the same name. */
interface Identity {
  readonly dev: number;
  readonly ino: number;
}

/** A database file, and which one of its name was opened. */
export interface OpenedFile {
  readonly path: string;
  readonly identity: string;
}

/** The files of an open database are no longer those that were opened: what is written now is lost. */
export class DatabaseGone extends StorageUnavailable {}

/** The files of a database, as they were when it was opened. */
export class SqliteFiles {
  private readonly opened: readonly (Identity | null)[];
  private readonly folder: string;
  /** When the folder had last changed when all of the files were found in it. */
  private unchangedSince = 0;

  constructor(private readonly path: string) {
    this.opened = SUFFIXES.map((suffix) => identityOf(path + suffix));
    this.folder = dirname(path);
  }

  /** The database itself. */
  get database(): OpenedFile {
    const [database] = this.opened;
    return { path: this.path, identity: `${database?.dev}:${database?.ino}` };
  }

  /** Throws `DatabaseGone`; goes well again once the very same files are back. */
  check(): void {
    // No file comes or goes without a change of its folder: one look instead of three after each commit.
    const changed = statSync(this.folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (changed === this.unchangedSince && changed > 0) return;
    this.checkEach();
    // Some file systems know the time only to two seconds: what happens within them looks the same.
    if (Date.now() - changed > COARSEST_CLOCK_MILLISECONDS) this.unchangedSince = changed;
  }

  private checkEach(): void {
    for (const [index, suffix] of SUFFIXES.entries()) {
      const opened = this.opened[index] ?? null;
      if (opened === null) continue;
      const found = identityOf(this.path + suffix);
      if (found !== null && found.ino === opened.ino && found.dev === opened.dev) continue;
      throw new DatabaseGone(
        `The database file ${this.path}${suffix} was removed or replaced while the service was running: ` +
          "every request that needs it is answered with 503. Put that very file back; or stop the service, restore a backup and start it again.",
      );
    }
  }
}

/** Refuses to make a new database where there was one before. Throws `StartRefusal`. */
export function refuseLostFile(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? null;
  if (size !== null && size > 0) return;
  if (existsSync(path + MARKER)) throw lostDatabase(path, size === null ? "is gone" : "is empty");
}

/** Likewise for a database without tables. Throws `StartRefusal`. */
export function refuseLostTables(path: string): void {
  if (existsSync(path + MARKER)) throw lostDatabase(path, "has none of its tables");
}

/**
 * Refuses to make a new database in a folder that holds another one: the default file has the name of the service, and another
 * name of the service would look like a lost database. Throws `StartRefusal`.
 */
export function refuseOtherFile(path: string): void {
  // Of a database that was lost, its own refusal says more.
  if (existsSync(path) || existsSync(path + MARKER)) return;
  const folder = dirname(path);
  const others = databasesIn(folder);
  const [other] = others;
  if (other === undefined) return;
  throw new StartRefusal(
    `There is no database ${path}, and there is another one next to it: ${others.join(", ")}. The default file is called ` +
      `like the service, whose name may have changed. To go on with ${other}, set DATABASE_URL=sqlite:${folder}/${other}, or ` +
      `rename all files that begin with ${other}. To begin with an empty database, move them away.`,
  );
}

function databasesIn(folder: string): readonly string[] {
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const names = files.map(({ name }) => name).filter((name) => name.endsWith(".db"));
    return names.sort();
  } catch {
    // It is made by the start, or the start says why it cannot be used.
    return [];
  }
}

/** From now on a start without this database is refused. */
export function markCreated(path: string): void {
  if (existsSync(path + MARKER)) return;
  const name = basename(path);
  writeFileSync(
    path + MARKER,
    `${name} was created here. While this file is next to it, the service does not start without ${name},\n` +
      "so that a lost database is not mistaken for a new one. Delete both to begin with an empty one.\n",
  );
}

function lostDatabase(path: string, what: string): StartRefusal {
  return new StartRefusal(
    `The database ${path} ${what}, and there was one before. Restore it from a backup; ` +
      `or delete ${path}${MARKER} to begin with an empty one.`,
  );
}

function identityOf(path: string): Identity | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}
