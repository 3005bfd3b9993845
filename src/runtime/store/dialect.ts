import type { FilterValue } from "../query/filters.js";
import type { DialectName, SqlValue } from "./database.js";

/** Where the SQL of lists differs between the databases; every other statement is one text for all of them. */
export interface Dialect {
  readonly name: DialectName;
  /** Asks whether an expression is one of several values, which are bound as one by `values`. */
  oneOf(expression: string): string;
  /** Asks whether an expression is one of those that a statement finds. */
  among(expression: string, select: string): string;
  values(values: readonly SqlValue[]): SqlValue;
  /** Asks whether an array contains one value, or any of `several`; `members` binds them. */
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
    // A bare EXISTS becomes a join (SQLite 3.53), whose OFFSET counts a row once for each item found.
    return `EXISTS (SELECT 1 FROM json_each(${array}) AS member WHERE member.value ${test}) IS TRUE`;
  },
  members: (values) => oneOrList(values.map(plainValue), jsonArray),
};

/** Its lists are arrays, which every index serves; the JSON of an array has an inverted index. */
const postgres: Dialect = {
  name: "postgres",
  oneOf: (expression) => `${expression} = ANY (?)`,
  // No index serves IN beside another condition that suffices.
  among: (expression, select) => `${expression} = ANY (ARRAY(${select}))`,
  values: (values) => arrayText(values.map(String)),
  contains: (array, several) => `CAST(${array} AS jsonb) @> ${several ? "ANY (?)" : "?"}`,
  members: (values) =>
    oneOrList(
      values.map((value) => JSON.stringify([value])),
      arrayText,
    ),
};

/** The dialects, by the name that a database gives. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = { sqlite, postgres };

/** A filter's value as a column holds it that needs no other form. */
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

/** One bound text for any number of values, so that the statement is the same for all of them. */
function jsonArray(values: readonly SqlValue[]): string {
  const items = values.map((value) =>
    typeof value === "bigint" ? value.toString() : JSON.stringify(value),
  );
  return `[${items.join(",")}]`;
}

/** An array as PostgreSQL reads it; it takes the type of its items from the statement. */
export function arrayText(items: readonly string[]): string {
  const quoted = items.map((item) => `"${item.replace(/["\\]/g, "\\$&")}"`);
  return `{${quoted.join(",")}}`;
}
