import type { Database, Recipient, SqlValue } from "./database.js";
import type { ListStatements } from "./list-sql.js";
import { numberOf } from "./rows.js";

/** A page that was read. */
interface CountedPage {
  /** Null where it is not known how many come before it. */
  readonly offset: number | null;
  readonly rows: number;
  readonly isFollowed: boolean;
  readonly recipient: Recipient | undefined;
}

/** The statements of `ListStatements` that count a list, and the values of its filters. */
interface Counting extends Pick<ListStatements, "count" | "few"> {
  readonly values: readonly SqlValue[];
}

/** How many a list has: the page itself tells where it is the last one and not empty, or the first one. */
export async function exactCount(
  database: Database,
  { count, few, values }: Counting,
  { offset, rows, isFollowed, recipient }: CountedPage,
): Promise<number> {
  const isLast = !isFollowed && (rows > 0 || offset === 0);
  if (isLast && offset !== null) return offset + rows;
  const known = few === null ? null : database.countFew?.({ count, few }, values);
  if (known !== null && known !== undefined) return known;
  const row = await database.get(count, values, recipient);
  return numberOf(row?.["count"]);
}
