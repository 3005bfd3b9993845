import type { Database } from "./database.js";
import { openSqlite } from "./sqlite/sqlite.js";

/** Which database a service keeps its entities in, and how. */
export interface DatabaseOptions {
  /** `sqlite:<file>`, `sqlite::memory:` or `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** How many connections to a PostgreSQL server this process has at most. */
  readonly connections: number;
  /** How long a request may take (LIM-1): no statement takes longer. */
  readonly requestSeconds: number;
  /** The service, as a PostgreSQL server lists it. */
  readonly name: string;
}

/** True for the URL of a PostgreSQL server. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\/./.test(url);
}

/** Opens what a URL names. Throws `StartRefusal`. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (!isPostgresUrl(options.url)) return openSqlite(sqlitePath(options.url), options);
  // A service on SQLite never loads it.
  const { openPostgres } = await import("./postgres/postgres.js");
  return openPostgres(options);
}

/** The path of a `sqlite:` URL: `./data/helpdesk.db`, `/var/lib/helpdesk.db` or `:memory:`. */
export function sqlitePath(url: string): string {
  const path = url.slice("sqlite:".length);
  return path.startsWith("///") ? path.slice(2) : path;
}
