/** Composes the SQL of lists from the closed map of a table's columns; values of requests are always bound. */
import type { PageKeys } from "../query/page.js";
import type {
  AnyFilter,
  Filter,
  ListQuery,
  SortKey,
  SearchFilter,
  Substitutes,
  ValueFilter,
} from "../query/query.js";
import { isShortWord, searchedWords } from "../query/search-text.js";
import { TENANT } from "../query/tenant.js";
import type { DialectName, SortedStatements, SqlRow, SqlValue } from "./database.js";
import { DIALECTS, plainValue, type Dialect } from "./dialect.js";
import type { Column, ListedTable } from "./entity-table.js";
import { boundKeys, conditionsAfter, keyColumns, keyName, keysOf, type OrderKey } from "./pages.js";
import {
  countByIndex,
  foundByIndex,
  foundInAny,
  isFound,
  isFoundInAny,
  isInexact,
  joinedSql,
  searchedWordsOf,
  type BoundSql,
  type SearchedWords,
  type SearchTable,
} from "./search-sql.js";

/**
 * The use of a condition: `list` finds many entities at once, and `one` tests a single entity. `walk` is for reads in the order
 * of the sort.
 */
type Search = "list" | "walk" | "one";

/** The statements of one shape of list; only the bound values differ between requests. */
export interface ListStatements {
  /** Binds the values of the order and of the filters, the limit, the offset. */
  readonly page: string;
  /** SQLite: statements that may find the page faster. Null without filters, or unless one column of the table is the sort. */
  readonly sorted: SortedStatements | null;
  /**
   * Finds the page in the order of the sort, which is faster if many entities match the search. Null without a search, or if
   * the search ranks the entities.
   */
  readonly walked: Pick<ListStatements, "page" | "sorted"> | null;
  /** Binds the values of the filters; one row, column `count`. */
  readonly count: string;
  /** SQLite: the same count up to a limit; also binds the limit and an offset of 0. Null without filters. */
  readonly few: string | null;
  /** Binds the values of the filters, and an identifier. */
  readonly one: string;
  /** Binds the values of the filters, and a list of identifiers. */
  readonly some: string;
}

/** A search of a query (QRY-7, QRY-8), or its conditions on the items of a list (QRY-10). */
interface ListedSearch {
  readonly tables: readonly string[];
  /** SQLite: counts the matches in its index; binds `values`, a limit, an offset. */
  readonly few: string;
  readonly values: readonly SqlValue[];
  readonly words: SearchedWords;
}

/** Conditions that must hold for the same item of a list; `items` is the table of the items (QRY-10). */
interface ItemFilter {
  readonly items: string;
  readonly all: readonly ValueFilter[];
}

type Condition = Filter | ItemFilter;

type ListShape = Pick<ListQuery, "filters" | "sort">;

const MAXIMUM_SHAPES = 500;

const OPERATORS = { atLeast: ">=", atMost: "<=", moreThan: ">", lessThan: "<" } as const;

/** The common fields: dates to sort by (QRY-4), and subjects for access rules and filters (AUT-2, QRY-1). */
function commonColumns(table: string): Readonly<Record<string, Column>> {
  return {
    [TENANT]: { expression: `"${table}".${TENANT}`, required: true },
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

export class ListSql {
  private readonly shapes = new Map<string, ListStatements>();
  private readonly columns: Readonly<Record<string, Column>>;

  private readonly dialect: Dialect;
  private readonly hasItems: boolean;
  private parentLists: ListSql | null = null;

  constructor(
    private readonly table: ListedTable,
    dialect: DialectName,
    private readonly select: string,
  ) {
    this.dialect = DIALECTS[dialect];
    const { name, idProperty } = table;
    const identifier = { expression: `"${name}"."${idProperty}"`, required: true };
    this.columns = { ...commonColumns(name), [idProperty]: identifier, ...table.columns };
    this.hasItems = Object.values(table.columns).some(({ items }) => items !== undefined);
  }

  /** Returns the statements for the shape of a query: its filters and sorts, but not their values. */
  statements(query: ListShape): ListStatements {
    const shape = shapeOf(query);
    const known = this.shapes.get(shape);
    if (known !== undefined) return known;
    const composed = this.compose(query);
    if (this.shapes.size >= MAXIMUM_SHAPES) this.shapes.clear();
    this.shapes.set(shape, composed);
    return composed;
  }

  /** Returns the values of a query's filters, in the order of the statements. */
  values(query: ListShape, search: Search = "list"): SqlValue[] {
    return this.together(query.filters).flatMap((filter) => this.boundValues(filter, search));
  }

  searches(query: ListShape): readonly ListedSearch[] {
    const { name } = this.dialect;
    const few = (rows: string): string =>
      `SELECT COUNT(*) AS count FROM (${rows} LIMIT ? OFFSET ?)`;
    return this.together(query.filters).flatMap((filter): ListedSearch[] => {
      if ("any" in filter || "parent" in filter) return [];
      if ("items" in filter) {
        const { sql, values } = this.items("DISTINCT owner_id", filter);
        return [{ tables: [], few: few(sql), values, words: [] }];
      }
      if ("paths" in filter) {
        const { tables, words } = this.spread(filter);
        const { sql, values } = foundInAny(name, this.table, tables, words);
        return [
          { tables: tables.map(({ table }) => table), few: few(sql), values, words: [words] },
        ];
      }
      const found = this.search(filter);
      if (found === null || found.words.length === 0) return [];
      const { table, words } = found;
      const { sql, values } = countByIndex(name, table, words);
      return [{ tables: [table.table], few: few(`SELECT 1 ${sql}`), values, words }];
    });
  }

  /** Returns the values that a page binds before those of its filters. */
  orderValues(query: ListShape): readonly SqlValue[] {
    return this.foremost(query)?.values ?? [];
  }

  /**
   * Returns the use of conditions in a normal page. With several filters, a condition of `list` would make PostgreSQL compare
   * each row with an array, value by value.
   */
  usual({ filters }: ListShape): Search {
    return this.dialect.name === "sqlite" || this.together(filters).length === 1 ? "list" : "walk";
  }

  /**
   * Returns the statements for the rows after some keys, to be run one after another (QRY-9). Each also binds a limit and an
   * offset. Null means that the keys do not fit this list.
   */
  following(query: ListShape, after: PageKeys, search: Search): readonly BoundSql[] | null {
    const { name } = this.dialect;
    const keys = this.keys(query);
    const values = boundKeys(after, keys.length, name);
    if (values === null) return null;
    const columns = keyColumns(keys, name).values;
    const filters = this.conditions(query.filters, search);
    const order = this.orderBy(keys);
    return conditionsAfter(keys, this.identifier, values).map((beyond) => ({
      sql: `${this.selectWith(keys)}${WHERE}${[...filters, beyond.sql].join(" AND ")} ORDER BY ${order} LIMIT ? OFFSET ?`,
      values: [...columns, ...this.values(query, search), ...beyond.values],
    }));
  }

  keysOf(query: ListShape, row: SqlRow): PageKeys {
    return keysOf(row, this.keys(query).length, this.table.idProperty);
  }

  private keys(query: ListShape): readonly OrderKey[] {
    const foremost = this.foremost(query);
    if (foremost !== null) return [{ expression: foremost, descending: false, nullable: false }];
    return query.sort.map(({ path, descending, instead }) => ({
      expression: { sql: shownExpression(this.expression(path), instead), values: [] },
      descending,
      nullable: this.column(path).required !== true,
    }));
  }

  /** Sorts nulls last in both directions, and ties by the identifier (QRY-4). */
  private orderBy(keys: readonly OrderKey[]): string {
    const expressions = keys.map(
      ({ expression: { sql, values }, descending, nullable }, index) =>
        `${values.length > 0 ? keyName(index) : sql}${descending ? " DESC" : ""}${nullable ? " NULLS LAST" : ""}`,
    );
    return [...expressions, this.identifier].join(", ");
  }

  private selectWith(keys: readonly OrderKey[]): string {
    const from = ` FROM "${this.table.name}"`;
    // A function, because a JSON path may contain a replacement pattern.
    return this.select.replace(from, () => keyColumns(keys, this.dialect.name).sql + from);
  }

  /** Combines all conditions on items of one list, so that they have to hold for the same item. */
  private together(filters: readonly Filter[]): readonly Condition[] {
    if (!this.hasItems) return filters;
    const lists = new Map<string, ValueFilter[]>();
    return filters.flatMap((filter): Condition[] => {
      const items = "path" in filter ? this.column(filter.path).items?.table : undefined;
      if (!("path" in filter) || items === undefined) return [filter];
      const all = lists.get(items);
      if (all !== undefined) {
        all.push(filter);
        return [];
      }
      const first = [filter];
      lists.set(items, first);
      return [{ items, all: first }];
    });
  }

  private conditions(filters: readonly Filter[], search: Search): string[] {
    return this.together(filters).map((filter) => this.condition(filter, search));
  }

  private boundValues(filter: Condition, search: Search): SqlValue[] {
    if ("any" in filter) {
      return filter.any.flatMap((all) => this.values({ filters: all, sort: [] }, search));
    }
    if ("items" in filter) return [...this.items("1", filter).values];
    if ("parent" in filter) return this.parent.values({ filters: filter.parent, sort: [] }, search);
    if ("paths" in filter) return [...this.found(filter, search).values];
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
    const { identifier } = this;
    const keys = this.keys(query);
    const [select, order] = [this.selectWith(keys), this.orderBy(keys)];
    const { name, joins = "" } = this.table;
    const conditions = this.conditions(query.filters, "one");
    const listed = this.conditions(query.filters, this.usual(query));
    const where = listed.length === 0 ? "" : `${WHERE}${listed.join(" AND ")}`;
    const oneOf = this.dialect.oneOf(identifier);
    const isJoined = query.filters.some((filter) => this.isJoined(filter));
    const counted = this.onlySearch(query) ?? `FROM "${name}"${isJoined ? joins : ""}${where}`;
    const few =
      listed.length > 0 && this.dialect.name === "sqlite"
        ? `SELECT COUNT(*) AS count FROM (SELECT 1 ${counted} LIMIT ? OFFSET ?)`
        : null;
    return {
      page: `${select}${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
      walked: this.orderValues(query).length === 0 ? this.walked(query, order) : null,
      sorted: few === null ? null : this.sorted(query, few, { where, order }),
      count: `SELECT COUNT(*) AS count ${counted}`,
      few,
      one: `${this.select} WHERE ${[...conditions, `${identifier} = ?`].join(" AND ")}`,
      some: `${this.select} WHERE ${[...conditions, oneOf].join(" AND ")}`,
    };
  }

  /**
   * Returns SQL that counts without the table of the entities. Null unless the only condition is a search of their own texts,
   * or concerns items of a list.
   */
  private onlySearch({ filters }: ListShape): string | null {
    const [only, ...others] = this.together(filters);
    if (only === undefined || others.length > 0) return null;
    if ("items" in only) return `FROM (${this.items("DISTINCT owner_id", only).sql}) AS found`;
    if (!("path" in only)) return null;
    const found = this.search(only);
    if (found === null || found.words.length === 0 || found.table.reference !== undefined)
      return null;
    return countByIndex(this.dialect.name, found.table, found.words).sql;
  }

  private walked(query: ListShape, order: string): ListStatements["walked"] {
    if (this.searches(query).length === 0) return null;
    const where = `${WHERE}${this.conditions(query.filters, "walk").join(" AND ")}`;
    const sorted =
      this.dialect.name === "sqlite" ? this.sorted(query, null, { where, order }) : null;
    const select = this.selectWith(this.keys(query));
    return { page: `${select}${where} ORDER BY ${order} LIMIT ? OFFSET ?`, sorted };
  }

  /** Puts a plus before the filters, so that SQLite does not search an index for all rows that pass them. */
  private sorted(
    query: ListShape,
    few: string | null,
    { where, order }: { readonly where: string; readonly order: string },
  ): SortedStatements | null {
    const [key, ...others] = query.sort;
    // Each index of such a table begins with the tenant.
    if (key === undefined || others.length > 0 || this.table.hasTenant === true) return null;
    if (this.column(key.path).joined === true || key.instead !== undefined) return null;
    const { name, idProperty } = this.table;
    const expression = this.expression(key.path);
    const filters = `+(${where.slice(WHERE.length)})`;
    const rows = `"${name}"._rowid_ IN (${this.firstRows(key)})`;
    return {
      few,
      walk: `SELECT 1 FROM "${name}" ORDER BY ${expression}, "${name}"."${idProperty}" LIMIT ? OFFSET ?`,
      ahead: `${this.selectWith(this.keys(query))}${WHERE}${filters} AND ${rows} ORDER BY ${order} LIMIT ? OFFSET ?`,
    };
  }

  /** Selects the rows before the value at an offset, and the first rows with that value. Nulls are not among these values. */
  private firstRows({ path, descending }: SortKey): string {
    const { name, idProperty } = this.table;
    const key = this.expression(path);
    const rows = `SELECT _rowid_ FROM "${name}" WHERE ${key}`;
    const [before, direction] = descending ? [">", " DESC"] : ["<", ""];
    const value = `(SELECT ${key} FROM "${name}" WHERE ${key} IS NOT NULL ORDER BY ${key}${direction} LIMIT 1 OFFSET ?)`;
    const ties = `${rows} = ${value} ORDER BY "${name}"."${idProperty}" LIMIT ?`;
    return `${rows} ${before} ${value} UNION ALL SELECT * FROM (${ties})`;
  }

  private isJoined(filter: Filter): boolean {
    if ("any" in filter) return filter.any.flat().some((one) => this.isJoined(one));
    return "path" in filter && this.column(filter.path).joined === true;
  }

  private condition(filter: Condition, search: Search): string {
    if ("any" in filter) return this.alternatives(filter, search);
    if ("items" in filter) return this.ofItems(filter, search);
    if ("parent" in filter) return this.ofParent(filter.parent, search);
    if ("paths" in filter) return this.found(filter, search).sql;
    const searched = this.searched(filter, search);
    if (searched !== null) return searched.sql;
    const { listed } = this.column(filter.path);
    return (search !== "one" ? listed?.[this.dialect.name] : undefined) ?? this.plain(filter);
  }

  private items(read: string, { items, all }: ItemFilter): BoundSql {
    const conditions = all.map((filter) => this.condition(filter, "list")).join(" AND ");
    const values = all.flatMap((filter) => this.boundValues(filter, "list"));
    return { sql: `SELECT ${read} FROM "${items}"${WHERE}${conditions}`, values };
  }

  private ofItems(filter: ItemFilter, search: Search): string {
    if (!this.isEach(search))
      return `${this.identifier} IN (${this.items("owner_id", filter).sql})`;
    const one = `${this.items("1", filter).sql} AND owner_id = ${this.identifier}`;
    return `EXISTS (${one}) IS TRUE`;
  }

  /** Returns the condition of a search, or null for another filter. */
  private searched(filter: ValueFilter, search: Search): BoundSql | null {
    const asked = this.search(filter);
    if (asked === null) return null;
    if (asked.words.length === 0) return { sql: NEVER, values: [] };
    const { table, words } = asked;
    const { name } = this.dialect;
    const owner = table.reference ?? this.identifier;
    if (this.isEach(search)) return isFound(name, table, owner, words);
    return this.among(owner, foundByIndex(name, table, words), search);
  }

  private found(filter: SearchFilter, search: Search): BoundSql {
    const { tables, words } = this.spread(filter);
    const { name } = this.dialect;
    const each = (all: readonly string[]): BoundSql[] =>
      all.map((word) => isFoundInAny(name, this.table, tables, word));
    if (this.isEach(search)) return joinedSql(each(words), " AND ");
    const found = this.among(this.identifier, foundInAny(name, this.table, tables, words), search);
    return joinedSql([found, ...each(words.filter(isShortWord))], " AND ");
  }

  /** Whether a condition tests one entity at a time. */
  private isEach(search: Search): boolean {
    return search === "one" || (search === "walk" && this.dialect.name === "sqlite");
  }

  /** If many entities match, `IN` lets the planner of PostgreSQL choose between the index and the order of the sort. */
  private among(owner: string, { sql, values }: BoundSql, search: Search): BoundSql {
    const found = search === "walk" ? `${owner} IN (${sql})` : this.dialect.among(owner, sql);
    return { sql: found, values };
  }

  /**
   * Ranks entities if no sort is requested: a word in a more important property comes first (QRY-8). Null means that another
   * order applies.
   */
  private foremost({ filters, sort }: ListShape): BoundSql | null {
    const filter = filters.find((one) => "paths" in one);
    if (filter === undefined || sort.length > 0) return null;
    const { tables, words: all } = this.spread(filter);
    const words = all.filter((word) => !isShortWord(word)).map((word) => [word]);
    // The last property needs no test: all other matches are there.
    const ranks = tables.slice(0, -1).map((table, rank): BoundSql => {
      const { sql, values } = foundByIndex(this.dialect.name, table, words);
      return { sql: `WHEN ${table.reference ?? this.identifier} IN (${sql}) THEN ${rank}`, values };
    });
    if (ranks.length === 0) return null;
    const { sql, values } = joinedSql(ranks, " ");
    return { sql: `CASE ${sql} ELSE ${ranks.length} END`, values };
  }

  private spread({ paths, text }: SearchFilter) {
    return { tables: paths.map((path) => this.searchTable(path)), words: searchedWords(text) };
  }

  private search(filter: ValueFilter) {
    const words = searchedWordsOf(filter);
    if (words === null) return null;
    return { table: this.searchTable(filter.path), words };
  }

  private searchTable(path: string): SearchTable {
    const table = this.table.searches?.find((one) => one.path === path);
    if (table === undefined)
      throw new Error(`Table ${this.table.name} is not searched by ${path}.`);
    return table;
  }

  private get identifier(): string {
    return `"${this.table.name}"."${this.table.idProperty}"`;
  }

  /** `((a AND b) OR c)` */
  private alternatives({ any }: AnyFilter, search: Search): string {
    const groups = any.map((all) => {
      const conditions = this.conditions(all, search);
      return conditions.length === 1
        ? conditions.join()
        : `(${conditions.join(" AND ") || ALWAYS})`;
    });
    return `(${groups.join(" OR ") || NEVER})`;
  }

  /** A list finds all parents at once; a look-up tests only its own parent. */
  private ofParent(filters: readonly Filter[], search: Search): string {
    return this.parent.asParent(filters, this.table.parent?.reference ?? "", search);
  }

  private asParent(filters: readonly Filter[], reference: string, search: Search): string {
    const { identifier } = this;
    const { name, joins = "" } = this.table;
    const isJoined = filters.some((filter) => this.isJoined(filter));
    const from = `FROM "${name}"${isJoined ? joins : ""}`;
    const conditions = this.conditions(filters, search);
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
    // A plain `NOT` would lose nulls, whose comparison is unknown.
    if (comparison === "noneOf") return `(${this.anyOf(filter)}) IS NOT TRUE`;
    // Searches have a condition of their own, so that only operators are left.
    return `${this.expression(path)} ${OPERATORS[comparison as keyof typeof OPERATORS]} ?`;
  }

  /** Matches any of the values, and null (`[]` for an array) if an empty value was given (QRY-3). */
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
/** The conditions of an empty list: `ALWAYS` if all must hold, `NEVER` if at least one must hold. */
const ALWAYS = "1 = 1";
const NEVER = "1 = 0";

/** Sorts by the values that the version shows instead of stored ones (VER-2). */
function shownExpression(expression: string, instead: Substitutes | undefined): string {
  if (instead === undefined) return expression;
  const cases = Object.entries(instead).map(
    ([stored, shown]) => `WHEN ${textLiteral(stored)} THEN ${textLiteral(shown)}`,
  );
  return `CASE ${expression} ${cases.join(" ")} ELSE ${expression} END`;
}

/** Quotes a value of an enum, which comes from the schema and never from a request. */
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

function shapeOfWord(word: string): string {
  return isShortWord(word) ? "short" : isInexact([word]) ? "inexact" : "";
}

function shapeOfFilter(filter: Filter): string {
  if ("any" in filter) return `(${filter.any.map(shapeOfAll).join("|")})`;
  if ("parent" in filter) return `^(${shapeOfAll(filter.parent)})`;
  if ("paths" in filter) {
    const words = searchedWords(filter.text);
    return `${filter.paths.join()}~${words.map(shapeOfWord).join()}`;
  }
  const { path, values, orNull, comparison } = filter;
  const searched = searchedWordsOf(filter);
  if (searched !== null) {
    return `${comparison ?? ""} ${path}~${searched.map((words) => `${words.length}${isInexact(words) ? "s" : ""}`).join()}`;
  }
  return `${comparison ?? ""} ${path}${values.length > 1 ? "*" : values.length === 1 ? "=" : ""}${orNull ? "!" : ""}`;
}
