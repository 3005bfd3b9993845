import type { SqlRow, SqlValue } from "#runtime/store/database";

/** Rows as plain objects, to be compared: those of SQLite have names for their cells and nothing else of their own. */
export function plainRows(rows: readonly SqlRow[]): readonly SqlRow[] {
  return rows.map((row) => {
    const plain: Record<string, SqlValue> = {};
    for (const name in row) plain[name] = row[name] ?? null;
    return plain;
  });
}
