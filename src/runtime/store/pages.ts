import type { KeyValue, PageKeys, Page } from "../query/page.js";
import type { ListQuery } from "../query/query.js";
import {
  type DialectName,
  type SqlRow,
  type SqlValue,
  ResultTooLarge,
  type Database,
  type Recipient,
} from "./database.js";
import type { ListStatements } from "./list-sql.js";
import type { KeyedMutex } from "./locks.js";
import { textOf, numberOf } from "./rows.js";
import { joinedSql, type BoundSql } from "./search-sql.js";

/** A sort column; every order ends on the identifier (QRY-4). */
export interface OrderKey {
  readonly expression: BoundSql;
  readonly descending: boolean;
  /** Nulls are last in both directions. */
  readonly nullable: boolean;
}

/** Selects the keys of a row in a form that can be bound again exactly. */
export function keyColumns(keys: readonly OrderKey[], dialect: DialectName): BoundSql {
  const columns = keys.map(({ expression: { sql, values } }, index): BoundSql => {
    // SQLite drivers round integers of 64 bits, and the type is only known from the value.
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

/** The identifier is the last key. */
export function keysOf(row: SqlRow, count: number, idProperty: string): PageKeys {
  const keys = Array.from({ length: count }, (_, index): KeyValue => {
    const value = row[keyName(index)] ?? null;
    // No key is a bigint: integers are read as text.
    return typeof value === "bigint" ? null : value;
  });
  return [...keys, textOf(row[idProperty])];
}

/** No property has an underscore in its name. */
export function keyName(index: number): string {
  return `page_key_${index}`;
}

/** Null if the keys do not fit the list. */
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
 * The conditions for rows after some keys, each for a statement of its own. Nulls have one of these, so that the other one can
 * seek in an index.
 */
export function conditionsAfter(
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

/** After the value of a key, or equal to it and after the other keys. */
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

const LARGE_PAGES = "";

/** A page of up to the default size may embed this many times the limit of a larger one. */
const DEFAULT_PAGE_SHOWS = 4;

/** The limits of a page in bytes, all optional. */
export interface PageBounds {
  /** The limit of the page's own rows, and of the rows of each reference. */
  readonly bytes?: number;
  /** The limit of embedded values, each counted every time that it is shown. */
  readonly shown?: number;
  /** The limit of the text of the page's own rows. */
  readonly text?: number;
}

interface PageLimits {
  readonly pageBytes: number;
  readonly bodyBytes: number;
}

/** Throws `ResultTooLarge`. */
type ReadPage<T> = (query: ListQuery, bounds: PageBounds) => Promise<Omit<Page<T>, "mostBytes">>;

/**
 * Reads a page within its limits (LIM-1). Throws `ResultTooLarge`, unless the size is at most the default. Such a page is read
 * again with wider limits, and shrinks until it fits; for custom code, it is read without limits. Only one page of a store
 * is read again at a time, so that many do not take all memory.
 */
export async function pageWithinBudget<T>(
  query: ListQuery,
  { pageBytes, bodyBytes }: PageLimits,
  mutex: KeyedMutex,
  read: ReadPage<T>,
): Promise<Page<T>> {
  const bounds = { bytes: pageBytes, shown: pageBytes };
  const { pageSize, defaultSize, isOfCustomCode = false } = query;
  if (pageSize > defaultSize) return { ...(await read(query, bounds)), mostBytes: pageBytes };
  const shown = DEFAULT_PAGE_SHOWS * pageBytes;
  // At least as much as the entities of the page can contain themselves.
  const own = Math.max(shown, pageSize * bodyBytes);
  const fitting = { bytes: own, text: own, shown };
  const page =
    (await nullIfTooLarge(read(query, bounds))) ??
    (await mutex.runExclusive(LARGE_PAGES, () =>
      isOfCustomCode ? read(query, {}) : fittingPage(query, fitting, read),
    ));
  return { ...page, mostBytes: Infinity };
}

/** The largest page within the limits that begins with the same entity; one entity always fits. */
async function fittingPage<T>(
  query: ListQuery,
  bounds: PageBounds,
  read: ReadPage<T>,
): Promise<Omit<Page<T>, "mostBytes">> {
  const { pageSize, pageNumber } = query;
  for (let pages = 1; pages < pageSize; pages += 1) {
    if (pageSize % pages > 0) continue;
    const part = { pageSize: pageSize / pages, pageNumber: (pageNumber - 1) * pages + 1 };
    const page = await nullIfTooLarge(read({ ...query, ...part }, bounds));
    if (page !== null) return page;
  }
  return read({ ...query, pageSize: 1, pageNumber: (pageNumber - 1) * pageSize + 1 }, bounds);
}

/** Returns null if the result is too large. */
export async function nullIfTooLarge<T>(read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (error instanceof ResultTooLarge) return null;
    throw error;
  });
}

interface CountedPage {
  /** Null if the number of rows before the page is unknown. */
  readonly offset: number | null;
  readonly rows: number;
  readonly isFollowed: boolean;
  readonly recipient: Recipient | undefined;
}

interface CountSql extends Pick<ListStatements, "count" | "few"> {
  readonly values: readonly SqlValue[];
}

/**
 * Returns the exact count. A last page with a known offset needs no statement, unless it is empty and not the first page.
 */
export async function exactCount(
  database: Database,
  { count, few, values }: CountSql,
  { offset, rows, isFollowed, recipient }: CountedPage,
): Promise<number> {
  const isLast = !isFollowed && (rows > 0 || offset === 0);
  if (isLast && offset !== null) return offset + rows;
  const known = few === null ? null : database.countFew?.({ count, few }, values);
  if (known !== null && known !== undefined) return known;
  const row = await database.get(count, values, recipient);
  return numberOf(row?.["count"]);
}
