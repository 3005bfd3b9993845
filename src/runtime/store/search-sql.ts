import type { ValueFilter, ListQuery } from "../query/query.js";
import {
  gramsOf,
  isShortWord,
  searchedStart,
  searchedWords,
  searchText,
} from "../query/search-text.js";
import type { DialectName, SqlValue, WriteStep, Database } from "./database.js";
import { arrayText } from "./dialect.js";
import type { ListSql } from "./list-sql.js";
import { RecentlyUsed } from "./recently-used.js";
import { numberOf } from "./rows.js";

/** The words of each searched value. A searched string matches if it contains all words of one value. */
export type SearchedWords = readonly (readonly string[])[];

/** The table with the searched texts of one property (QRY-7): a row for each entity that has texts. */
export interface SearchTable {
  readonly path: string;
  /** Its index has the same name with the suffix `_index`. */
  readonly table: string;
  /** SQL: the column, with its table, that refers to the entity with the texts. If absent, these are the entity's own texts. */
  readonly reference?: string;
}

/** A search table with the texts of an entity; `texts` is absent if these belong to a referenced entity. */
export interface SearchedTexts<Properties> extends SearchTable {
  readonly texts?: (properties: Properties) => string | null | undefined | readonly string[];
}

/** The table of the entities to find, by their own texts or by those of referenced entities. */
interface Owner {
  readonly name: string;
  readonly idProperty: string;
}

export interface BoundSql {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Returns the searched words in their stored form, or null for another comparison. */
export function searchedWordsOf({ comparison, values }: ValueFilter): SearchedWords | null {
  if (comparison === "contains") return values.map((value) => searchedWords(String(value)));
  if (comparison !== "startsWith") return null;
  return values.map((value) => [searchedStart(String(value))]);
}

/** Selects all entities with matching texts, by the index. */
export function foundByIndex(
  dialect: DialectName,
  { table }: Pick<SearchTable, "table">,
  searched: SearchedWords,
): BoundSql {
  if (dialect === "postgres") {
    const found = rowsWith(searched, "postgres");
    return { sql: `SELECT owner_id FROM "${table}" WHERE ${found.sql}`, values: found.values };
  }
  const index = `"${table}_index"`;
  const rows = `SELECT rowid FROM ${index} WHERE ${index} MATCH ?`;
  const sql = `SELECT owner_id FROM "${table}" WHERE row IN (${rows})`;
  const match = [matchText(searched)];
  if (!searched.some(isInexact)) return { sql, values: match };
  const found = rowsWith(searched, "sqlite");
  return { sql: `${sql} AND (${found.sql})`, values: [...match, ...found.values] };
}

/**
 * Selects the entities that have each of the words in any of the texts. Ignores short words, which are not in the index (QRY-8).
 */
export function foundInAny(
  dialect: DialectName,
  { name, idProperty }: Owner,
  tables: readonly SearchTable[],
  words: readonly string[],
): BoundSql {
  const of = (word: string): BoundSql =>
    joinedSql(
      tables.map((table) => {
        const { sql, values } = foundByIndex(dialect, table, [[word]]);
        if (table.reference === undefined) return { sql, values };
        const owners = `SELECT "${name}"."${idProperty}" AS owner_id FROM "${name}"`;
        return { sql: `${owners} WHERE ${table.reference} IN (${sql})`, values };
      }),
      " UNION ALL ",
    );
  const [first, ...others] = words.filter((word) => !isShortWord(word)).map(of);
  if (first === undefined) throw new Error("Each word of the search is short.");
  const { sql, values } = first;
  const also = joinedSql(
    others.map((other) => ({ ...other, sql: `owner_id IN (${other.sql})` })),
    " AND ",
  );
  const where = others.length === 0 ? "" : ` WHERE ${also.sql}`;
  return {
    sql: `SELECT owner_id FROM (${sql}) AS found${where}`,
    values: [...values, ...also.values],
  };
}

export function isFoundInAny(
  dialect: DialectName,
  { name, idProperty }: Owner,
  tables: readonly SearchTable[],
  word: string,
): BoundSql {
  const own = `"${name}"."${idProperty}"`;
  const { sql, values } = joinedSql(
    tables.map((table) => isFound(dialect, table, table.reference ?? own, [[word]])),
    " OR ",
  );
  return { sql: `(${sql})`, values };
}

export function joinedSql(parts: readonly BoundSql[], between: string): BoundSql {
  return {
    sql: parts.map(({ sql }) => sql).join(between),
    values: parts.flatMap(({ values }) => values),
  };
}

/** Whether the index of SQLite also finds texts that do not match, so that its results need a second test. */
export function isInexact(words: readonly string[]): boolean {
  return words.some((word) => isShortWord(word) || !isPhrase(word));
}

/**
 * FTS5 examines every position in every text for a phrase that is longer than `LONGEST_PHRASE`, or that repeats a run of
 * three characters.
 */
function isPhrase(word: string): boolean {
  const characters = [...word];
  const parts = partsOf(characters);
  return characters.length <= LONGEST_PHRASE && new Set(parts).size === parts.length;
}

function partsOf(characters: readonly string[]): readonly string[] {
  return characters.slice(2).map((third, at) => `${characters.slice(at, at + 2).join("")}${third}`);
}

/** Returns SQL from `FROM` on, which finds one row for each entity with matching texts. */
export function countByIndex(
  dialect: DialectName,
  { table }: SearchTable,
  searched: SearchedWords,
): BoundSql {
  if (dialect === "sqlite" && !searched.some(isInexact)) {
    const index = `"${table}_index"`;
    return { sql: `FROM ${index} WHERE ${index} MATCH ?`, values: [matchText(searched)] };
  }
  const { sql, values } = foundByIndex(dialect, { table }, searched);
  return { sql: sql.replace(/^SELECT owner_id /, ""), values };
}

export function isFound(
  dialect: DialectName,
  { table }: SearchTable,
  identifier: string,
  searched: SearchedWords,
): BoundSql {
  const { sql, values } = rowsWith(searched, dialect === "sqlite" ? "sqlite" : "one");
  const row = `SELECT 1 FROM "${table}" WHERE owner_id = ${identifier} AND (${sql})`;
  // SQLite 3.53 turns a bare EXISTS into a join.
  return { sql: `EXISTS (${row}) IS TRUE`, values };
}

/** The index of PostgreSQL contains only runs of three characters, so that longer words need a second test. */
function rowsWith(searched: SearchedWords, way: "sqlite" | "postgres" | "one"): BoundSql {
  const has = way === "sqlite" ? "instr(text, ?) > 0" : "strpos(text, ?) > 0";
  const all = searched.map((words) => {
    const tests = words.map(() => has);
    return `(${(way === "postgres" ? ["grams @> ?", ...tests] : tests).join(" AND ")})`;
  });
  const values = searched.flatMap((words) =>
    way === "postgres" ? [gramsText(words), ...words] : words,
  );
  return { sql: all.join(" OR "), values };
}

const LONGEST_PHRASE = 10;

/**
 * Quotes words, since FTS5 would interpret special characters. Searches for a long word by its beginning, and for a
 * repetitive beginning by its runs of three characters.
 */
function matchText(searched: SearchedWords): string {
  const all = searched.map((words) => {
    const known = words.filter((word) => !isShortWord(word));
    return `(${known.flatMap(phrasesOf).map(quotedPhrase).join(" AND ")})`;
  });
  return all.join(" OR ");
}

function phrasesOf(word: string): readonly string[] {
  const beginning = [...word].slice(0, LONGEST_PHRASE);
  const phrase = beginning.join("");
  return isPhrase(phrase) ? [phrase] : [...new Set(partsOf(beginning))];
}

function quotedPhrase(phrase: string): string {
  return `"${phrase.replaceAll('"', '""')}"`;
}

function gramsText(words: readonly string[]): string {
  return arrayText([...new Set(words.flatMap(gramsOf))]);
}

type Searches<Properties> = readonly SearchedTexts<Properties>[] | undefined;

export function searchSteps<P>(
  dialect: DialectName,
  searches: Searches<P>,
  id: string,
  properties: P,
): WriteStep[] {
  return (searches ?? []).flatMap(({ table, texts }) =>
    texts === undefined ? [] : insertSearchSteps(dialect, table, id, texts(properties)),
  );
}

/** Replaces searched texts that a change has changed. Null for `stored` means that the former texts are unknown. */
export function updateSearchSteps<P>(
  dialect: DialectName,
  searches: Searches<P>,
  id: string,
  [stored, next]: readonly [stored: P | null, next: P],
): WriteStep[] {
  return (searches ?? []).flatMap(({ table, texts }) => {
    if (texts === undefined) return [];
    const after = texts(next);
    if (stored !== null && searchText(texts(stored)) === searchText(after)) return [];
    const sql = `DELETE FROM "${table}" WHERE owner_id = ?`;
    return [{ sql, values: [id] }, ...insertSearchSteps(dialect, table, id, after)];
  });
}

/** Inserts a row, unless there is nothing to find in the texts. */
export function insertSearchSteps(
  dialect: DialectName,
  table: string,
  id: string,
  texts: Parameters<typeof searchText>[0],
): WriteStep[] {
  const text = searchText(texts);
  if (text === "") return [];
  if (dialect === "sqlite") {
    return [{ sql: `INSERT INTO "${table}" (owner_id, text) VALUES (?, ?)`, values: [id, text] }];
  }
  const sql = `INSERT INTO "${table}" (owner_id, text, grams) VALUES (?, ?, ?)`;
  return [{ sql, values: [id, text, arrayText(gramsOf(text))] }];
}

/** This many rows are found and sorted within a millisecond or two. */
const MANY = 1000;
/** The lifetime of an estimate, which decides only how a page is found and never its content. */
const KEPT_MILLISECONDS = 60_000;
/** Runs of three characters that more than 1 % of the texts contain. */
const COMMON = `SELECT gram FROM pg_stats,
  unnest(CAST(CAST(most_common_elems AS text) AS text[]), most_common_elem_freqs) AS common (gram, frequency)
  WHERE schemaname = current_schema() AND tablename = ? AND attname = 'grams' AND frequency > 0.01`;

/**
 * Estimates whether many texts match a search (QRY-7). If so, reading in the order of the list finds a page faster than the index
 * of the texts.
 */
export class SearchEstimate {
  private readonly common = new Map<string, { readonly grams: ReadonlySet<string>; at: number }>();
  /** By statement and values. */
  private readonly known = new RecentlyUsed<Known>(() => ({ at: null, isMany: false }));

  constructor(
    private readonly database: Database,
    private readonly lists: ListSql,
  ) {}

  /** Whether each search of a query has many matches on its own. */
  async findsMany(query: ListQuery): Promise<boolean> {
    const searches = this.lists.searches(query);
    for (const { few, values, tables, words } of searches) {
      const isMany =
        this.database.dialect === "sqlite"
          ? await this.matchesMany(few, values)
          : await this.isCommon(tables, words);
      if (!isMany) return false;
    }
    return searches.length > 0;
  }

  private async matchesMany(few: string, values: readonly SqlValue[]): Promise<boolean> {
    const known = this.known.of([few, ...values].join("\n"));
    if (isStale(known.at)) {
      const row = await this.database.get(few, [...values, MANY, 0]);
      known.isMany = numberOf(row?.["count"]) >= MANY;
      known.at = performance.now();
    }
    return known.isMany;
  }

  /** Whether all parts of a value's words are common. PostgreSQL has hardly any statistics about rare ones. */
  private async isCommon(tables: readonly string[], values: SearchedWords): Promise<boolean> {
    const common = await Promise.all(tables.map((table) => this.commonIn(table)));
    return values.some((words) =>
      words.flatMap(gramsOf).every((gram) => common.some((grams) => grams.has(gram))),
    );
  }

  private async commonIn(table: string): Promise<ReadonlySet<string>> {
    const known = this.common.get(table);
    if (known !== undefined && !isStale(known.at)) return known.grams;
    const rows = await this.database.all(COMMON, [table]);
    const grams = new Set(rows.map(({ gram }) => String(gram)));
    this.common.set(table, { grams, at: performance.now() });
    return grams;
  }
}

interface Known {
  at: number | null;
  isMany: boolean;
}

function isStale(at: number | null): boolean {
  return at === null || performance.now() - at > KEPT_MILLISECONDS;
}
