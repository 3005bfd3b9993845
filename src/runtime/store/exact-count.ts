import type { Database, Recipient, Row, SqlValue } from "./database.js";
import { numberOf } from "./rows.js";

/** A page that was read. */
interface CountedPage {
  readonly offset: number;
  readonly rows: readonly Row[];
  readonly pageSize: number;
  readonly recipient: Recipient | undefined;
}

/** How many a list has: the page itself tells where it is the last one and not empty, or the first one. */
export async function exactCount(
  database: Database,
  { sql, values }: { readonly sql: string; readonly values: readonly SqlValue[] },
  { offset, rows, pageSize, recipient }: CountedPage,
): Promise<number> {
  const isLast = rows.length < pageSize && (rows.length > 0 || offset === 0);
  if (isLast) return offset + rows.length;
  const row = await database.get(sql, values, recipient);
  return numberOf(row?.["count"]);
}
