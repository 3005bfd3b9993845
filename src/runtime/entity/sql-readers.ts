import { decimalOfUnits } from "../base/exact-decimal.js";
import type { FieldIssue } from "../base/errors.js";
import { OwnCodeFault } from "../base/own-code-fault.js";
import { isTimestamp } from "../base/timestamp-text.js";
import type { SqlRow, SqlValue } from "../store/database.js";
import { namesOf } from "../store/named-rows.js";

/** Reads a column of a result. */
export class SqlReader<Value> {
  constructor(
    private readonly form: string,
    /** Undefined where it is no such value. */
    private readonly valueOf: (cell: SqlValue) => Value | undefined,
  ) {}

  /** The same where it may be null, such as the sum of nothing. */
  get orNull(): SqlReader<Value | null> {
    return new SqlReader<Value | null>(this.form, (cell) =>
      cell === null ? null : this.valueOf(cell),
    );
  }

  /** The value of a cell, or what is wrong with it. */
  read(cell: SqlValue, field: string, issues: FieldIssue[]): Value | undefined {
    const value = this.valueOf(cell);
    if (value !== undefined) return value;
    const found = typeof cell === "string" ? "another string" : String(cell);
    issues.push({ field, message: `must be ${this.form}, and is ${found}` });
    return undefined;
  }
}

const isWhole = (cell: SqlValue): cell is number | bigint =>
  typeof cell === "bigint" || Number.isSafeInteger(cell);

/** The readers of `context.sql`. */
export const SQL_READERS = {
  string: new SqlReader("a string", (cell) => (typeof cell === "string" ? cell : undefined)),
  integer: new SqlReader("a whole number within 53 bits", (cell) =>
    isWhole(cell) && Number.isSafeInteger(Number(cell)) ? Number(cell) : undefined,
  ),
  number: new SqlReader("a number", (cell) =>
    typeof cell === "bigint" || Number.isFinite(cell) ? Number(cell) : undefined,
  ),
  boolean: new SqlReader("a boolean", (cell) =>
    isWhole(cell) && (Number(cell) === 0 || Number(cell) === 1) ? Number(cell) === 1 : undefined,
  ),
  /** Of a column with so many fraction digits, or of a sum of those. */
  decimal: (scale: number) =>
    new SqlReader(`a whole number, which is a decimal of scale ${scale}`, (cell) =>
      isWhole(cell) ? decimalOfUnits(BigInt(cell), scale) : undefined,
    ),
  timestamp: new SqlReader("a timestamp", (cell) =>
    typeof cell === "string" && isTimestamp(cell) ? cell : undefined,
  ),
} as const;

/** A reader for each column. */
export type SqlReaders = Readonly<Record<string, SqlReader<unknown>>>;

/** A row as its readers give it. */
export type SqlRowOf<Readers extends SqlReaders> = {
  -readonly [Name in keyof Readers]: Readers[Name] extends SqlReader<infer Value> ? Value : never;
};

/** Reads rows. Throws `OwnCodeFault`, which names the column. */
export function readRows<Readers extends SqlReaders>(
  rows: readonly SqlRow[],
  readers: Readers,
): SqlRowOf<Readers>[] {
  const issues = rows[0] === undefined ? [] : columnIssues(namesOf(rows[0]), Object.keys(readers));
  const all = Object.entries(readers);
  const read = rows.map((row) => {
    if (issues.length > 0) throw new OwnCodeFault("context.sql", issues);
    return Object.fromEntries(
      all.map(([name, reader]) => [name, reader.read(row[name] ?? null, name, issues)]),
    );
  });
  if (issues.length > 0) throw new OwnCodeFault("context.sql", issues);
  // Each name has what its own reader read.
  return read as SqlRowOf<Readers>[];
}

function columnIssues(found: readonly string[], wanted: readonly string[]): FieldIssue[] {
  const missing = wanted.filter((name) => !found.includes(name));
  const others = found.filter((name) => !wanted.includes(name));
  return [
    ...missing.map((field) => ({ field, message: "is not a column of the result" })),
    ...others.map((field) => ({ field, message: "is a column of the result, and has no reader" })),
  ];
}
