import { type SqlValue, OWN_ROW_BYTES, type RowBound } from "../database.js";
import type { PostgresStatement, PostgresQuery, QueryClass } from "./client.js";

/** A text or name in quotes, which is left alone, or a place for a value. */
const QUOTED_OR_PLACE = /'[^']*'|"[^"]*"|\?/g;
/** A row that is written with its events comes after them. */
const TABLE = /(?:^WITH .* INTO|\b(?:FROM|INTO|UPDATE)) "([^"]+)"/s;
const READ = /^\s*SELECT /;
/** Ends on an identifier, or on any of several. */
const BY_IDENTIFIER = /^\s*SELECT (?!COUNT\().*"\."[^"]+" = (?:\?|ANY \(\?\))$/s;
/** A search, or a filter inside of items. */
const BY_VALUES = /\bgrams @> |\(SELECT (?:DISTINCT )?owner_id FROM /;
/** A list that skips more rows than this is judged apart from the first pages. */
const DEEP_ROWS = 1000;
const PAGE = / OFFSET \?$/;

/** As many runs in a row make a list quick. */
const QUICK_RUNS = 3;
/** Longer than this, a list is slow: so long may others wait for it without anybody's noticing. */
const QUICK_MILLISECONDS = 100;

/** Statements that are treated alike. */
export interface StatementKind {
  /** They hold at most this part of the connections. */
  readonly share: number;
  /** So many of one shape follow each other on a connection without waiting for the answers. */
  readonly mostInFlight: number;
  /** A shape asks for one connection more once half of that is in flight; past so many connections, once all of it is. */
  readonly mostCarriers: number;
  /** Where others wait, the connection is given back after so many. */
  readonly mostInARow: number;
}

/** Reads by identifier. */
export const LOOKUP: StatementKind = {
  share: 1,
  mostInFlight: 8,
  mostCarriers: 2,
  mostInARow: 100,
};
/** Lists that have been quick lately. */
export const QUICK: StatementKind = {
  share: 3 / 4,
  mostInFlight: 2,
  mostCarriers: Infinity,
  mostInARow: 20,
};
/** Lists that have not been quick lately, or are not known yet. */
export const SLOW: StatementKind = {
  share: 1 / 2,
  mostInFlight: 1,
  mostCarriers: 1,
  mostInARow: 1,
};
/** Readers of a table go on where its writers wait for a locked row. */
export const WRITE: StatementKind = { ...SLOW, share: 3 / 4 };

/** What a connection is used for. */
export interface Use {
  readonly table: string;
  readonly kind: StatementKind;
}

/** One text of a statement, and what is known of it. */
export class StatementShape implements Use {
  kind: StatementKind;
  /** The same text with many rows to skip. */
  readonly deep: StatementShape | null;
  /** Of a write: the same text with the fence; null until it is needed. */
  fenced: StatementShape | null = null;
  private quickRuns = 0;

  constructor(
    readonly text: string,
    readonly name: string | undefined,
    readonly table: string,
    sql: string,
  ) {
    this.kind = kindOf(sql);
    this.deep = PAGE.test(sql)
      ? new StatementShape(text, name, table, sql.replace(PAGE, ""))
      : null;
  }

  /** What is not known to be quick is slow: a caller can always think of another filter. */
  learn(milliseconds: number): void {
    if (this.kind === LOOKUP) return;
    if (milliseconds > QUICK_MILLISECONDS) this.quickRuns = 0;
    else this.quickRuns += 1;
    this.kind = this.quickRuns >= QUICK_RUNS ? QUICK : SLOW;
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

  private add(sql: string): StatementShape {
    const table = TABLE.exec(sql)?.[1] ?? "";
    // How many it finds depends on the values: it is planned with them each time.
    const isNamed = this.named.size < this.mostNames && !BY_VALUES.test(sql);
    if (!isNamed && this.nameless.size >= this.mostNames) this.nameless.clear();
    const name = isNamed ? `s${this.named.size}` : undefined;
    const added = new StatementShape(numbered(sql), name, table, sql);
    (isNamed ? this.named : this.nameless).set(sql, added);
    return added;
  }
}

function kindOf(sql: string): StatementKind {
  if (BY_IDENTIFIER.test(sql)) return LOOKUP;
  return READ.test(sql) ? SLOW : WRITE;
}

/** `a = ? AND b = '?'` becomes `a = $1 AND b = '?'`. */
export function numbered(sql: string): string {
  let count = 0;
  return sql.replace(QUOTED_OR_PLACE, (found) => (found === "?" ? `$${(count += 1)}` : found));
}

/** A statement that drops rows as they arrive, once they hold more than they may together. */
interface BoundedQuery extends PostgresQuery {
  readonly isTooLarge: boolean;
}

/** The class of such statements. */
export type BoundedQueryClass = new (
  statement: PostgresStatement,
  bound: RowBound,
  /** Called with each row that is too many. */
  onTooLarge?: () => void,
) => BoundedQuery;

/** Makes the class out of the package's own, which is only loaded where there is a PostgreSQL server. */
export function boundedQuery(Query: QueryClass): BoundedQueryClass {
  // Private by name as well: the package's own class has a field called `rows`, and may have any other.
  return class extends Query implements BoundedQuery {
    readonly #bound: RowBound;
    #bytes = 0;
    #count = 0;
    readonly #onTooLarge: (() => void) | undefined;

    constructor(statement: PostgresStatement, bound: RowBound, onTooLarge?: () => void) {
      super(statement);
      this.#bound = bound;
      this.#onTooLarge = onTooLarge;
    }

    /** One row is never too large, but of custom code's statements. */
    get isTooLarge(): boolean {
      return this.#bytes > this.#bound.bytes && (this.#bound.isOwn === true || this.#count > 1);
    }

    override handleDataRow(message: { readonly length: number }): void {
      this.#bytes += message.length + (this.#bound.isOwn === true ? OWN_ROW_BYTES : 0);
      this.#count += 1;
      if (!this.isTooLarge) super.handleDataRow(message);
      else this.#onTooLarge?.();
    }
  };
}
