import type { CommonFields } from "../base/common-fields.js";
import { OwnCodeFault } from "../base/custom-code.js";
import { decimalOfUnits } from "../base/decimal.js";
import type { FieldIssue } from "../base/errors.js";
import { isTimestamp } from "../base/time.js";
import type { RequestContext } from "../http/request.js";
import type { ServiceRuntime } from "../http/settings.js";
import { Problem } from "../input/reader.js";
import { uuidFilter } from "../query/filters.js";
import { TENANT, tenantOf } from "../query/tenant.js";
import {
  ResultTooLarge,
  type DialectName,
  type RowBound,
  type SqlRow,
  type SqlValue,
} from "../store/database.js";
import { plainValue } from "../store/dialect.js";
import type { EntityStore } from "../store/entity-store.js";
import { type Column, type EntityTable, CREATED, LAST_MODIFIED } from "../store/entity-table.js";
import { SQL_TOKENS } from "../store/migrations/folder.js";
import { columnNames } from "../store/sqlite/statements.js";
import type { IdentifierOf, EntityService } from "./entity-service.js";

/** A value, several values, as for `IN (...)`, a name, or a part of a statement. */
export type SqlGap = SqlScalar | readonly SqlScalar[] | SqlName | SqlQuery;
type SqlScalar = SqlValue | boolean;

/** A statement, or a part of one. */
export interface SqlQuery {
  /**
   * Runs the statement, and reads each column of its rows. Throws `OwnCodeFault` for a statement that is not allowed,
   * unexpected values and too many bytes.
   */
  rows<Readers extends SqlReaders>(readers: Readers): Promise<SqlRowOf<Readers>[]>;
}

type SqlReaders = Readonly<Record<string, SqlReader<unknown>>>;
type SqlRowOf<Readers extends SqlReaders> = {
  -readonly [Name in keyof Readers]: Readers[Name] extends SqlReader<infer Value> ? Value : never;
};

/** Read-only statements of custom code, which read the rows of the caller's tenant alone (AUT-4). */
export type Sql<Stores = unknown, Services = unknown> = SqlStatements<Stores, Services> & {
  /** The same for the rows of all tenants. */
  readonly allTenants: SqlStatements<Stores, Services>;
};

/** Statements, the tables that they name, and the readers of their columns. */
type SqlStatements<Stores, Services> = ((
  strings: TemplateStringsArray,
  ...gaps: readonly SqlGap[]
) => SqlQuery) &
  typeof READERS & {
    readonly [Name in keyof Stores]: Stores[Name] extends EntityStore<
      infer Entity,
      infer Properties
    >
      ? SqlTable<
          Entity,
          Exclude<keyof Entity, keyof Properties | keyof CommonFields>,
          PathsOf<Services[Name & keyof Services]>
        >
      : never;
  };

/** The paths by which the lists of a service can be filtered. */
type PathsOf<Service> =
  Service extends EntityService<infer _E, infer _P, infer _I, infer Where, infer _Emitted>
    ? keyof Where
    : never;

class SqlReader<Value> {
  constructor(
    readonly form: string,
    /** Returns undefined for a value of another form. */
    readonly read: (cell: SqlValue) => Value | undefined,
  ) {}

  /** Reads null as well, such as the sum of no rows. */
  get orNull(): SqlReader<Value | null> {
    return new SqlReader<Value | null>(this.form, (cell) =>
      cell === null ? null : this.read(cell),
    );
  }
}

function numberIn(cell: SqlValue, isRight: (value: number) => boolean): number | undefined {
  const value = typeof cell === "bigint" ? Number(cell) : cell;
  return typeof value === "number" && isRight(value) ? value : undefined;
}

const READERS = {
  string: new SqlReader("a string", (cell) => (typeof cell === "string" ? cell : undefined)),
  integer: new SqlReader("a safe integer", (cell) => numberIn(cell, Number.isSafeInteger)),
  number: new SqlReader("a number", (cell) => numberIn(cell, Number.isFinite)),
  boolean: new SqlReader("a boolean", (cell) => {
    const bit = numberIn(cell, (value) => value === 0 || value === 1);
    return bit === undefined ? bit : bit === 1;
  }),
  /** Reads a column, or the sum of a column, that is stored with this many decimal places. */
  decimal: (scale: number) =>
    new SqlReader("a decimal as it is stored", (cell) =>
      typeof cell === "bigint" ? decimalOfUnits(cell, scale) : undefined,
    ),
  timestamp: new SqlReader("a timestamp", (cell) =>
    typeof cell === "string" && isTimestamp(cell) ? cell : undefined,
  ),
};

/** Creates the `sql` of each request. The name of a resource hides a reader or a function member of the same name. */
export function sqlOf(
  stores: Readonly<Record<string, { readonly table: EntityStore<CommonFields, object>["table"] }>>,
  runtime: ServiceRuntime,
): (request: RequestContext) => object {
  const members: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(READERS);
  for (const [name, { table }] of Object.entries(stores)) {
    let made: object | null = null;
    // Created on first use, because custom code may name only a few of many tables.
    members[name] = { get: () => (made ??= sqlTable(table, runtime.database.dialect)) };
  }
  const confined = Object.values(stores).flatMap(({ table }) =>
    table.hasTenant === true ? [table.name] : [],
  );
  const made = (request: RequestContext, tenants: Tenants): object =>
    Object.defineProperties(
      (strings: unknown, ...gaps: readonly unknown[]) =>
        new Statement(partsOf(strings, gaps, tenants), runtime, request),
      members,
    );
  return (request) => {
    const { caller } = request;
    const ofCaller = {
      named: () => (caller.isOfAllTenants === true ? null : tenantOf(caller)),
      confined,
    };
    const ofAll = { named: () => null, confined };
    const allTenants = { get: () => made(request, ofAll) };
    return Object.defineProperty(made(request, ofCaller), "allTenants", allTenants);
  };
}

/** AUT-4: the tenant that a statement reads, and the tables that belong to one. */
interface Tenants {
  /** Null for all tenants. */
  readonly named: () => string | null;
  readonly confined: readonly string[];
}

/** Text, or a bound value. */
type Part = string | { readonly value: SqlValue };

class Statement implements SqlQuery {
  constructor(
    readonly parts: readonly Part[],
    private readonly runtime: ServiceRuntime,
    private readonly request: RequestContext,
  ) {}

  async rows<Readers extends SqlReaders>(readers: Readers): Promise<SqlRowOf<Readers>[]> {
    const { database, settings } = this.runtime;
    const values = this.parts.flatMap((part) => (typeof part === "string" ? [] : [part.value]));
    const issue = statementIssue(this.parts, values.length, database.dialect);
    if (issue !== null) throw fault("the statement", issue);
    let place = 0;
    const placed = (): string => (database.dialect === "postgres" ? `$${(place += 1)}` : "?");
    const sql = this.parts.map((part) => (typeof part === "string" ? part : placed())).join("");
    const bound: RowBound = { rows: Infinity, bytes: settings.limits.pageBytes, isCustom: true };
    const rows = await database.all(sql, values, bound, this.request).catch((error: unknown) => {
      if (!(error instanceof ResultTooLarge)) throw error;
      throw fault("the rows", `hold more than ${bound.bytes} bytes: add a LIMIT or aggregate`);
    });
    // Each value has the type of its own reader.
    return readRows(rows, readers) as SqlRowOf<Readers>[];
  }
}

/** Placeholders that SQLite and PostgreSQL find in the text, without a value to bind. */
const PLACES = { sqlite: /[?@$]|(?<!:):(?=\w)/, postgres: /\$\d/ };
const GAP = "\uE000";
/** Maximum number of values in a statement of SQLite. It applies to PostgreSQL as well. */
const MOST_VALUES = 32_766;

/** Returns the reason not to run a statement, or null. */
function statementIssue(
  parts: readonly Part[],
  count: number,
  dialect: DialectName,
): string | null {
  // Placeholders inside strings, names and comments bind nothing.
  const text = parts.map((part) => (typeof part === "string" ? part.replaceAll(GAP, "") : GAP));
  const bare = text.join("").replaceAll(SQL_TOKENS, " ");
  if (!/^[\s(]*(?:SELECT|WITH|VALUES)\b/i.test(bare))
    return "must begin with SELECT, WITH or VALUES: it only reads";
  if (/;\s*\S/.test(bare)) return "must be one, without a semicolon between two";
  if (bare.split(GAP).length - 1 < count) return "has a gap in quotation marks, or in a comment";
  if (PLACES[dialect].test(bare)) return "has a place that is not a gap: write ${value}";
  if (count > MOST_VALUES) return `has ${count} values, and may have ${MOST_VALUES}`;
  return null;
}

function readRows(rows: readonly SqlRow[], readers: SqlReaders): object[] {
  const others = columnNames(rows[0] ?? {}).filter((name) => !Object.hasOwn(readers, name));
  const issues = others.map((field): FieldIssue => ({ field, message: "has no reader" }));
  return rows.map((row) => {
    const read = Object.entries(readers).map(([field, reader]) => {
      const cell = row[field];
      const value = cell === undefined ? undefined : reader.read(cell);
      const found = typeof cell === "string" ? "another string" : String(cell);
      const message = `must be ${reader.form}, and is ${found}`;
      if (value === undefined) issues.push({ field, message });
      return [field, value] as const;
    });
    if (issues.length > 0) throw new OwnCodeFault("context.sql", issues);
    return Object.fromEntries(read);
  });
}

/** Accepts only templates: a concatenated string may contain SQL of a client. */
function partsOf(strings: unknown, gaps: readonly unknown[], tenants: Tenants): Part[] {
  const isTemplate = Array.isArray(strings) && Object.hasOwn(strings, "raw");
  if (!isTemplate) throw fault("sql", "is for templates: sql`SELECT ...`");
  return strings.flatMap((text: string, index) => {
    refuseTables(text, tenants.confined);
    return index === 0 ? text : [...gapParts(gaps[index - 1], `gap ${index}`, tenants), text];
  });
}

/** AUT-4: only a table in a gap is confined to the tenant. Refuses its name in strings and comments as well, whose ends are uncertain. */
function refuseTables(text: string, confined: readonly string[]): void {
  const words = text.match(/[\w$]+/g) ?? [];
  const named = confined.find((name) =>
    words.some((word) => word.toLowerCase() === name || word.toLowerCase().startsWith(`${name}_`)),
  );
  if (named === undefined) return;
  throw fault(
    "the statement",
    `names ${named} as text, which belong to a tenant: write \${sql.${named}}`,
  );
}

function gapParts(gap: unknown, field: string, tenants: Tenants): readonly Part[] {
  if (gap instanceof Statement) return gap.parts;
  const table = typeof gap === "object" && gap !== null ? confinedTables.get(gap) : undefined;
  if (table !== undefined) {
    const tenant = tenants.named();
    if (tenant !== null) return [table.before, { value: tenant }, table.after];
  }
  if (!Array.isArray(gap) || gap.length === 0)
    return [textOfName(gap) ?? { value: boundValue(gap, field) }];
  return gap.flatMap((one, index) => [index === 0 ? "" : ", ", { value: boundValue(one, field) }]);
}

/** Binds whole numbers as integers on both databases: 7 / 2 is 3. */
function boundValue(value: unknown, field: string): SqlValue {
  if (value === null) return value;
  // Stored strings contain no NUL, and PostgreSQL refuses it.
  if (typeof value === "string") return value.replaceAll("\0", "\uFFFD");
  if (typeof value === "bigint" && BigInt.asIntN(64, value) === value) return value;
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "number" && Number.isFinite(value))
    return Number.isSafeInteger(value) ? BigInt(value) : value;
  const found = Array.isArray(value)
    ? "an empty list, or one in a list"
    : typeof value === "bigint" || typeof value === "number"
      ? "a number that no database takes"
      : typeof value;
  throw fault(field, `is ${found}: not a value, a name or a part of a statement`);
}

function fault(field: string, message: string): OwnCodeFault {
  return new OwnCodeFault("context.sql", [{ field, message }]);
}

declare const named: unique symbol;

/** A name in a gap: a column, a leaf inside JSON, or a table. */
interface SqlName {
  readonly [named]: true;
}

/** A column, or a leaf inside JSON. */
interface SqlColumn<Value> extends SqlName {
  /** Returns the stored form of a value: `12.50` is the integer 1250. Throws `OwnCodeFault` for a value that does not fit. */
  of(value: Value): SqlValue;
}

/**
 * A table with its columns. A property called `as` hides the method of that name. `Own` is the identifier, and `Paths` are the
 * paths by which lists can be filtered.
 */
type SqlTable<Entity, Own = never, Paths = never> = SqlName &
  SqlColumns<Entity, Own, Paths, ""> &
  Pick<{ as(alias: string): SqlTable<Entity, Own, Paths> }, Exclude<"as", keyof Entity>>;

/** The columns of an entity, or of an object in it. A list has none, except if its items can be filtered. */
type SqlColumns<Held, Own, Paths, At extends string> = {
  readonly [Name in keyof Held]: SqlColumnOf<
    NonNullable<Held[Name]>,
    Own,
    Paths,
    `${At}${Name & string}`
  >;
};

// In brackets: a union of strings is one column.
type SqlColumnOf<Value, Own, Paths, At extends string> = [Value] extends [readonly (infer Item)[]]
  ? [Item] extends [object]
    ? SqlItems<Item, Own, Paths, At>
    : SqlColumn<never>
  : [Value] extends [object]
    ? SqlColumns<Kept<Value>, Own, Paths, `${At}.`>
    : SqlColumn<Value>;

/** A reference stores only its identifier. */
type Kept<Value> = [IdentifierOf<Value>] extends [never] ? Value : Pick<Value, IdentifierOf<Value>>;

/** The table of a list's items, with the properties by which they can be filtered (QRY-10). Undefined if there are none. */
type SqlItems<Item, Own, Paths, At extends string> =
  Extract<Paths, `${At}.${string}`> extends never
    ? undefined
    : SqlName &
        SqlItemColumns<Item, Paths, `${At}.`> & {
          readonly [Id in Exclude<Own, keyof Item> & string]: SqlColumn<string>;
        } & Pick<{ as(alias: string): SqlItems<Item, Own, Paths, At> }, Exclude<"as", keyof Item>>;

type SqlItemColumns<Held, Paths, At extends string> = {
  readonly [Name in keyof Held]: `${At}${Name & string}` extends Paths
    ? SqlColumn<NonNullable<Held[Name]>>
    : Extract<Paths, `${At}${Name & string}.${string}`> extends never
      ? undefined
      : SqlItemColumns<NonNullable<Held[Name]>, Paths, `${At}${Name & string}.`>;
};

/** The SQL text of every name. An object without an entry is not a name. */
const texts = new WeakMap<object, string>();

/** AUT-4: the SQL around the tenant of a table that belongs to one. */
const confinedTables = new WeakMap<object, { readonly before: string; readonly after: string }>();

function textOfName(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? texts.get(value) : undefined;
}

/** Creates the names of a table and of all its columns, also those that no resource shows. */
function sqlTable(table: AnyTable, dialect: DialectName, alias?: string): object {
  const { name, idProperty, hasTenant = false } = table;
  const all = columnsOf(table);
  const own = all.filter(([, { items }]) => items === undefined);
  const within = hasTenant ? `"${TENANT}" = ` : undefined;
  const names = tableNames({ name, entity: name, columns: own, dialect, within }, alias);
  names["as"] ??= (other: string) => sqlTable(table, dialect, other);
  const lists = new Map(all.flatMap(([, { items }]) => (items ? [[items.list, items.table]] : [])));
  for (const [list, items] of lists) {
    const inside = all.flatMap(([path, column]): Named[] =>
      column.items?.list === list ? [[path.slice(list.length + 1), column]] : [],
    );
    const owner = { expression: `${quoted(items)}.owner_id`, filter: uuidFilter() };
    const columns: Named[] = [[idProperty, owner], ...inside];
    const owners = `owner_id IN (SELECT ${quoted(idProperty)} FROM ${quoted(name)} WHERE ${within}`;
    const found = { name: items, entity: `${name}.${list}`, columns, dialect };
    put(names, list, itemNames({ ...found, within: within && owners }));
  }
  return names;
}

/** Creates the names of the table of a list's items: their filtered properties, and the identifier of the owner (QRY-10). */
function itemNames(table: NamedTable, alias?: string): object {
  const names = tableNames(table, alias);
  names["as"] ??= (other: string) => itemNames(table, other);
  return names;
}

/** A table. `entity` is its name in faults. */
interface NamedTable {
  readonly name: string;
  readonly entity: string;
  readonly columns: readonly Named[];
  readonly dialect: DialectName;
  /** AUT-4: SQL before the tenant that the rows are confined to, such as `"row_tenant" = `. Absent if all tenants share them. */
  readonly within?: string | undefined;
}

function tableNames({ name, entity, columns, dialect, within }: NamedTable, alias = name): Tree {
  const [own, called] = [quoted(name), quoted(alias)];
  const names = Object.create(null) as Tree;
  for (const [path, column] of columns) {
    const { expression = `${own}.${quoted(path)}` } = column;
    const text = typeof expression === "string" ? expression : expression[dialect];
    const found = columnWith(`${entity}.${path}`, column);
    texts.set(found, text.split(`${own}.`).join(`${called}.`));
    put(names, path, found);
  }
  texts.set(names, own === called ? own : `${own} AS ${called}`);
  if (within !== undefined) {
    const after = `${")".repeat(within.split("(").length)} AS ${called}`;
    confinedTables.set(names, { before: `(SELECT * FROM ${own} WHERE ${within}`, after });
  }
  return names;
}

function put(names: Tree, path: string, found: object): void {
  const steps = path.split(".");
  const last = steps.pop() ?? "";
  let holder = names;
  for (const step of steps) holder = (holder[step] ??= Object.create(null)) as Tree;
  holder[last] = found;
}

type AnyTable = EntityTable<CommonFields, object>;
type Tree = Record<string, unknown>;
type Named = readonly [path: string, column: Partial<Column>];

const COMMON = ["Date", "Subject.subjectId", "Subject.userPrincipalName"];

function columnsOf(table: AnyTable): readonly Named[] {
  const { idProperty, written, json = {}, name } = table;
  const known = Object.entries<Partial<Column>>({ ...table.leaves, ...table.columns });
  const own = known.filter(([, { joined = false }]) => !joined);
  const common = (prefix: string, stored: readonly string[]): Named[] =>
    stored.map((column, place) => {
      return [`${prefix}${COMMON[place]}`, { expression: `"${name}"."${column}"` }];
    });
  const properties = written.flatMap((property): Named[] => {
    const found = own.filter(([path]) => path.split(".")[0] === property);
    return found.length > 0 || Object.hasOwn(json, property) ? found : [[property, {}]];
  });
  const stamps = [...common("created", CREATED), ...common("lastModified", LAST_MODIFIED)];
  return [[idProperty, { filter: uuidFilter() }], ...properties, ...stamps];
}

function columnWith(field: string, { bind = plainValue, filter }: Partial<Column>): object {
  const of = (value: unknown): SqlValue => {
    if (value === null) return null;
    const isValue = ["string", "number", "boolean"].includes(typeof value);
    const read = isValue ? filter?.read(String(value)) : new Problem("has no such value");
    if (!(read instanceof Problem)) return bind(read ?? (value as string | number | boolean));
    throw new OwnCodeFault("context.sql", [{ field, message: read.message }]);
  };
  return { of };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
