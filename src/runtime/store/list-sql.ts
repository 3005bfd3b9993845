import type {
  AnyFilter,
  Filter,
  ListQuery,
  SortKey,
  Substitutes,
  ValueFilter,
} from "../query/query.js";
import type { DialectName, SortedStatements, SqlValue } from "./database.js";
import { DIALECTS, plainValue, type Dialect } from "./dialect.js";
import type { Column, ListedTable } from "./entity-table.js";
import {
  countByIndex,
  foundByIndex,
  isInexact,
  isFound,
  searchedBy,
  type BoundSql,
  type Searched,
} from "./search-sql.js";

/** What a condition is for: a list finds many at once; one that is walked through in its order, and a look-up, have one at a time. */
type Search = "list" | "walk" | "one";

/** The two statements of one shape of list; only the values differ between requests. */
export interface ListStatements {
  /** Binds the values of the filters, the limit, the offset. */
  readonly page: string;
  /** SQLite: what may find the page sooner. Null unless there are filters and one key of the sort. */
  readonly sorted: SortedStatements | null;
  /** Finds the page in the order of the sort: sooner where many have what is searched for. Null without a search. */
  readonly walked: Pick<ListStatements, "page" | "sorted"> | null;
  /** Binds the values of the filters; one row, column `count`. */
  readonly count: string;
  /** SQLite: the same of at most so many rows, a limit and an offset of 0. Null without filters. */
  readonly few: string | null;
  /** Binds the values of the filters, and an identifier. */
  readonly one: string;
  /** Binds the values of the filters, and several identifiers. */
  readonly some: string;
}

/** A search of a query (QRY-7). */
export interface ListedSearch {
  readonly table: string;
  /** SQLite: counts what its index finds; binds `values`, a limit, an offset. */
  readonly few: string;
  readonly values: readonly SqlValue[];
  readonly words: Searched;
}

/** The part of a query that its statements are made of. */
export type ListShape = Pick<ListQuery, "filters" | "sort">;

const MAXIMUM_SHAPES = 500;

const OPERATORS = { atLeast: ">=", atMost: "<=", moreThan: ">", lessThan: "<" } as const;

/** What every entity can be sorted by (QRY-4), and who wrote it (AUT-2, QRY-1). */
function commonColumns(table: string): Readonly<Record<string, Column>> {
  return {
    createdDate: { expression: `"${table}".created_date`, required: true },
    lastModifiedDate: { expression: `"${table}".last_modified_date`, required: true },
    "createdSubject.subjectId": { expression: `"${table}".created_subject_id` },
    "createdSubject.userPrincipalName": { expression: `"${table}".created_user_principal_name` },
    "lastModifiedSubject.subjectId": { expression: `"${table}".last_modified_subject_id` },
    "lastModifiedSubject.userPrincipalName": {
      expression: `"${table}".last_modified_user_principal_name`,
    },
  };
}

/** Composes the SQL of a table's lists from its closed map of columns; values are always bound. */
export class ListSql {
  private readonly shapes = new Map<string, ListStatements>();
  private readonly columns: Readonly<Record<string, Column>>;

  private readonly dialect: Dialect;
  /** Those of the parent's table, made when a filter first asks something of it. */
  private parentLists: ListSql | null = null;

  constructor(
    private readonly table: ListedTable,
    dialect: DialectName,
    /** Reads every column, without a condition. */
    private readonly select: string,
  ) {
    this.dialect = DIALECTS[dialect];
    const { name, idProperty } = table;
    const identifier = { expression: `"${name}"."${idProperty}"`, required: true };
    this.columns = { ...commonColumns(name), [idProperty]: identifier, ...table.columns };
  }

  /** The statements of a query's shape: which filters and sorts, not which values. */
  statements(query: ListShape): ListStatements {
    const shape = shapeOf(query);
    const known = this.shapes.get(shape);
    if (known !== undefined) return known;
    const composed = this.compose(query);
    if (this.shapes.size >= MAXIMUM_SHAPES) this.shapes.clear();
    this.shapes.set(shape, composed);
    return composed;
  }

  /** What the query's filters bind, in the order of the statements. */
  values(query: ListShape, search: Search = "list"): SqlValue[] {
    return query.filters.flatMap((filter) => this.boundValues(filter, search));
  }

  /** What a query searches for, beside its other filters. */
  searches(query: ListShape): readonly ListedSearch[] {
    return query.filters.flatMap((filter) => {
      const found = "any" in filter || "parent" in filter ? null : this.search(filter);
      if (found === null || found.words.length === 0) return [];
      const { sql, values } = countByIndex(this.dialect.name, found.table, found.words);
      const few = `SELECT COUNT(*) AS count FROM (SELECT 1 ${sql} LIMIT ? OFFSET ?)`;
      return [{ table: found.table.table, few, values, words: found.words }];
    });
  }

  private boundValues(filter: Filter, search: Search): SqlValue[] {
    if ("any" in filter) return filter.any.flat().flatMap((one) => this.boundValues(one, search));
    if ("parent" in filter) return this.parent.values({ filters: filter.parent, sort: [] }, search);
    const searched = this.searched(filter, search);
    if (searched !== null) return [...searched.values];
    return filter.values.length > 0 ? [this.boundValue(filter)] : [];
  }

  private boundValue({ path, values }: ValueFilter): SqlValue {
    const { bind = plainValue, contains = false } = this.column(path);
    if (contains) return this.dialect.members(values);
    const [first = null, ...others] = values.map((value) => bind(value));
    return others.length === 0 ? first : this.dialect.values([first, ...others]);
  }

  private compose(query: ListShape): ListStatements {
    const { select } = this;
    const { name, idProperty, joins = "" } = this.table;
    const conditions = query.filters.map((filter) => this.condition(filter, "one"));
    // PostgreSQL compares a second array, or a filtered row, with one value after the other.
    const isAlone = this.dialect.name === "sqlite" || query.filters.length === 1;
    const listed = query.filters.map((filter) => this.condition(filter, isAlone ? "list" : "walk"));
    const where = listed.length === 0 ? "" : `${WHERE}${listed.join(" AND ")}`;
    // QRY-4: nulls last either way, ties end on the identifier.
    const order = query.sort.map((key) => this.order(key));
    const identifier = `"${name}"."${idProperty}"`;
    const oneOf = this.dialect.oneOf(identifier);
    order.push(identifier);
    const isJoined = query.filters.some((filter) => this.isJoined(filter));
    const counted = this.onlySearch(query) ?? `FROM "${name}"${isJoined ? joins : ""}${where}`;
    const few =
      listed.length > 0 && this.dialect.name === "sqlite"
        ? `SELECT COUNT(*) AS count FROM (SELECT 1 ${counted} LIMIT ? OFFSET ?)`
        : null;
    return {
      page: `${select}${where} ORDER BY ${order.join(", ")} LIMIT ? OFFSET ?`,
      walked: this.walked(query, order.join(", ")),
      sorted: few === null ? null : this.sorted(query, few, { where, order: order.join(", ") }),
      count: `SELECT COUNT(*) AS count ${counted}`,
      few,
      one: `${select} WHERE ${[...conditions, `${identifier} = ?`].join(" AND ")}`,
      some: `${select} WHERE ${[...conditions, oneOf].join(" AND ")}`,
    };
  }

  /** The index counts what it finds, where nothing else is asked. */
  private onlySearch({ filters }: ListShape): string | null {
    const [only, ...others] = filters;
    if (only === undefined || others.length > 0 || "any" in only || "parent" in only) return null;
    const found = this.search(only);
    if (found === null || found.words.length === 0) return null;
    return countByIndex(this.dialect.name, found.table, found.words).sql;
  }

  private walked(query: ListShape, order: string): ListStatements["walked"] {
    if (this.searches(query).length === 0) return null;
    const conditions = query.filters.map((filter) => this.condition(filter, "walk"));
    const where = `${WHERE}${conditions.join(" AND ")}`;
    const sorted =
      this.dialect.name === "sqlite" ? this.sorted(query, null, { where, order }) : null;
    return { page: `${this.select}${where} ORDER BY ${order} LIMIT ? OFFSET ?`, sorted };
  }

  /** Puts the filters behind a plus, so that SQLite does not search for all rows that pass them. */
  private sorted(
    query: ListShape,
    few: string | null,
    { where, order }: { readonly where: string; readonly order: string },
  ): SortedStatements | null {
    const [key, ...others] = query.sort;
    if (key === undefined || others.length > 0) return null;
    if (this.column(key.path).joined === true || key.instead !== undefined) return null;
    const { name, idProperty } = this.table;
    const expression = this.expression(key.path);
    const filters = `+(${where.slice(WHERE.length)})`;
    const rows = `"${name}"._rowid_ IN (${this.firstRows(key)})`;
    return {
      few,
      walk: `SELECT 1 FROM "${name}" ORDER BY ${expression}, "${name}"."${idProperty}" LIMIT ? OFFSET ?`,
      ahead: `${this.select}${WHERE}${filters} AND ${rows} ORDER BY ${order} LIMIT ? OFFSET ?`,
    };
  }

  /** The rows before the value at an offset, and the first ones with that value: none of them is null. */
  private firstRows({ path, descending }: SortKey): string {
    const { name, idProperty } = this.table;
    const key = this.expression(path);
    const rows = `SELECT _rowid_ FROM "${name}" WHERE ${key}`;
    const [before, direction] = descending ? [">", " DESC"] : ["<", ""];
    const value = `(SELECT ${key} FROM "${name}" WHERE ${key} IS NOT NULL ORDER BY ${key}${direction} LIMIT 1 OFFSET ?)`;
    const ties = `${rows} = ${value} ORDER BY "${name}"."${idProperty}" LIMIT ?`;
    return `${rows} ${before} ${value} UNION ALL SELECT * FROM (${ties})`;
  }

  private order({ path, descending, instead }: SortKey): string {
    const { required = false } = this.column(path);
    const shown = shownExpression(this.expression(path), instead);
    return `${shown}${descending ? " DESC" : ""}${required ? "" : " NULLS LAST"}`;
  }

  private isJoined(filter: Filter): boolean {
    if ("any" in filter) return filter.any.flat().some((one) => this.isJoined(one));
    return !("parent" in filter) && this.column(filter.path).joined === true;
  }

  private condition(filter: Filter, search: Search): string {
    if ("any" in filter) return this.alternatives(filter, search);
    if ("parent" in filter) return this.ofParent(filter.parent, search);
    const searched = this.searched(filter, search);
    if (searched !== null) return searched.sql;
    const { listed } = this.column(filter.path);
    return (search !== "one" ? listed?.[this.dialect.name] : undefined) ?? this.plain(filter);
  }

  /** The condition of a search; null: it is none. */
  private searched(filter: ValueFilter, search: Search): BoundSql | null {
    const asked = this.search(filter);
    if (asked === null) return null;
    if (asked.words.length === 0) return { sql: NEVER, values: [] };
    const { table, words } = asked;
    const { name } = this.dialect;
    const identifier = `"${this.table.name}"."${this.table.idProperty}"`;
    const isEach = search === "one" || (search === "walk" && name === "sqlite");
    if (isEach) return isFound(name, table, identifier, words);
    const { sql, values } = foundByIndex(name, table, words);
    // The planner of PostgreSQL chooses between the index and the order of the sort where many are found.
    const found =
      search === "walk" ? `${identifier} IN (${sql})` : this.dialect.among(identifier, sql);
    return { sql: found, values };
  }

  private search(filter: ValueFilter) {
    const words = searchedBy(filter);
    if (words === null) return null;
    const table = this.table.searches?.find(({ path }) => path === filter.path);
    if (table === undefined)
      throw new Error(`Table ${this.table.name} is not searched by ${filter.path}.`);
    return { table, words };
  }

  /** `((a AND b) OR c)` */
  private alternatives({ any }: AnyFilter, search: Search): string {
    const groups = any.map((all) => {
      const conditions = all.map((filter) => this.condition(filter, search));
      return conditions.length === 1
        ? conditions.join()
        : `(${conditions.join(" AND ") || ALWAYS})`;
    });
    return `(${groups.join(" OR ") || NEVER})`;
  }

  /** A list looks for all parents at once, a single look-up at its own one. */
  private ofParent(filters: readonly Filter[], search: Search): string {
    return this.parent.asParent(filters, this.table.parent?.reference ?? "", search);
  }

  private asParent(filters: readonly Filter[], reference: string, search: Search): string {
    const { name, idProperty, joins = "" } = this.table;
    const isJoined = filters.some((filter) => this.isJoined(filter));
    const from = `FROM "${name}"${isJoined ? joins : ""}`;
    const identifier = `"${name}"."${idProperty}"`;
    const conditions = filters.map((filter) => this.condition(filter, search));
    if (search === "one") {
      const all = [`${identifier} = ${reference}`, ...conditions].join(" AND ");
      return `EXISTS (SELECT 1 ${from} WHERE ${all})`;
    }
    const where = conditions.join(" AND ") || ALWAYS;
    return this.dialect.among(reference, `SELECT ${identifier} ${from} WHERE ${where}`);
  }

  private get parent(): ListSql {
    const { parent, name } = this.table;
    if (parent === undefined) throw new Error(`Table ${name} has no parent.`);
    this.parentLists ??= new ListSql(parent.table, this.dialect.name, "");
    return this.parentLists;
  }

  private plain(filter: ValueFilter): string {
    const { comparison = "anyOf", path } = filter;
    if (comparison === "anyOf") return this.anyOf(filter);
    // Null is not one of the values either: `NOT` alone would leave it unknown.
    if (comparison === "noneOf") return `(${this.anyOf(filter)}) IS NOT TRUE`;
    // What is searched has its own condition.
    return `${this.expression(path)} ${OPERATORS[comparison as keyof typeof OPERATORS]} ?`;
  }

  /** QRY-3: any of the values, or null (for an array `[]`) where an empty value was given. */
  private anyOf({ path, values, orNull }: ValueFilter): string {
    const { contains = false } = this.column(path);
    const expression = this.expression(path);
    const several = values.length > 1;
    const alternatives: string[] = [];
    if (values.length > 0) {
      if (contains) alternatives.push(this.dialect.contains(expression, several));
      else alternatives.push(several ? this.dialect.oneOf(expression) : `${expression} = ?`);
    }
    if (orNull) alternatives.push(contains ? `${expression} = '[]'` : `${expression} IS NULL`);
    if (alternatives.length <= 1) return alternatives.join() || NEVER;
    return `(${alternatives.join(" OR ")})`;
  }

  private expression(path: string): string {
    const { expression } = this.column(path);
    return typeof expression === "string" ? expression : expression[this.dialect.name];
  }

  private column(path: string): Column {
    const column = Object.hasOwn(this.columns, path) ? this.columns[path] : undefined;
    if (column === undefined)
      throw new Error(`Table ${this.table.name} has no column for ${path}.`);
    return column;
  }
}

const WHERE = " WHERE ";
/** What no conditions come to, where all or any of them must hold. */
const ALWAYS = "1 = 1";
const NEVER = "1 = 0";

/** What a column is sorted by: stored values stand where those stand that are shown instead (VER-2). */
function shownExpression(expression: string, instead: Substitutes | undefined): string {
  if (instead === undefined) return expression;
  const cases = Object.entries(instead).map(
    ([stored, shown]) => `WHEN ${textLiteral(stored)} THEN ${textLiteral(shown)}`,
  );
  return `CASE ${expression} ${cases.join(" ")} ELSE ${expression} END`;
}

/** A value of an enum, which the schema names and no request. */
function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function shapeOf(query: ListShape): string {
  let shape = shapeOfAll(query.filters);
  for (const { path, descending, instead } of query.sort) {
    shape += `${descending ? ",-" : ","}${path}`;
    if (instead !== undefined) shape += JSON.stringify(instead);
  }
  return shape;
}

function shapeOfAll(filters: readonly Filter[]): string {
  let shape = "";
  for (const filter of filters) shape += `${shapeOfFilter(filter)}&`;
  return shape;
}

function shapeOfFilter(filter: Filter): string {
  if ("any" in filter) return `(${filter.any.map(shapeOfAll).join("|")})`;
  if ("parent" in filter) return `^(${shapeOfAll(filter.parent)})`;
  const { path, values, orNull, comparison } = filter;
  const searched = searchedBy(filter);
  if (searched !== null) {
    return `${comparison ?? ""} ${path}~${searched.map((words) => `${words.length}${isInexact(words) ? "s" : ""}`).join()}`;
  }
  return `${comparison ?? ""} ${path}${values.length > 1 ? "*" : values.length === 1 ? "=" : ""}${orNull ? "!" : ""}`;
}
