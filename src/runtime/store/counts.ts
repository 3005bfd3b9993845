import { counted } from "../base/texts.js";
import type { Database, Recipient, SqlValue } from "./database.js";
import type { ListStatements } from "./list-sql.js";
import type { Migration } from "./migrations/migration.js";
import { numberOf } from "./rows.js";

interface CountedPage {
  /** Null if the number of rows before it is unknown. */
  readonly offset: number | null;
  readonly rows: number;
  readonly isFollowed: boolean;
  readonly recipient: Recipient | undefined;
}

interface CountSql extends Pick<ListStatements, "count" | "few"> {
  readonly values: readonly SqlValue[];
}

/** The exact count. The first page, and a last page that is not empty, need no statement for it. */
export async function exactCount(
  database: Database,
  { count, few, values }: CountSql,
  { offset, rows, isFollowed, recipient }: CountedPage,
): Promise<number> {
  const isLast = !isFollowed && (rows > 0 || offset === 0);
  if (isLast && offset !== null) return offset + rows;
  const known = few === null ? null : database.countFew?.({ count, few }, values);
  if (known !== null && known !== undefined) return known;
  const row = await database.get(count, values, recipient);
  return numberOf(row?.["count"]);
}

/** Rows by table, or their change. */
export type RowCounts = ReadonlyMap<string, number>;

/** Changes of row counts that no step explains: `orders has 3 rows fewer`. */
export function unexpectedRowChanges(
  { steps }: Migration,
  before: RowCounts,
  after: RowCounts,
): readonly string[] {
  // A hand-written part may add and delete rows without a step for it.
  if (steps.length === 0) return [];
  const renamed = new Map<string, string>();
  const asked = new Set<string>();
  for (const step of steps) {
    if (step.step === "renameTable") renamed.set(step.table, step.to);
    if (step.step === "createTable") asked.add(step.table.name);
    if (step.step === "dropTable") asked.add(step.table);
  }
  return [...before].flatMap(([table, rows]) => {
    if (asked.has(table)) return [];
    const found = after.get(renamed.get(table) ?? table);
    // A table that is renamed in several statements has its old name until the last of them.
    const now = found ?? (renamed.has(table) ? after.get(table) : undefined);
    if (now === undefined) return [`${table} is gone`];
    if (now === rows) return [];
    const change = Math.abs(now - rows);
    return [`${table} has ${counted(change, "row")} ${now > rows ? "more" : "fewer"}`];
  });
}

/** A migration changed rows unexpectedly, and was rolled back. */
export class UnexpectedRowChange extends Error {
  override readonly name = "UnexpectedRowChange";

  constructor(changes: readonly string[]) {
    super(`it would change rows that it does not name: ${changes.join(", ")}`);
  }
}
