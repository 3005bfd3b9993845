import type { CommonFields } from "../base/common-fields.js";
import { OwnCodeFault } from "../base/custom-code.js";
import { Problem } from "../input/reader.js";
import { uuidFilter } from "../query/filters.js";
import type { DialectName, SqlValue } from "../store/database.js";
import { plainValue } from "../store/dialect.js";
import { type Column, type EntityTable, CREATED, LAST_MODIFIED } from "../store/entity-table.js";
import type { IdentifierOf } from "./body-types.js";

declare const named: unique symbol;

/** What a statement names in a gap: a column, a leaf inside JSON, or a table. */
export interface SqlName {
  readonly [named]: true;
}

/** A column, or a leaf inside JSON. */
interface SqlColumn<Value> extends SqlName {
  /** A value as it is stored there: `12.50` is the whole number 1250. Throws `OwnCodeFault` for one that cannot be. */
  of(value: Value): SqlValue;
}

/**
 * A table with its columns. A property called `as` is the column. `Own` is the identifier, and `Paths` are what lists are
 * filtered by.
 */
export type SqlTable<Entity, Own = never, Paths = never> = SqlName &
  SqlColumns<Entity, Own, Paths, ""> &
  Pick<{ as(alias: string): SqlTable<Entity, Own, Paths> }, Exclude<"as", keyof Entity>>;

/** The columns of what an entity, or an object in it, holds. Lists have none, but for those whose items are filtered. */
type SqlColumns<Held, Own, Paths, At extends string> = {
  readonly [Name in keyof Held]: SqlColumnOf<
    NonNullable<Held[Name]>,
    Own,
    Paths,
    `${At}${Name & string}`
  >;
};

// In brackets: a union of texts is one column.
type SqlColumnOf<Value, Own, Paths, At extends string> = [Value] extends [readonly (infer Item)[]]
  ? [Item] extends [object]
    ? SqlItems<Item, Own, Paths, At>
    : SqlColumn<never>
  : [Value] extends [object]
    ? SqlColumns<Kept<Value>, Own, Paths, `${At}.`>
    : SqlColumn<Value>;

/** Of a reference, the identifier is kept. */
type Kept<Value> = [IdentifierOf<Value>] extends [never] ? Value : Pick<Value, IdentifierOf<Value>>;

/** The table of the items of a list, with what is filtered in them (QRY-10); undefined: there is none. */
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

/** The texts of all names: what has none cannot be in a statement. */
const texts = new WeakMap<object, string>();

/** The text of a name; undefined for anything else. */
export function textOfName(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? texts.get(value) : undefined;
}

/** A table with its columns, whatever resources show of it. */
export function sqlTable(table: AnyTable, dialect: DialectName, alias?: string): object {
  const { name, idProperty } = table;
  const all = columnsOf(table);
  const own = all.filter(([, { items }]) => items === undefined);
  const names = tableNames({ name, entity: name, columns: own, dialect }, alias);
  names["as"] ??= (other: string) => sqlTable(table, dialect, other);
  const lists = new Map(all.flatMap(([, { items }]) => (items ? [[items.list, items.table]] : [])));
  for (const [list, items] of lists) {
    const inside = all.flatMap(([path, column]): Named[] =>
      column.items?.list === list ? [[path.slice(list.length + 1), column]] : [],
    );
    const owner = { expression: `${quoted(items)}.owner_id`, filter: uuidFilter() };
    const columns: Named[] = [[idProperty, owner], ...inside];
    put(names, list, itemNames({ name: items, entity: `${name}.${list}`, columns, dialect }));
  }
  return names;
}

/** The table of the items of a list: what is filtered in them, and which entity has the list (QRY-10). */
function itemNames(table: NamedTable, alias?: string): object {
  const names = tableNames(table, alias);
  names["as"] ??= (other: string) => itemNames(table, other);
  return names;
}

/** A table, and how what it belongs to is called in faults. */
interface NamedTable {
  readonly name: string;
  readonly entity: string;
  readonly columns: readonly Named[];
  readonly dialect: DialectName;
}

function tableNames({ name, entity, columns, dialect }: NamedTable, alias = name): Tree {
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
