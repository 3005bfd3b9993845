import { withNamedRows } from "./named-rows.js";
import { RecentlyUsed } from "./recently-used.js";
import type { SqliteConnection, SqliteStatement } from "./sqlite-module.js";

/** The prepared statements of a connection, by their text; `of` throws what SQLite says of a text that is wrong. */
export type StatementCache = RecentlyUsed<SqliteStatement>;

/** Prepares each text once. */
export function statementCache(connection: SqliteConnection): StatementCache {
  return new RecentlyUsed((sql) => withNamedRows(connection.prepare(sql)));
}
