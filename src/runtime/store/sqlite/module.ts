import { loadOwn } from "../../base/package.js";
import {
  type SqlRow,
  type SqlValue,
  ReferenceViolation,
  StorageUnavailable,
  UniqueViolation,
} from "../database.js";

/** The part of the `node:sqlite` API that the driver uses. */
export interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** A prepared statement. */
export interface SqliteStatement {
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint };
  get(...values: readonly SqlValue[]): SqlRow | undefined;
  all(...values: readonly SqlValue[]): readonly SqlRow[];
  iterate(...values: readonly SqlValue[]): Iterable<SqlRow>;
  setReadBigInts(enabled: boolean): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string) => SqliteConnection;
}

/** From then on a connection refuses to write. */
export const READ_ONLY = "PRAGMA query_only = ON";

const FIRST_WITH_BUILTIN = [22, 13] as const;

/** Opens a file (or `:memory:`) with Node's own SQLite if it has one, and otherwise with the package of the same API. */
export async function connectSqlite(path: string): Promise<SqliteConnection> {
  const { DatabaseSync } = hasBuiltin(process.versions.node)
    ? loadQuietly("node:sqlite")
    : loadQuietly("@photostructure/sqlite");
  return new DatabaseSync(path);
}

/** True for the Node versions that offer `node:sqlite` without a flag. */
export function hasBuiltin(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [firstMajor, firstMinor] = FIRST_WITH_BUILTIN;
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}

function loadQuietly(name: string): SqliteModule {
  const emitWarning = process.emitWarning;
  // Node 22 and 24 print an ExperimentalWarning for node:sqlite, whose API this runtime is tested against.
  process.emitWarning = () => undefined;
  try {
    return loadOwn(name);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Result codes for faults of the storage, and not of the statement. */
const STORAGE_CODES: ReadonlySet<number> = new Set([
  5, // BUSY
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  11, // CORRUPT
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL
  26, // NOTADB
]);
const FOREIGN_KEY = 787;
const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
const UNIQUE_CODES: ReadonlySet<number> = new Set([1555, 2067]);
/** The driver for Node 20 gives no code for a failed query, only SQLite's text. */
const CODES_BY_MESSAGE: Readonly<Record<string, number>> = {
  "database is locked": BUSY,
  "database table is locked": LOCKED,
  "attempt to write a readonly database": 8,
  "disk I/O error": 10,
  "database disk image is malformed": CORRUPT,
  "database or disk is full": 13,
  "unable to open database file": 14,
  "file is not a database": NOT_A_DATABASE,
};
const UNIQUE_MESSAGE = "UNIQUE constraint failed: ";

/** Maps SQLite's errors to `UniqueViolation`, `ReferenceViolation` or `StorageUnavailable`; returns others unchanged. */
export function sqliteError(error: unknown): unknown {
  const code = resultCode(error);
  if (code === null || !(error instanceof Error)) return error;
  if (code === FOREIGN_KEY) return new ReferenceViolation(error.message, { cause: error });
  if (UNIQUE_CODES.has(code)) return uniqueViolation(error.message);
  // The low byte of an extended code is the primary one.
  if (STORAGE_CODES.has(code & 0xff))
    return new StorageUnavailable(error.message, { cause: error });
  return error;
}

/** Also accepts an error that `sqliteError` returned. */
export function isReadOnlyError(error: unknown): boolean {
  return primaryCode(error) === 8;
}

/** Null for an error that is not SQLite's. */
export function resultCode(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode;
  const isNameless = "code" in error && error.code === "ERR_SQLITE_ERROR";
  return isNameless ? (CODES_BY_MESSAGE[error.message] ?? null) : null;
}

/** Another process has the lock; nothing was done. */
export function isLocked(error: unknown): boolean {
  const code = primaryCode(error);
  return code === BUSY || code === LOCKED;
}

/** The file is damaged. */
export function isDamaged(error: unknown): boolean {
  const code = primaryCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

/** Also accepts an error that `sqliteError` returned. */
function primaryCode(error: unknown): number | null {
  const code = resultCode(error) ?? (error instanceof Error ? resultCode(error.cause) : null);
  return code === null ? null : code & 0xff;
}

/** Reads `UNIQUE constraint failed: tickets.email, tickets.channel`. */
function uniqueViolation(message: string): UniqueViolation {
  const start = message.indexOf(UNIQUE_MESSAGE);
  const names = start < 0 ? [] : message.slice(start + UNIQUE_MESSAGE.length).split(", ");
  const table = names[0]?.split(".")[0] ?? "";
  return new UniqueViolation(
    table,
    names.map((name) => name.slice(name.indexOf(".") + 1)),
  );
}
