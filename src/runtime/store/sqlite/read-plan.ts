import type { SqlRow, SqlValue, RowBound, SortedPage } from "../database.js";
import { RecentlyUsed } from "../recently-used.js";
import { numberOf } from "../rows.js";
import type { SqliteFile } from "./files.js";
import type { SqliteConnection } from "./module.js";

/** What the tables and their unique indexes are called, looked up when a plan first names them: a start needs few. */
export class IndexShapes {
  /** Every table, with the one whose rows are counted: an index of texts has one of its own for them, and items have no numbers. */
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
   * The columns of each unique index that knows no null, of the table that an index belongs to: a value for each of
   * them names one row.
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

/** How much of its tables a statement reads at most. */
export interface ReadPlan {
  /**
   * `few`: rows that a unique index names. `window`: as many as its limit and its offset. `matches`: a page for which
   * all rows of an index search are sorted. `any`: perhaps all.
   */
  readonly reach: "few" | "window" | "matches" | "any";
  /** How many tables each row is put together from. */
  readonly loops: number;
  readonly tables: readonly string[];
  /** Its values change nothing: it takes as long as it took the last time. */
  readonly isConstant: boolean;
  /** What it took the last time; null before the first. */
  milliseconds: number | null;
}

/** One table in the plan of SQLite. */
interface Loop {
  readonly index: string;
  /** `"a"=?`, `b>?` */
  readonly constraints: readonly string[];
}

/** What a statement may skip and read where it reads one table through an index, and for each further one. */
const MOST_WINDOW_ROWS = 20_500;
/** A page of 1000, and the row that shows whether another one follows. */
const MOST_JOINED_ROWS = 1001;

const LOOP =
  /^(?:SCAN|SEARCH) \S+(?: USING (?:(?:COVERING )?INDEX (\S+)|(INTEGER PRIMARY KEY)))?(?: \((.*)\))?(?: LEFT-JOIN)?$/;
/** The values of a filter, which are bound as one list. */
const BOUND_LIST = /^(?:LIST SUBQUERY \d+|SCAN json_each VIRTUAL TABLE INDEX \d+:)$/;
const SORT = "USE TEMP B-TREE FOR ORDER BY";
/** Rows of one table that a limit bounds, which are then counted. */
const BOUNDED_ROWS = /^(?:CO-ROUTINE|SCAN) \(subquery-\d+\)$/;
const WINDOW = / LIMIT (?:1|\? OFFSET \?\)?)$/;

/** Reads what SQLite says of its way through the tables; whatever is not known for sure may be all of them. */
export function readPlan(sql: string, connection: SqliteConnection, shapes: IndexShapes): ReadPlan {
  const steps = isSelect(sql) ? connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() : [];
  const isSorted = steps.at(-1)?.["detail"] === SORT;
  const loops = loopsOf(isSorted ? steps.slice(0, -1) : steps);
  const reach = loops === null ? "any" : reachOf(loops, sql, shapes);
  const isSearch = reach === "window" && loops?.[0]?.constraints.length !== 0;
  return {
    // A sort reads all rows before it gives the first one.
    reach: isSorted ? (isSearch ? "matches" : "any") : reach,
    loops: loops?.length ?? 1,
    tables: tablesIn(sql, shapes),
    isConstant: !sql.includes("?"),
    milliseconds: null,
  };
}

/** True where a statement reads few rows however large its tables are. */
export function isShort(plan: ReadPlan, values: readonly SqlValue[]): boolean {
  if (plan.reach !== "window") return plan.reach === "few";
  const limit = Number(values.at(-2) ?? 0);
  const offset = Number(values.at(-1) ?? 0);
  return limit + offset <= (plan.loops > 1 ? MOST_JOINED_ROWS : MOST_WINDOW_ROWS);
}

function isSelect(sql: string): boolean {
  return /^\s*SELECT\b/.test(sql);
}

/** Null where there is a step that is not understood: a sort, say. */
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
  // What a condition leaves out after it was read is not in the limit.
  const isWhole = first.constraints.length === conditionsIn(sql);
  if (!isWhole || !WINDOW.test(sql)) return "any";
  return /\?\)?$/.test(sql) ? "window" : "few";
}

/** Whether the values that a table is searched for name one of its rows. */
function isOneRow({ index, constraints }: Loop, shapes: IndexShapes): boolean {
  const columns = constraints
    .filter((constraint) => /[^<>]=\?$/.test(constraint))
    .map((constraint) => constraint.slice(0, -"=?".length));
  if (index === "INTEGER PRIMARY KEY") return columns.includes("rowid");
  if (columns.length === 0) return false;
  return shapes.keysBeside(index).some((key) => key.every((column) => columns.includes(column)));
}

/** How many conditions a row must pass. */
function conditionsIn(sql: string): number {
  const where = sql.search(/\sWHERE\s/);
  return where < 0 ? 0 : sql.slice(where).split(" AND ").length;
}

function tablesIn(sql: string, { tables }: IndexShapes): string[] {
  const quoted = [...sql.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
  return [...new Set(quoted)].flatMap((name) => tables.get(name) ?? []);
}

/** The plan of any statement of custom code: nobody knows how long it takes. */
export function customPlan(): ReadPlan {
  return { reach: "any", loops: 1, isConstant: false, tables: [], milliseconds: Infinity };
}

/** Tables up to this many rows are read from end to end in a few milliseconds. */
const FEW_ROWS = 4000;
/** How long the number of a table's rows is taken for right. */
const COUNTED_MILLISECONDS = 1000;
/** What a statement may take that always takes the same, or once by surprise. */
const SHORT_MILLISECONDS = 2;
const LONG_MILLISECONDS = 20;

interface Counted {
  readonly rows: number;
  readonly at: number;
}

/** Tells the statements that may take long from those that are over at once, before the first of them is run. */
export class LongReads {
  private shapes: IndexShapes | null = null;
  private plans = this.noPlans();
  private readonly counted = new Map<string, Counted>();

  constructor(private readonly connection: SqliteConnection) {}

  /** The plan of a statement; it is kept. */
  of(sql: string): ReadPlan {
    return this.plans.of(sql);
  }

  /** Whether a statement may take long that does not read few rows for sure. */
  mayTakeLong(plan: ReadPlan): boolean {
    const { milliseconds } = plan;
    if (milliseconds !== null && milliseconds > LONG_MILLISECONDS) return true;
    if (plan.isConstant && milliseconds !== null && milliseconds <= SHORT_MILLISECONDS)
      return false;
    return plan.tables.some((table) => this.rowsOf(table) > FEW_ROWS);
  }

  /** The tables have changed. */
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

  /** The largest row number: SQLite has it at hand, and it is hardly ever less than the number of rows. */
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
