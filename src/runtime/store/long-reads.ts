import { IndexShapes, readPlan, type ReadPlan } from "./read-plan.js";
import { RecentlyUsed } from "./recently-used.js";
import type { SqliteConnection } from "./sqlite-module.js";

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
  forget(): void {
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
