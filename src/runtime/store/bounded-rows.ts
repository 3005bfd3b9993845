import {
  OWN_ROW_BYTES,
  ResultTooLarge,
  type SqlRow,
  type RowBound,
  type SqlValue,
} from "./database.js";
import { bytesOf } from "./named-rows.js";
import type { SqliteStatement } from "./sqlite-module.js";

/**
 * Reads rows that hold a bounded number of bytes together. Rows are read one by one, which costs half as much again,
 * only where those read before do not say that all of them will fit.
 */
export class BoundedRows {
  /** The most that a row of a statement has held so far. */
  private readonly largest = new WeakMap<SqliteStatement, number>();

  /** All rows of a query. Throws `ResultTooLarge`; one row is never too large. */
  read(
    statement: SqliteStatement,
    values: readonly SqlValue[],
    { rows: mostRows, bytes: mostBytes, isOwn = false }: RowBound,
  ): readonly SqlRow[] {
    // A sum can be more than a number holds.
    if (isOwn) statement.setReadBigInts(true);
    const largest = this.largest.get(statement);
    const isSmall = largest !== undefined && largest * mostRows <= mostBytes;
    const source = isSmall ? statement.all(...values) : statement.iterate(...values);
    const rows: SqlRow[] = [];
    let bytes = 0;
    let most = largest ?? 0;
    for (const row of source) {
      const held = bytesOf(row) + (isOwn ? OWN_ROW_BYTES : 0);
      if (held > most) most = held;
      bytes += held;
      rows.push(row);
      if (bytes > mostBytes && (isOwn || rows.length > 1)) break;
    }
    if (most !== largest) this.largest.set(statement, most);
    if (bytes > mostBytes && (isOwn || rows.length > 1)) throw new ResultTooLarge(mostBytes);
    return rows;
  }
}
