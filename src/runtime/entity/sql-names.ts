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
interface SqlColumn<Value> extends SqlName {
  /** A value as it is stored there: `12.50` is the whole number 1250. Throws `OwnCodeFault` for one that cannot be. */
  of(value: Value): SqlValue;
}

/** A table with its columns. A property called `as` is the column. */
export type SqlTable<Entity> = SqlName &
  SqlColumns<Entity> &
  Pick<{ as(alias: string): SqlTable<Entity> }, Exclude<"as", keyof Entity>>;

/** The columns of what an entity, or an object in it, holds. Lists of objects and of references have none. */
type SqlColumns<Held> = {
  readonly [Name in keyof Held]: SqlColumnOf<NonNullable<Held[Name]>>;
};

// In brackets: a union of texts is one column.
type SqlColumnOf<Value> = [Value] extends [readonly (infer Item)[]]
  ? [Item] extends [object]
    ? never
    : SqlColumn<never>
  : [Value] extends [object]
    ? SqlColumns<[IdentifierOf<Value>] extends [never] ? Value : Pick<Value, IdentifierOf<Value>>>
    : SqlColumn<Value>;

/** The texts of all names: what has none cannot be in a statement. */
const texts = new WeakMap<object, string>();

/** The text of a name; undefined for anything else. */
export function textOfName(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? texts.get(value) : undefined;
}

/** A table with its columns, whatever resources show of it. */
export function sqlTable(table: AnyTable, dialect: DialectName, alias = table.name): object {
  const [own, called] = [quoted(table.name), quoted(alias)];
  const names = Object.create(null) as Tree;
  names["as"] = (other: string) => sqlTable(table, dialect, other);
  for (const [path, column] of columnsOf(table)) {
    const { expression = `${own}.${quoted(path)}` } = column;
    const text = typeof expression === "string" ? expression : expression[dialect];
    const found = columnWith(`${table.name}.${path}`, column);
    texts.set(found, text.split(`${own}.`).join(`${called}.`));
    const steps = path.split(".");
    const last = steps.pop() ?? "";
    let holder = names;
    for (const step of steps) holder = (holder[step] ??= Object.create(null)) as Tree;
    holder[last] = found;
  }
  texts.set(names, own === called ? own : `${own} AS ${called}`);
  return names;
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
