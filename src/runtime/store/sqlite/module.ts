import { loadOwn } from "../../base/package.js";
import type { SqlRow, SqlValue } from "../database.js";

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

/** Opens a file (or `:memory:`) with Node's own SQLite where there is one, else with the package of the same API. */
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
