import type { Database } from "./database.js";
import { openSqlite } from "./sqlite/sqlite.js";

export interface DatabaseOptions {
  /** `sqlite:<file>`, `sqlite::memory:` or `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** The maximum number of pooled connections to PostgreSQL. */
  readonly connections: number;
  /** The limit of a request, from which the limit of a statement follows (LIM-1). */
  readonly requestSeconds: number;
  /** The `application_name` of connections to PostgreSQL, unless the URL has one. */
  readonly name: string;
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\/./.test(url);
}

/** Throws `StartRefusal`. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (!isPostgresUrl(options.url)) return openSqlite(sqlitePath(options.url), options);
  // A service on SQLite never loads the driver for PostgreSQL.
  const { openPostgres } = await import("./postgres/postgres.js");
  return openPostgres(options);
}

/** `./data/helpdesk.db`, `/var/lib/helpdesk.db` or `:memory:`. */
export function sqlitePath(url: string): string {
  const path = url.slice("sqlite:".length);
  return path.startsWith("///") ? path.slice(2) : path;
}
