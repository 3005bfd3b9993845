import {
  type SqlRow,
  type SqlValue,
  CUSTOM_ROW_BYTES,
  ResultTooLarge,
  type RowBound,
  type WriteStep,
} from "../database.js";
import { RecentlyUsed } from "../recently-used.js";
import type { SqliteStatement, SqliteConnection } from "./module.js";

/** A statement whose driver can return rows as arrays. */
interface ListingStatement {
  run: SqliteStatement["run"];
  setReadBigInts: SqliteStatement["setReadBigInts"];
  columns(): readonly { readonly name: string }[];
  setReturnArrays(enabled: boolean): void;
  get(...values: readonly SqlValue[]): readonly SqlValue[] | undefined;
  all(...values: readonly SqlValue[]): readonly (readonly SqlValue[])[];
  iterate(...values: readonly SqlValue[]): Iterable<readonly SqlValue[]>;
}

/** The driver for Node 20 binds smaller positive numbers as 0, but REAL columns read their text exactly. */
const LEAST_BOUND = 2 ** -52;

const CELLS = Symbol("cells");

/** A row whose cells are read by name without a copy, which would double the cost of a row. */
abstract class NamedRow {
  readonly [CELLS]: readonly SqlValue[];

  constructor(cells: readonly SqlValue[]) {
    this[CELLS] = cells;
  }

  /** JSON has a member for each column. */
  toJSON(): Readonly<Record<string, SqlValue>> {
    const row = this as unknown as SqlRow;
    return Object.fromEntries(columnNames(row).map((name) => [name, row[name] ?? null]));
  }
}

export function columnNames(row: SqlRow): readonly string[] {
  const names: string[] = [];
  for (const name in row) names.push(name);
  return names;
}

/** The approximate size of a row: one byte for a character, eight for a number. */
function bytesOf(row: SqlRow): number {
  const held = row instanceof NamedRow ? row[CELLS] : Object.values(row);
  let bytes = 0;
  for (const value of held) bytes += typeof value === "string" ? value.length : 8;
  return bytes;
}

/** One class for each statement, so that V8 knows the place of each cell. */
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
  // The names are only known from the prepared statement.
  return (cells) => new StatementRow(cells) as unknown as SqlRow;
}

/**
 * Builds rows from arrays if the driver can return these, like the one for Node 20. That driver sets each column of an object
 * through a native call, which takes half as long again.
 */
function withNamedRows(statement: SqliteStatement): SqliteStatement {
  // `get` and `all` return arrays after `setReturnArrays`.
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

/** The prepared statements of a connection; `of` throws SQLite's error for a wrong text. */
export type StatementCache = RecentlyUsed<SqliteStatement>;

export function statementCache(connection: SqliteConnection): StatementCache {
  return new RecentlyUsed((sql) => withNamedRows(connection.prepare(sql)));
}

/**
 * Reads rows up to a limit of bytes. It reads row by row, which costs half as much again, only if the rows of earlier calls do
 * not show that all will fit.
 */
export class BoundedRows {
  /** Bytes of the largest row that each statement has returned so far. */
  private readonly largest = new WeakMap<SqliteStatement, number>();

  /** Throws `ResultTooLarge`. A single row may be larger, except for custom code. */
  read(
    statement: SqliteStatement,
    values: readonly SqlValue[],
    { rows: mostRows, bytes: mostBytes, isCustom = false }: RowBound,
  ): readonly SqlRow[] {
    // A sum can exceed 53 bits.
    if (isCustom) statement.setReadBigInts(true);
    const largest = this.largest.get(statement);
    const isSmall = largest !== undefined && largest * mostRows <= mostBytes;
    const source = isSmall ? statement.all(...values) : statement.iterate(...values);
    const rows: SqlRow[] = [];
    let bytes = 0;
    let most = largest ?? 0;
    for (const row of source) {
      const held = bytesOf(row) + (isCustom ? CUSTOM_ROW_BYTES : 0);
      if (held > most) most = held;
      bytes += held;
      rows.push(row);
      if (bytes > mostBytes && (isCustom || rows.length > 1)) break;
    }
    if (most !== largest) this.largest.set(statement, most);
    if (bytes > mostBytes && (isCustom || rows.length > 1)) throw new ResultTooLarge(mostBytes);
    return rows;
  }
}

export type StatementOrder =
  | ({ readonly kind: "read" } & ReadOrder)
  | { readonly kind: "write"; readonly steps: readonly OrderedStep[] };

export interface ReadOrder {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  readonly bound: RowBound | null;
}

/** A step without its error, which cannot be sent to another process. */
export type OrderedStep = Pick<WriteStep, "sql" | "values" | "changes">;

export type StatementOutcome =
  | RowsOutcome
  | { readonly kind: "written" }
  | { readonly kind: "tooLarge"; readonly mostBytes: number }
  /** A step changed a wrong number of rows, and all was rolled back. */
  | { readonly kind: "mismatch"; readonly step: number; readonly changed: number }
  | { readonly kind: "failed"; readonly message: string; readonly errcode: number | null };

/** Rows as arrays, so that names are sent once. */
export interface RowsOutcome {
  readonly kind: "rows";
  readonly names: readonly string[];
  readonly cells: readonly (readonly SqlValue[])[];
  readonly milliseconds: number;
}
