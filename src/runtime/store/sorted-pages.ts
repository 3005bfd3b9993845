import type { SqlRow, RowBound, SortedPage, SqlValue } from "./database.js";
import { isShort } from "./read-plan.js";
import { RecentlyUsed } from "./recently-used.js";
import { numberOf } from "./rows.js";
import type { SqliteFile } from "./sqlite-file.js";

/** Reads the rows of a statement at once, in this process. */
type ReadRows = (sql: string, values: readonly SqlValue[], bound?: RowBound) => readonly SqlRow[];

/** So many rows are found and sorted within a millisecond. */
const FEW_MATCHES = 1000;
/** A limit and an offset: one row more shows that they are not few. */
const ONE_BEYOND = [FEW_MATCHES + 1, 0] as const;
/** Rows read in the order of the sort, per row up to the end of the page. */
const ROWS_AHEAD = 5;
/** For a page of 200, and the row that shows whether another one follows. */
const MOST_ROWS_AHEAD = ROWS_AHEAD * 201;
/** Requests for a page that are read as usual after an attempt in vain. */
const REQUESTS_WITHOUT_ATTEMPT = 20;

/** Finds pages of filtered and sorted lists of a SQLite file without sorting every row that passes the filters. */
export class SortedPages {
  /** Attempts in vain, by statement and values. */
  private readonly attempts = new RecentlyUsed(() => ({ requestsLeft: 0 }));

  constructor(
    private readonly file: SqliteFile,
    private readonly read: ReadRows,
  ) {}

  /** Returns the rows of a page, or null if the page must be read as usual. Throws `ResultTooLarge`. */
  rows(page: SortedPage, bound: RowBound | undefined): readonly SqlRow[] | null {
    const { file } = this;
    const { sql, few, values } = page;
    const plan = file.planOf(sql);
    if (few !== null && (plan.reach !== "matches" || !file.mayTakeLong(plan))) return null;
    if (few !== null && !isShort(file.planOf(few), ONE_BEYOND)) return null;
    const attempt = this.attempts.of([sql, ...values].join("\n"));
    if (attempt.requestsLeft > 0) {
      attempt.requestsLeft -= 1;
      return null;
    }
    const hasMany = few === null || this.count(few, values.slice(0, -2)) === null;
    const rows = hasMany ? this.ahead(page, bound) : this.read(sql, values, bound);
    if (rows === null) attempt.requestsLeft = REQUESTS_WITHOUT_ATTEMPT;
    return rows;
  }

  /** Returns how many rows pass filters, or null if there are many, or it takes long to know. */
  count(few: string, values: readonly SqlValue[]): number | null {
    if (!isShort(this.file.planOf(few), ONE_BEYOND)) return null;
    const [row] = this.read(few, [...values, ...ONE_BEYOND]);
    const found = numberOf(row?.["count"]);
    return found > FEW_MATCHES ? null : found;
  }

  /** Only a full page is known to be the right one: the next rows may lie beyond those that were read. */
  private ahead({ ahead, walk, values }: SortedPage, bound?: RowBound): readonly SqlRow[] | null {
    const [pageSize = 0, offset = 0] = values.slice(-2).map(Number);
    const most = ROWS_AHEAD * (offset + pageSize);
    // The sort needs an index that ends in the identifier.
    if (most > MOST_ROWS_AHEAD || !isShort(this.file.planOf(walk), ONE_BEYOND)) return null;
    const bounds = [most, most, most, pageSize, offset];
    const rows = this.read(ahead, [...values.slice(0, -2), ...bounds], bound);
    return rows.length === pageSize ? rows : null;
  }
}
