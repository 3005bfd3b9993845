import type { SqlRow, SqlValue, RowBound, SortedPage } from "../database.js";
import { RecentlyUsed } from "../recently-used.js";
import { numberOf } from "../rows.js";
import type { SqliteFile } from "./files.js";
import type { SqliteConnection } from "./module.js";

/** Tables and their unique indexes. The indexes are looked up when a plan first names them, since a start needs few. */
export class IndexShapes {
  /**
   * The tables by name, each with the one whose rows are counted: for a full-text index its `_docsize`; for items, which have no
   * row numbers, their owner.
   */
  readonly tables: ReadonlyMap<string, string>;
  private readonly keys = new Map<string, readonly (readonly string[])[]>();

  constructor(private readonly connection: SqliteConnection) {
    const tables = connection
      .prepare(
        `SELECT name, rootpage, sql LIKE '%WITHOUT ROWID' AS items,
           (SELECT t.tbl_name FROM sqlite_master AS t WHERE t.name = m.name || '_insert') AS owner
         FROM sqlite_master AS m WHERE type = 'table'`,
      )
      .all();
    this.tables = new Map(
      tables.map(({ name, rootpage, items, owner }) => {
        const counted = Number(rootpage) === 0 ? `${String(name)}_docsize` : String(name);
        return [String(name), Number(items) === 1 && owner !== null ? String(owner) : counted];
      }),
    );
  }

  /**
   * Returns the columns of each unique index without nullable columns, on the table that the named index belongs to. A value for
   * each of the columns selects one row.
   */
  keysBeside(index: string): readonly (readonly string[])[] {
    const known = this.keys.get(index);
    if (known !== undefined) return known;
    const rows = this.connection.prepare(KEYS).all(index);
    // The names of columns, as SQLite lists them.
    const keys = rows.map((row) => JSON.parse(String(row["columns"])) as string[]);
    this.keys.set(index, keys);
    return keys;
  }
}

const KEYS = `SELECT json_group_array(parts.name) AS columns
  FROM sqlite_master AS named
  JOIN pragma_index_list(named.tbl_name) AS indexes
  JOIN pragma_index_info(indexes.name) AS parts
  LEFT JOIN pragma_table_info(named.tbl_name) AS columns ON columns.name = parts.name
  WHERE named.type = 'index' AND named.name = ? AND indexes."unique" AND NOT indexes.partial
  GROUP BY indexes.name HAVING MIN(COALESCE(columns."notnull", 0)) = 1`;

export interface ReadPlan {
  /**
   * `few`: rows that a unique index selects. `window`: as many as its limit plus its offset. `matches`: a page for which all rows
   * of an index search are sorted. `any`: perhaps all.
   */
  readonly reach: "few" | "window" | "matches" | "any";
  /** The number of tables that each row is joined from. */
  readonly loops: number;
  readonly tables: readonly string[];
  /** True without bound values: it takes as long as it took the last time. */
  readonly isConstant: boolean;
  /** The last duration; null before the first run. */
  milliseconds: number | null;
}

interface Loop {
  readonly index: string;
  /** `"a"=?`, `b>?` */
  readonly constraints: readonly string[];
}

/** The largest sum of limit and offset of a short statement, for one table read through an index. */
const MOST_WINDOW_ROWS = 20_500;
/** The limit for joined tables: a page of 1000, and one row that shows whether others follow. */
const MOST_JOINED_ROWS = 1001;

const LOOP =
  /^(?:SCAN|SEARCH) \S+(?: USING (?:(?:COVERING )?INDEX (\S+)|(INTEGER PRIMARY KEY)))?(?: \((.*)\))?(?: LEFT-JOIN)?$/;
/** Steps that read the values of a filter, which are bound as one list. */
const BOUND_LIST = /^(?:LIST SUBQUERY \d+|SCAN json_each VIRTUAL TABLE INDEX \d+:)$/;
const SORT = "USE TEMP B-TREE FOR ORDER BY";
/** Steps of a subquery with a limit, whose rows are then counted. */
const BOUNDED_ROWS = /^(?:CO-ROUTINE|SCAN) \(subquery-\d+\)$/;
const WINDOW = / LIMIT (?:1|\? OFFSET \?\)?)$/;

/** Reads the query plan of SQLite. Anything uncertain counts as `any`. */
export function readPlan(sql: string, connection: SqliteConnection, shapes: IndexShapes): ReadPlan {
  const steps = isSelect(sql) ? connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() : [];
  const isSorted = steps.at(-1)?.["detail"] === SORT;
  const loops = loopsOf(isSorted ? steps.slice(0, -1) : steps);
  const reach = loops === null ? "any" : reachOf(loops, sql, shapes);
  const isSearch = reach === "window" && loops?.[0]?.constraints.length !== 0;
  return {
    // A sort reads all rows before it returns the first one.
    reach: isSorted ? (isSearch ? "matches" : "any") : reach,
    loops: loops?.length ?? 1,
    tables: tablesIn(sql, shapes),
    isConstant: !sql.includes("?"),
    milliseconds: null,
  };
}

/** Whether a statement reads few rows, however large its tables are. */
export function isShort(plan: ReadPlan, values: readonly SqlValue[]): boolean {
  if (plan.reach !== "window") return plan.reach === "few";
  const limit = Number(values.at(-2) ?? 0);
  const offset = Number(values.at(-1) ?? 0);
  return limit + offset <= (plan.loops > 1 ? MOST_JOINED_ROWS : MOST_WINDOW_ROWS);
}

function isSelect(sql: string): boolean {
  return /^\s*SELECT\b/.test(sql);
}

/** Null means that a step is not understood, such as another sort. */
function loopsOf(steps: readonly SqlRow[]): Loop[] | null {
  const loops: Loop[] = [];
  for (const step of steps) {
    const detail = String(step["detail"]);
    if (BOUND_LIST.test(detail) || BOUNDED_ROWS.test(detail)) continue;
    const found = LOOP.exec(detail);
    if (found === null) return null;
    const [, index = "", rowid = "", constraints = ""] = found;
    loops.push({
      index: index || rowid,
      constraints: constraints === "" ? [] : constraints.split(" AND "),
    });
  }
  return loops;
}

function reachOf(loops: readonly Loop[], sql: string, shapes: IndexShapes): ReadPlan["reach"] {
  const [first, ...others] = loops;
  if (!others.every((loop) => isOneRow(loop, shapes))) return "any";
  if (first === undefined || isOneRow(first, shapes)) return "few";
  // The limit does not include rows that a condition rejects after they were read.
  const isWhole = first.constraints.length === conditionsIn(sql);
  if (!isWhole || !WINDOW.test(sql)) return "any";
  return /\?\)?$/.test(sql) ? "window" : "few";
}

function isOneRow({ index, constraints }: Loop, shapes: IndexShapes): boolean {
  const columns = constraints
    .filter((constraint) => /[^<>]=\?$/.test(constraint))
    .map((constraint) => constraint.slice(0, -"=?".length));
  if (index === "INTEGER PRIMARY KEY") return columns.includes("rowid");
  if (columns.length === 0) return false;
  return shapes.keysBeside(index).some((key) => key.every((column) => columns.includes(column)));
}

function conditionsIn(sql: string): number {
  const where = sql.search(/\sWHERE\s/);
  return where < 0 ? 0 : sql.slice(where).split(" AND ").length;
}

function tablesIn(sql: string, { tables }: IndexShapes): string[] {
  const quoted = [...sql.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
  return [...new Set(quoted)].flatMap((name) => tables.get(name) ?? []);
}

/** The duration of a custom statement is unknown. */
export function customPlan(): ReadPlan {
  return { reach: "any", loops: 1, isConstant: false, tables: [], milliseconds: Infinity };
}

/** Tables up to this size are read completely in a few milliseconds. */
const FEW_ROWS = 4000;
/** The lifetime of a row count. */
const COUNTED_MILLISECONDS = 1000;
/** A statement without bound values is short if it last took at most this long. */
const SHORT_MILLISECONDS = 2;
/** Any statement is long if it last took longer than this. */
const LONG_MILLISECONDS = 20;

interface Counted {
  readonly rows: number;
  readonly at: number;
}

/** Separates statements that may take long from quick ones before they are first run. */
export class LongReads {
  private shapes: IndexShapes | null = null;
  private plans = this.noPlans();
  private readonly counted = new Map<string, Counted>();

  constructor(private readonly connection: SqliteConnection) {}

  of(sql: string): ReadPlan {
    return this.plans.of(sql);
  }

  /** Whether a statement may take long, if `isShort` is false. */
  mayTakeLong(plan: ReadPlan): boolean {
    const { milliseconds } = plan;
    if (milliseconds !== null && milliseconds > LONG_MILLISECONDS) return true;
    if (plan.isConstant && milliseconds !== null && milliseconds <= SHORT_MILLISECONDS)
      return false;
    return plan.tables.some((table) => this.rowsOf(table) > FEW_ROWS);
  }

  /** Forgets all plans, after the tables have changed. */
  clear(): void {
    this.shapes = null;
    this.plans = this.noPlans();
  }

  private noPlans(): RecentlyUsed<ReadPlan> {
    return new RecentlyUsed((sql) => readPlan(sql, this.connection, this.indexShapes()));
  }

  private indexShapes(): IndexShapes {
    this.shapes ??= new IndexShapes(this.connection);
    return this.shapes;
  }

  /** Returns the largest row number, which SQLite has at hand and which is hardly ever less than the number of rows. */
  rowsOf(table: string): number {
    const now = performance.now();
    const known = this.counted.get(table);
    if (known !== undefined && now - known.at < COUNTED_MILLISECONDS) return known.rows;
    const rows = this.largestRow(table);
    this.counted.set(table, { rows, at: now });
    return rows;
  }

  private largestRow(table: string): number {
    const row = this.connection.prepare(`SELECT max(rowid) AS rows FROM "${table}"`).get();
    return Number(row?.["rows"] ?? 0);
  }
}

/** Reads rows at once, in this process. */
type ReadRows = (sql: string, values: readonly SqlValue[], bound?: RowBound) => readonly SqlRow[];

/** This many rows are found and sorted within a millisecond. */
const FEW_MATCHES = 1000;
/** A limit and an offset: one extra row shows that the matches are not few. */
const ONE_BEYOND = [FEW_MATCHES + 1, 0] as const;
/** How many rows may be read in sort order for each row that the page needs, its offset included. */
const ROWS_AHEAD = 5;
/** For a page of 200, and one row that shows whether others follow. */
const MOST_ROWS_AHEAD = ROWS_AHEAD * 201;
/** Requests for a page that are read as usual after a failed attempt. */
const REQUESTS_WITHOUT_ATTEMPT = 20;

/** Finds pages of filtered and sorted lists without sorting every row that passes the filters. */
export class SortedPages {
  /** Failed attempts, by statement and values. */
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

  /** Returns how many rows pass the filters. Null means that there are many, or that counting takes long. */
  count(few: string, values: readonly SqlValue[]): number | null {
    if (!isShort(this.file.planOf(few), ONE_BEYOND)) return null;
    const [row] = this.read(few, [...values, ...ONE_BEYOND]);
    const found = numberOf(row?.["count"]);
    return found > FEW_MATCHES ? null : found;
  }

  /**
   * Returns null without an index for the sort, or beyond the first pages. Also returns null for a page that is not full: its
   * other rows may come after those that were read.
   */
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
