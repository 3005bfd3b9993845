import type { SqlValue } from "./database.js";
import type { PostgresConnection } from "./postgres-connection.js";
import { TableLanes, type Lane } from "./postgres-lanes.js";
import type { PostgresStatement } from "./postgres-module.js";

/** A text or name in quotes, which is left alone, or a place for a value. */
const QUOTED_OR_PLACE = /'[^']*'|"[^"]*"|\?/g;
const TABLE = /\b(?:FROM|INTO|UPDATE) "([^"]+)"/;
/** Ends on an identifier, or on any of several. */
const LOOKUP = /^\s*SELECT (?!COUNT\().*"\."[^"]+" = (?:\?|ANY \(\?\))$/s;
/** A search, or a filter inside of items. */
const BY_VALUES = /\bgrams @> |\(SELECT (?:DISTINCT )?owner_id FROM /;
/** A list that skips more rows than this is judged apart from the first pages. */
const DEEP_ROWS = 1000;
const PAGE = / OFFSET \?$/;

/** As many runs in a row make a list quick. */
const QUICK_RUNS = 3;
/** Longer than this, a list is slow: so long may others wait for it without anybody's noticing. */
const QUICK_MILLISECONDS = 100;

/** How statements of one shape follow each other on a connection. */
interface Pace {
  /** So many are not answered at a time. */
  readonly mostInFlight: number;
  /** With so many they ask for one connection more. */
  readonly enoughInFlight: number;
  readonly mostCarriers: number;
  /** Where others wait, the connection is given back after so many. */
  readonly mostInARow: number;
}

const LOOKUPS: Pace = { mostInFlight: 8, enoughInFlight: 4, mostCarriers: 2, mostInARow: 100 };
const QUICK: Pace = { mostInFlight: 2, enoughInFlight: 1, mostCarriers: Infinity, mostInARow: 20 };
const SLOW: Pace = { mostInFlight: 1, enoughInFlight: 1, mostCarriers: 0, mostInARow: 1 };

/** One text of a statement, and what is known of it. */
export class StatementShape {
  /** Connections that are answering statements of this shape, and take more. */
  readonly carriers: PostgresConnection[] = [];
  /** The same text with many rows to skip. */
  readonly deep: StatementShape | null;
  readonly isLookup: boolean;
  pace: Pace;
  /** Where its reads wait. */
  lane: Lane;
  private quickRuns = 0;

  constructor(
    readonly text: string,
    readonly name: string | undefined,
    readonly lanes: TableLanes,
    sql: string,
  ) {
    this.isLookup = LOOKUP.test(sql);
    this.pace = this.isLookup ? LOOKUPS : SLOW;
    this.lane = this.isLookup ? lanes.lookup : lanes.slow;
    this.deep = PAGE.test(sql) ? new StatementShape(text, name, lanes, "") : null;
  }

  /** What is not known to be quick is slow: a caller can always think of another filter. */
  learn(milliseconds: number): void {
    if (milliseconds > QUICK_MILLISECONDS) this.quickRuns = 0;
    else this.quickRuns += 1;
    const isQuick = this.quickRuns >= QUICK_RUNS;
    this.lane = isQuick ? this.lanes.quick : this.lanes.slow;
    this.pace = isQuick ? QUICK : SLOW;
  }

  /** Itself with values. */
  with(values: readonly SqlValue[]): PostgresStatement {
    const { text, name } = this;
    return name === undefined ? { text, values } : { text, name, values };
  }
}

/** Writes the `?` of a statement as `$1`, `$2`, once for each text, and gives the texts names under which they are prepared. */
export class PostgresStatements {
  private readonly named = new Map<string, StatementShape>();
  private readonly nameless = new Map<string, StatementShape>();
  private readonly tables = new Map<string, TableLanes>();

  /** Every connection keeps what was prepared on it: past `mostNames` texts a statement is parsed each time. */
  constructor(private readonly mostNames = 1000) {}

  /** The shape of a statement. */
  of(sql: string): StatementShape {
    return this.named.get(sql) ?? this.nameless.get(sql) ?? this.add(sql);
  }

  /** The shape of a read: far pages have one of their own. */
  ofRead(sql: string, values: readonly SqlValue[]): StatementShape {
    const shape = this.of(sql);
    if (shape.deep === null) return shape;
    return Number(values.at(-1)) > DEEP_ROWS ? shape.deep : shape;
  }

  /** The lanes of the tables that statements write, as those of one table. */
  lanesOf(shapes: readonly StatementShape[]): TableLanes {
    const [first, ...others] = shapes;
    if (first === undefined) return this.table("");
    if (others.every(({ lanes }) => lanes === first.lanes)) return first.lanes;
    return this.table([...new Set(shapes.map(({ lanes }) => lanes.name))].join());
  }

  private add(sql: string): StatementShape {
    const lanes = this.table(TABLE.exec(sql)?.[1] ?? "");
    // How many it finds depends on the values: it is planned with them each time.
    if (this.named.size < this.mostNames && !BY_VALUES.test(sql)) {
      const added = new StatementShape(numbered(sql), `s${this.named.size}`, lanes, sql);
      this.named.set(sql, added);
      return added;
    }
    if (this.nameless.size >= this.mostNames) this.nameless.clear();
    const added = new StatementShape(numbered(sql), undefined, lanes, sql);
    this.nameless.set(sql, added);
    return added;
  }

  private table(name: string): TableLanes {
    const known = this.tables.get(name);
    if (known !== undefined) return known;
    const added = new TableLanes(name);
    this.tables.set(name, added);
    return added;
  }
}

/** `a = ? AND b = '?'` becomes `a = $1 AND b = '?'`. */
export function numbered(sql: string): string {
  let count = 0;
  return sql.replace(QUOTED_OR_PLACE, (found) => (found === "?" ? `$${(count += 1)}` : found));
}
