import type { KeyValue, PageKeys } from "../query/page.js";
import type { DialectName, SqlRow, SqlValue } from "./database.js";
import { textOf } from "./rows.js";
import { joinedSql, type BoundSql } from "./search-sql.js";

/** What a list is ordered by, before the identifier that its order ends on (QRY-4). */
export interface OrderKey {
  readonly expression: BoundSql;
  readonly descending: boolean;
  /** Null comes last, whatever the direction. */
  readonly nullable: boolean;
}

/** Reads the keys of a row, each so that it can be bound again as exactly what it is. */
export function keyColumns(keys: readonly OrderKey[], dialect: DialectName): BoundSql {
  const columns = keys.map(({ expression: { sql, values } }, index): BoundSql => {
    // A driver of SQLite rounds an integer of 64 bits, and only the value itself tells its type.
    const read =
      dialect === "postgres"
        ? `CAST(${sql} AS TEXT)`
        : values.length > 0
          ? `'i' || (${sql})`
          : `CASE typeof(${sql}) WHEN 'integer' THEN 'i' || (${sql}) WHEN 'text' THEN 's' || (${sql}) ELSE ${sql} END`;
    return { sql: `, ${read} AS ${keyName(index)}`, values };
  });
  return joinedSql(columns, "");
}

/** The keys of a row that was read with their columns; the identifier is the last one. */
export function keysOf(row: SqlRow, count: number, idProperty: string): PageKeys {
  const keys = Array.from({ length: count }, (_, index): KeyValue => {
    const value = row[keyName(index)] ?? null;
    // No key is read as an integer.
    return typeof value === "bigint" ? null : value;
  });
  return [...keys, textOf(row[idProperty])];
}

/** What a key is read as; no name of a property has an underscore. */
export function keyName(index: number): string {
  return `page_key_${index}`;
}

/** What is bound for keys; null: they are no keys of such a list. */
export function boundKeys(
  keys: PageKeys,
  count: number,
  dialect: DialectName,
): readonly SqlValue[] | null {
  if (keys.length !== count + 1 || typeof keys.at(-1) !== "string") return null;
  const values = keys.map((key, index) =>
    index === count || dialect === "postgres" ? key : sqliteValue(key),
  );
  return values.every((value) => value !== undefined) ? values : null;
}

const LARGEST = 2n ** 63n;

function sqliteValue(key: KeyValue): SqlValue | undefined {
  if (typeof key !== "string") return key;
  if (key.startsWith("s")) return key.slice(1);
  if (!/^i-?\d{1,19}$/.test(key)) return undefined;
  const integer = BigInt(key.slice(1));
  return integer < LARGEST && integer >= -LARGEST ? integer : undefined;
}

/**
 * What follows some keys in the order of a list: rows with a value and rows without one are read by two statements, so that the first
 * can seek in an index.
 */
export function following(
  keys: readonly OrderKey[],
  identifier: string,
  values: readonly SqlValue[],
): readonly BoundSql[] {
  const [value = null] = values;
  const id = values.at(-1) ?? null;
  const beyond = { sql: `${identifier} > ?`, values: [id] };
  const [first, ...others] = keys;
  if (first === undefined) return [beyond];
  const rest = others.reduceRight(
    (after, key, index) => orAfter(key, values[index + 1] ?? null, after),
    beyond as BoundSql,
  );
  if (value === null) return [orAfter(first, null, rest)];
  const { expression, descending, nullable } = first;
  const known: BoundSql =
    others.length === 0 && !descending
      ? {
          sql: `(${expression.sql}, ${identifier}) > (?, ?)`,
          values: [...expression.values, value, id],
        }
      : joinedSql(
          [
            comparedWith(expression, descending ? "<=" : ">=", value),
            orAfter({ ...first, nullable: false }, value, rest),
          ],
          " AND ",
        );
  return nullable ? [known, isNull(expression)] : [known];
}

function isNull({ sql, values }: BoundSql): BoundSql {
  return { sql: `${sql} IS NULL`, values };
}

/** After a value of a key, or with that value and after the rest. */
function orAfter(
  { expression, descending, nullable }: OrderKey,
  value: SqlValue,
  rest: BoundSql,
): BoundSql {
  if (value === null) return grouped([isNull(expression), rest], " AND ");
  const same = grouped([comparedWith(expression, "=", value), rest], " AND ");
  const further = comparedWith(expression, descending ? "<" : ">", value);
  return grouped([further, ...(nullable ? [isNull(expression)] : []), same], " OR ");
}

function comparedWith({ sql, values }: BoundSql, operator: string, value: SqlValue): BoundSql {
  return { sql: `${sql} ${operator} ?`, values: [...values, value] };
}

function grouped(parts: readonly BoundSql[], between: string): BoundSql {
  const { sql, values } = joinedSql(parts, between);
  return { sql: `(${sql})`, values };
}
