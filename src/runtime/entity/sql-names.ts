import type { CommonFields } from "../base/common-fields.js";
import { OwnCodeFault } from "../base/own-code-fault.js";
import { Problem } from "../input/problem.js";
import { uuidFilter } from "../query/uuid-filter.js";
import type { DialectName, SqlValue } from "../store/database.js";
import { plainValue } from "../store/dialect.js";
import type { Column, EntityTable } from "../store/entity-table.js";
import { CREATED, LAST_MODIFIED } from "../store/read-sql.js";
import type { IdentifierOf } from "./body-types.js";

declare const named: unique symbol;

/** What a statement names in a gap: a column, a leaf inside JSON, or a table. */
export interface SqlName {
  readonly [named]: true;
}

/** A column, or a leaf inside JSON. */
export interface SqlColumn<Value> extends SqlName {
  /** A value as it is stored there: `12.50` is the whole number 1250. Throws `OwnCodeFault` for one that cannot be. */
  of(value: Value): SqlValue;
}

/** A table with its columns. A property called `as` is the column. */
export type SqlTable<Entity> = SqlName &
  SqlColumns<Entity> &
  Pick<{ as(alias: string): SqlTable<Entity> }, Exclude<"as", keyof Entity>>;

/** The columns of what an entity, or an object in it, holds. Lists of objects and of references have none. */
export type SqlColumns<Held> = {
  readonly [Name in keyof Held]: SqlColumnOf<NonNullable<Held[Name]>>;
};

// In brackets: a union of texts is one column.
type SqlColumnOf<Value> = [Value] extends [readonly (infer Item)[]]
  ? [Item] extends [object]
    ? never
    : SqlColumn<never>
  : [Value] extends [object]
    ? [IdentifierOf<Value>] extends [never]
      ? SqlColumns<Value>
      : SqlColumns<Pick<Value, IdentifierOf<Value>>>
    : SqlColumn<Value>;

/** The part of a table that names are made of. */
export type NamedTable = Pick<
  EntityTable<CommonFields, object>,
  "name" | "idProperty" | "written" | "columns" | "leaves" | "json"
>;

/** The texts of all names: what has none cannot be in a statement. */
const texts = new WeakMap<object, string>();

/** The text of a name; undefined for anything else. */
export function textOfName(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? texts.get(value) : undefined;
}

/** A table with its columns, whatever resources show of it. */
export function sqlTable(table: NamedTable, dialect: DialectName, alias?: string): object {
  const own = quoted(table.name);
  const called = alias === undefined ? own : quoted(alias);
  const names: Tree = Object.create(null) as Tree;
  names["as"] = (other: string) => sqlTable(table, dialect, other);
  for (const [path, column] of columnsOf(table)) {
    const { expression = `${own}.${quoted(path)}` } = column;
    const text = typeof expression === "string" ? expression : expression[dialect];
    // Property names have no quotation marks, so that nothing else in it looks like the table.
    const found = text.replaceAll(`${own}.`, () => `${called}.`);
    put(names, path.split("."), columnWith(found, `${table.name}.${path}`, column));
  }
  texts.set(names, alias === undefined ? own : `${own} AS ${called}`);
  return names;
}

type Tree = Record<string, unknown>;

function put(tree: Tree, [first = "", ...rest]: readonly string[], column: object): void {
  if (rest.length === 0) tree[first] = column;
  else put((tree[first] ??= Object.create(null)) as Tree, rest, column);
}

function columnsOf({ name, idProperty, written, columns, leaves, json = {} }: NamedTable) {
  const known = Object.entries<Partial<Column>>({ ...leaves, ...columns });
  const own = known.filter(([, { joined = false }]) => !joined);
  return [
    [idProperty, { filter: uuidFilter() }] as const,
    ...written.flatMap((property): readonly (readonly [string, Partial<Column>])[] => {
      const found = own.filter(([path]) => path.split(".")[0] === property);
      return found.length > 0 || Object.hasOwn(json, property) ? found : [[property, {}]];
    }),
    ...[CREATED, LAST_MODIFIED].flatMap((stored, index) => {
      const prefix = index === 0 ? "created" : "lastModified";
      const paths = ["Date", "Subject.subjectId", "Subject.userPrincipalName"];
      return paths.map((path, place) => {
        const expression = `${quoted(name)}.${quoted(stored[place] ?? "")}`;
        return [prefix + path, { expression }] as const;
      });
    }),
  ];
}

function columnWith(text: string, path: string, { bind, filter }: Partial<Column>): object {
  const of = (value: unknown): SqlValue => {
    if (value === null) return null;
    const isValue = ["string", "number", "boolean"].includes(typeof value);
    const given = value as string | number | boolean;
    const read = isValue
      ? (filter?.read(String(given)) ?? given)
      : new Problem("has no such value");
    if (!(read instanceof Problem)) return bind === undefined ? plainValue(read) : bind(read);
    throw new OwnCodeFault(`context.sql`, [{ field: path, message: read.message }]);
  };
  const column = { of };
  texts.set(column, text);
  return column;
}

/** A name in quotation marks. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
