import { type SqlValue, CUSTOM_ROW_BYTES, type RowBound } from "../database.js";
import type { PostgresStatement, PostgresQuery, QueryClass } from "./client.js";

/** A quoted string or name, or a placeholder. */
const QUOTED_OR_PLACE = /'[^']*'|"[^"]*"|\?/g;
/** In an insert with events, the row of the entity comes last. */
const TABLE = /(?:^WITH .* INTO|\b(?:FROM|INTO|UPDATE)) "([^"]+)"/s;
const READ = /^\s*SELECT /;
/** A statement that ends with a condition on one or several identifiers. */
const BY_IDENTIFIER = /^\s*SELECT (?!COUNT\().*"\."[^"]+" = (?:\?|ANY \(\?\))$/s;
/** Searches, and filters inside items. */
const BY_VALUES = /\bgrams @> |\(SELECT (?:DISTINCT )?owner_id FROM /;
/** Pages after this many rows are timed separately. */
const DEEP_ROWS = 1000;
const PAGE = / OFFSET \?$/;

/** A list is quick after this many quick runs in a row. */
const QUICK_RUNS = 3;
/** A longer run is slow: nobody notices a wait of this length. */
const QUICK_MILLISECONDS = 100;

export interface StatementKind {
  /** The largest share of the connections that statements of this kind can hold. */
  readonly share: number;
  /** The number of statements of one shape that are pipelined on a connection. */
  readonly mostInFlight: number;
  /** Up to this number of connections, a shape takes another one when each is half full; beyond it, when each is full. */
  readonly mostCarriers: number;
  /** If others wait, a connection is released after this many statements. */
  readonly mostInARow: number;
}

export const LOOKUP: StatementKind = {
  share: 1,
  mostInFlight: 8,
  mostCarriers: 2,
  mostInARow: 100,
};
/** Lists that were quick lately. */
export const QUICK: StatementKind = {
  share: 3 / 4,
  mostInFlight: 2,
  mostCarriers: Infinity,
  mostInARow: 20,
};
/** Other lists, including unknown ones. */
export const SLOW: StatementKind = {
  share: 1 / 2,
  mostInFlight: 1,
  mostCarriers: 1,
  mostInARow: 1,
};
/** Not all connections, so that reads continue while writes wait for a locked row. */
export const WRITE: StatementKind = { ...SLOW, share: 3 / 4 };

export interface StatementUse {
  readonly table: string;
  readonly kind: StatementKind;
}

/** A statement text, and how long it takes. */
export class StatementShape implements StatementUse {
  kind: StatementKind;
  /** The shape of pages with a large offset, for a list. */
  readonly deep: StatementShape | null;
  /** For a write: the text with the fence, once it is needed. */
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

  /** Unknown lists are slow, because callers can always invent another filter. */
  recordDuration(milliseconds: number): void {
    if (this.kind === LOOKUP) return;
    if (milliseconds > QUICK_MILLISECONDS) this.quickRuns = 0;
    else this.quickRuns += 1;
    this.kind = this.quickRuns >= QUICK_RUNS ? QUICK : SLOW;
  }

  with(values: readonly SqlValue[]): PostgresStatement {
    const { text, name } = this;
    return name === undefined ? { text, values } : { text, name, values };
  }
}

/** Turns `?` into `$1`, `$2` once for each text, and names texts that are prepared. */
export class PostgresStatements {
  private readonly named = new Map<string, StatementShape>();
  private readonly nameless = new Map<string, StatementShape>();

  /** Connections keep prepared statements, so beyond `mostNames` texts have no name. */
  constructor(private readonly mostNames = 1000) {}

  of(sql: string): StatementShape {
    return this.named.get(sql) ?? this.nameless.get(sql) ?? this.add(sql);
  }

  /** Pages with a large offset have a shape of their own. */
  ofRead(sql: string, values: readonly SqlValue[]): StatementShape {
    const shape = this.of(sql);
    if (shape.deep === null) return shape;
    return Number(values.at(-1)) > DEEP_ROWS ? shape.deep : shape;
  }

  private add(sql: string): StatementShape {
    const table = TABLE.exec(sql)?.[1] ?? "";
    // A search is not prepared, since its plan depends on the values.
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

/** A statement that drops arriving rows once they exceed the limit. */
interface BoundedQuery extends PostgresQuery {
  readonly isTooLarge: boolean;
}

/** The class of `BoundedQuery`. */
export type BoundedQueryClass = new (
  statement: PostgresStatement,
  bound: RowBound,
  /** Called with each row beyond the limit. */
  onTooLarge?: () => void,
) => BoundedQuery;

/** Extends the class of the package, which is only loaded for a PostgreSQL server. */
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

    /** A single row is never too large, except for custom statements. */
    get isTooLarge(): boolean {
      return this.#bytes > this.#bound.bytes && (this.#bound.isCustom === true || this.#count > 1);
    }

    override handleDataRow(message: { readonly length: number }): void {
      this.#bytes += message.length + (this.#bound.isCustom === true ? CUSTOM_ROW_BYTES : 0);
      this.#count += 1;
      if (!this.isTooLarge) super.handleDataRow(message);
      else this.#onTooLarge?.();
    }
  };
}
