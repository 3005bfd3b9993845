import type { CommonFields } from "../base/common-fields.js";
import { OwnCodeFault } from "../base/own-code-fault.js";
import type { RequestContext } from "../http/request-context.js";
import { ResultTooLarge, WriteRefused, type Database, type SqlValue } from "../store/database.js";
import type { EntityStore } from "../store/entity-store.js";
import { sqlTable, textOfName, type NamedTable, type SqlName, type SqlTable } from "./sql-names.js";
import { readRows, SQL_READERS, type SqlReaders, type SqlRowOf } from "./sql-readers.js";

/** What can be in a gap of a statement: a value, some values, as for `IN (...)`, a name, or a part of a statement. */
export type SqlGap = SqlScalar | readonly SqlScalar[] | SqlName | SqlQuery;
type SqlScalar = SqlValue | boolean;

/** A statement, or a part of one. */
export interface SqlQuery {
  /** Runs it, and reads each column of its rows. Throws `OwnCodeFault` for what they do not hold, and for too many. */
  rows<Readers extends SqlReaders>(readers: Readers): Promise<SqlRowOf<Readers>[]>;
}

/** Statements of custom code that only read, the tables that they name, and the readers of what they find. */
export type Sql<Stores = unknown> = ((
  strings: TemplateStringsArray,
  ...gaps: readonly SqlGap[]
) => SqlQuery) &
  typeof SQL_READERS & {
    readonly [Name in keyof Stores]: Stores[Name] extends EntityStore<
      infer Entity,
      // Those of the entity are among its own.
      infer _
    >
      ? SqlTable<Entity>
      : never;
  };

/** What statements take of the service. */
interface SqlKernel {
  readonly database: Database;
  readonly settings: { readonly limits: { readonly pageBytes: number } };
}

type AnyStore = EntityStore<CommonFields, object>;

/** Makes the `sql` of each request. The names of resources come before all others that a function has. */
export function sqlOf(
  stores: Readonly<Record<string, AnyStore>>,
  kernel: SqlKernel,
): (request: RequestContext) => object {
  const { dialect } = kernel.database;
  const readers = Object.entries(SQL_READERS).map(([name, value]) => [name, { value }] as const);
  const tables = Object.entries(stores).map(([name, { table }]) => {
    let made: object | null = null;
    // A service with many tables names few of them.
    return [name, { get: () => (made ??= sqlTable(table as NamedTable, dialect)) }] as const;
  });
  const members = Object.fromEntries<PropertyDescriptor>([...readers, ...tables]);
  return (request) => {
    const tag = (strings: unknown, ...gaps: readonly unknown[]): SqlQuery =>
      new Statement(partsOf(strings, gaps), kernel, request);
    return Object.defineProperties(tag, members);
  };
}

/** Text, or a value that is bound. */
type Part = string | { readonly value: SqlValue };

class Statement implements SqlQuery {
  constructor(
    readonly parts: readonly Part[],
    private readonly kernel: SqlKernel,
    private readonly request: RequestContext,
  ) {}

  async rows<Readers extends SqlReaders>(readers: Readers): Promise<SqlRowOf<Readers>[]> {
    const { database, settings } = this.kernel;
    const values: SqlValue[] = [];
    const place = ({ value }: { readonly value: SqlValue }): string => {
      values.push(value);
      // Node's own SQLite binds no `?1` by its place.
      return database.dialect === "postgres" ? `$${values.length}` : "?";
    };
    const sql = this.parts.map((part) => (typeof part === "string" ? part : place(part))).join("");
    if (!/^\s*(?:SELECT|WITH|VALUES)\b/i.test(sql)) {
      throw fault("the statement", "must begin with SELECT, WITH or VALUES: it only reads");
    }
    try {
      const { pageBytes } = settings.limits;
      return readRows(await database.readOnly(sql, values, pageBytes, this.request), readers);
    } catch (error) {
      if (error instanceof WriteRefused)
        throw fault("the statement", "only reads, and would write");
      if (!(error instanceof ResultTooLarge)) throw error;
      const message = `hold more than ${error.mostBytes} bytes: add a LIMIT, or aggregate them`;
      throw fault("the rows", message);
    }
  }
}

function partsOf(strings: unknown, gaps: readonly unknown[]): Part[] {
  if (!isTemplate(strings)) throw fault("sql", "is for templates: sql`SELECT ...`");
  return strings.flatMap((text, index) => [
    text,
    ...(index < gaps.length ? gapParts(gaps[index], `gap ${index + 1}`) : []),
  ]);
}

/** Text of other origin could hold anything. */
function isTemplate(strings: unknown): strings is TemplateStringsArray {
  return Array.isArray(strings) && Object.hasOwn(strings, "raw");
}

function gapParts(gap: unknown, field: string): readonly Part[] {
  if (gap instanceof Statement) return gap.parts;
  if (Array.isArray(gap) && gap.length > 0) {
    return gap.flatMap((one, index) => [index === 0 ? "" : ", ", { value: bound(one, field) }]);
  }
  return [textOfName(gap) ?? { value: bound(gap, field) }];
}

/** A whole number is one on both databases: 7 / 2 is 3. */
function bound(value: unknown, field: string): SqlValue {
  if (value === null || typeof value === "string" || typeof value === "bigint") return value;
  if (typeof value === "boolean") return Number(value);
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  if (typeof value === "number" && Number.isFinite(value)) return value;
  const found = Array.isArray(value) ? "an empty list, or one in a list" : typeof value;
  const message = `is ${found}, and must be a value, a column, a table or a part of a statement`;
  throw fault(field, message);
}

function fault(field: string, message: string): OwnCodeFault {
  return new OwnCodeFault("context.sql", [{ field, message }]);
}
