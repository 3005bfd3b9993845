import type { KeyValue, PageKeys, Page } from "../query/page.js";
import type { ListQuery } from "../query/query.js";
import { type DialectName, type SqlRow, type SqlValue, ResultTooLarge } from "./database.js";
import type { KeyedMutex } from "./locks.js";
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

/** No identifier is empty. */
const LARGE_PAGES = "";

/** What a page of the default size may show of other entities, in bounds of a larger page. */
const DEFAULT_PAGE_SHOWS = 4;

/** How much a page may hold; left out: anything. */
export interface PageBounds {
  /** Of its own rows, and of the others that one reference leads to. */
  readonly bytes?: number;
  /** Of others, each time that it shows one. */
  readonly shown?: number;
  /** Of its own rows, as text. */
  readonly text?: number;
}

/** What is known of how much a page may hold. */
interface PageLimits {
  readonly pageBytes: number;
  readonly bodyBytes: number;
}

/** Reads a page. Throws `ResultTooLarge`. */
type ReadPage<T> = (query: ListQuery, bounds: PageBounds) => Promise<Omit<Page<T>, "mostBytes">>;

/**
 * Reads a page, which is refused for what it holds only where it is larger than the default one (LIM-1): one of the default
 * size is read again then, one at a time, so that many of them do not take all memory. Where it shows so much of other entities
 * that even this is too much, it is a smaller page that begins with the same entity, and says so; own code is given all of it.
 * Throws `ResultTooLarge`.
 */
export async function answeredPage<T>(
  query: ListQuery,
  { pageBytes, bodyBytes }: PageLimits,
  mutex: KeyedMutex,
  read: ReadPage<T>,
): Promise<Page<T>> {
  const bounds = { bytes: pageBytes, shown: pageBytes };
  const { pageSize, defaultSize, isOfCustomCode = false } = query;
  if (pageSize > defaultSize) return { ...(await read(query, bounds)), mostBytes: pageBytes };
  const shown = DEFAULT_PAGE_SHOWS * pageBytes;
  // What its entities can hold by themselves, whoever made them.
  const own = Math.max(shown, pageSize * bodyBytes);
  const fitting = { bytes: own, text: own, shown };
  const page =
    (await unlessTooLarge(read(query, bounds))) ??
    (await mutex.runExclusive(LARGE_PAGES, () =>
      isOfCustomCode ? read(query, {}) : fittingPage(query, fitting, read),
    ));
  return { ...page, mostBytes: Infinity };
}

/** The largest page that begins with the same entity and fits the bounds: one entity always does. */
async function fittingPage<T>(
  query: ListQuery,
  bounds: PageBounds,
  read: ReadPage<T>,
): Promise<Omit<Page<T>, "mostBytes">> {
  const { pageSize, pageNumber } = query;
  for (let pages = 1; pages < pageSize; pages += 1) {
    if (pageSize % pages > 0) continue;
    const part = { pageSize: pageSize / pages, pageNumber: (pageNumber - 1) * pages + 1 };
    const page = await unlessTooLarge(read({ ...query, ...part }, bounds));
    if (page !== null) return page;
  }
  return read({ ...query, pageSize: 1, pageNumber: (pageNumber - 1) * pageSize + 1 }, bounds);
}

/** Null where it is too large. */
export async function unlessTooLarge<T>(read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (error instanceof ResultTooLarge) return null;
    throw error;
  });
}
