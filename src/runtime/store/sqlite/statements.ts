import {
  type SqlRow,
  type SqlValue,
  OWN_ROW_BYTES,
  ResultTooLarge,
  type RowBound,
  type WriteStep,
} from "../database.js";
import { RecentlyUsed } from "../recently-used.js";
import type { SqliteStatement, SqliteConnection } from "./module.js";

/** A statement of a driver that can give its rows as lists of cells. */
interface ListingStatement {
  run: SqliteStatement["run"];
  setReadBigInts: SqliteStatement["setReadBigInts"];
  columns(): readonly { readonly name: string }[];
  setReturnArrays(enabled: boolean): void;
  get(...values: readonly SqlValue[]): readonly SqlValue[] | undefined;
  all(...values: readonly SqlValue[]): readonly (readonly SqlValue[])[];
  iterate(...values: readonly SqlValue[]): Iterable<readonly SqlValue[]>;
}

/** The package for Node 20 binds a positive number below this one as 0; as text, a REAL column takes it exactly. */
const LEAST_BOUND = 2 ** -52;

const CELLS = Symbol("cells");

/** A row as it came, whose cells are read by name: to copy them would cost as much as all else that is done with them. */
abstract class NamedRow {
  readonly [CELLS]: readonly SqlValue[];

  constructor(cells: readonly SqlValue[]) {
    this[CELLS] = cells;
  }

  /** As JSON, it is an object with a member for each column. */
  toJSON(): Readonly<Record<string, SqlValue>> {
    const row = this as unknown as SqlRow;
    return Object.fromEntries(namesOf(row).map((name) => [name, row[name] ?? null]));
  }
}

/** The names of a row's columns. */
export function namesOf(row: SqlRow): readonly string[] {
  const names: string[] = [];
  for (const name in row) names.push(name);
  return names;
}

/** What a row's cells hold in bytes, about: a character is one or more, and a number takes eight. */
function bytesOf(row: SqlRow): number {
  const held = row instanceof NamedRow ? row[CELLS] : Object.values(row);
  let bytes = 0;
  for (const value of held) bytes += typeof value === "string" ? value.length : 8;
  return bytes;
}

/** A class of its own for each statement, so that the code that reads its rows knows where each cell is. */
function rowsWith(names: readonly string[]): (cells: readonly SqlValue[]) => SqlRow {
  class StatementRow extends NamedRow {}
  for (const [place, name] of names.entries()) {
    const get = function (this: NamedRow): SqlValue {
      return this[CELLS][place] ?? null;
    };
    Object.defineProperty(StatementRow.prototype, name, {
      configurable: true,
      enumerable: true,
      get,
    });
  }
  // Its cells have names that nobody knows before the statement is prepared.
  return (cells) => new StatementRow(cells) as unknown as SqlRow;
}

/**
 * The same statement, with rows that are put together here: the package for Node 20 sets each column of each row
 * through a call of its own, which takes half as long again. Node's own SQLite is left as it is.
 */
function withNamedRows(statement: SqliteStatement): SqliteStatement {
  // Its other face: what `get` and `all` give depends on `setReturnArrays`.
  const listing: object = statement;
  if (!isListing(listing)) return statement;
  const names = listing.columns().map(({ name }) => name);
  if (names.length > 0) listing.setReturnArrays(true);
  const rowOf = rowsWith(names);
  return {
    run: (...values) => listing.run(...bound(values)),
    setReadBigInts: (enabled) => listing.setReadBigInts(enabled),
    get: (...values) => {
      const cells = listing.get(...bound(values));
      return cells === undefined ? undefined : rowOf(cells);
    },
    all: (...values) => listing.all(...bound(values)).map(rowOf),
    *iterate(...values) {
      for (const cells of listing.iterate(...bound(values))) yield rowOf(cells);
    },
  };
}

function bound(values: readonly SqlValue[]): readonly SqlValue[] {
  return values.some(isTiny)
    ? values.map((value) => (isTiny(value) ? String(value) : value))
    : values;
}

function isTiny(value: SqlValue): boolean {
  return typeof value === "number" && value > 0 && value < LEAST_BOUND;
}

function isListing(statement: object): statement is ListingStatement {
  return "columns" in statement && "setReturnArrays" in statement;
}

/** The prepared statements of a connection, by their text; `of` throws what SQLite says of a text that is wrong. */
export type StatementCache = RecentlyUsed<SqliteStatement>;

/** Prepares each text once. */
export function statementCache(connection: SqliteConnection): StatementCache {
  return new RecentlyUsed((sql) => withNamedRows(connection.prepare(sql)));
}

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

/** What a process of its own does with its connection: one order at a time. */
export type StatementOrder =
  | ({ readonly kind: "read" } & ReadOrder)
  | { readonly kind: "write"; readonly steps: readonly OrderedStep[] };

/** A query, and how much its rows may hold. */
export interface ReadOrder {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  readonly bound: RowBound | null;
}

/** A step without its error, which cannot be sent. */
export type OrderedStep = Pick<WriteStep, "sql" | "values" | "changes">;

/** What became of an order. */
export type StatementOutcome =
  | RowsOutcome
  | { readonly kind: "written" }
  /** The rows hold more than they may. */
  | { readonly kind: "tooLarge"; readonly mostBytes: number }
  /** A step has changed another number of rows, and all of them were rolled back. */
  | { readonly kind: "mismatch"; readonly step: number; readonly changed: number }
  | { readonly kind: "failed"; readonly message: string; readonly errcode: number | null };

/** Rows as lists of cells: the names are sent once. */
export interface RowsOutcome {
  readonly kind: "rows";
  readonly names: readonly string[];
  readonly cells: readonly (readonly SqlValue[])[];
  readonly milliseconds: number;
}
