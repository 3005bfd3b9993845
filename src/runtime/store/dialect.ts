import type { FilterValue } from "../query/filters.js";
import type { DialectName, SqlValue } from "./database.js";

/** The SQL of lists that differs between the databases. */
export interface Dialect {
  readonly name: DialectName;
  /** Tests whether an expression is one of several values, which `values` turns into one bound value. */
  oneOf(expression: string): string;
  among(expression: string, select: string): string;
  values(values: readonly SqlValue[]): SqlValue;
  /** Tests whether an array contains one value, or any of several; `members` turns them into one bound value. */
  contains(array: string, several: boolean): string;
  members(values: readonly FilterValue[]): SqlValue;
}

const sqlite: Dialect = {
  name: "sqlite",
  oneOf: (expression) => `${expression} IN (SELECT value FROM json_each(?))`,
  among: (expression, select) => `${expression} IN (${select})`,
  values: jsonArray,
  contains: (array, several) => {
    const test = several ? "IN (SELECT value FROM json_each(?))" : "= ?";
    // SQLite 3.53 turns a bare EXISTS into a join, whose OFFSET counts a row once for each matching item.
    return `EXISTS (SELECT 1 FROM json_each(${array}) AS member WHERE member.value ${test}) IS TRUE`;
  },
  members: (values) => oneOrList(values.map(plainValue), jsonArray),
};

/** Binds lists as arrays: `= ANY` can use every index of a column, and `@>` the inverted index of a JSON array. */
const postgres: Dialect = {
  name: "postgres",
  oneOf: (expression) => `${expression} = ANY (?)`,
  // If the index of another condition suffices, PostgreSQL uses no index for IN.
  among: (expression, select) => `${expression} = ANY (ARRAY(${select}))`,
  values: (values) => arrayText(values.map(String)),
  contains: (array, several) => `CAST(${array} AS jsonb) @> ${several ? "ANY (?)" : "?"}`,
  members: (values) =>
    oneOrList(
      values.map((value) => JSON.stringify([value])),
      arrayText,
    ),
};

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = { sqlite, postgres };

/** Converts a filter's value for a column without an encoding of its own. */
export function plainValue(value: FilterValue): SqlValue {
  return typeof value === "boolean" ? Number(value) : value;
}

function oneOrList<T extends SqlValue>(
  values: readonly T[],
  list: (values: readonly T[]) => string,
): SqlValue {
  const [first = null, second] = values;
  return second === undefined ? first : list(values);
}

/** Binds any number of values as one text, so that the statement stays the same. */
function jsonArray(values: readonly SqlValue[]): string {
  const items = values.map((value) =>
    typeof value === "bigint" ? value.toString() : JSON.stringify(value),
  );
  return `[${items.join(",")}]`;
}

/** Returns an array literal of PostgreSQL, which takes the type of the items from the statement. */
export function arrayText(items: readonly string[]): string {
  const quoted = items.map((item) => `"${item.replace(/["\\]/g, "\\$&")}"`);
  return `{${quoted.join(",")}}`;
}
