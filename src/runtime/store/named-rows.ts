import type { SqlRow, SqlValue } from "./database.js";
import type { SqliteStatement } from "./sqlite-module.js";

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
export function bytesOf(row: SqlRow): number {
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
export function withNamedRows(statement: SqliteStatement): SqliteStatement {
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
