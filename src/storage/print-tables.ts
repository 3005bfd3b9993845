import type {
  ForeignKey,
  StorageModel,
  StoredIndex,
  StoredTable,
  StoredValue,
} from "#runtime/store/storage-model";
import { sqlName, type SqlText } from "../naming/encoders.js";
import { WIDTH } from "../naming/doc.js";
import { copiedPlace, makeCopyTable } from "./copy-tables.js";
import { COMMON_COLUMNS } from "./own-columns.js";
import { columnTypeIn, type SqlDialect } from "./sql-dialect.js";
import { columnName, isOwnTable, nameOf, termExpression } from "./sql-names.js";

/** Lines of SQL that stand together: a table with its indexes, or the foreign keys. */
export type SqlBlock = readonly SqlText[];

/** The statements that make all tables of a service. */
export function printTables({ tables }: StorageModel, dialect: SqlDialect): readonly SqlBlock[] {
  // PostgreSQL knows no table that is made later: what refers to others is added when all are there.
  const keys =
    dialect === "sqlite"
      ? []
      : tables.filter((one) => copiedPlace(one) === null).flatMap(addedKeys);
  return [
    ...tables.filter((table) => !isOwnTable(table)).map((table) => tableBlock(table, dialect)),
    ...(keys.length === 0 ? [] : [keys]),
    ...tables.filter(isOwnTable).map((table) => tableBlock(table, dialect)),
  ];
}

function tableBlock(table: StoredTable, dialect: SqlDialect): SqlBlock {
  if (copiedPlace(table) !== null) return copyBlock(table, dialect);
  const indexes = table.indexes.filter(({ databases }) => databases.includes(dialect));
  return [
    ...createTable(table, dialect, { head: `CREATE TABLE ${nameOf(table, table.name)}` }),
    ...indexes.flatMap((index) => indexLines(table, index, dialect)),
  ];
}

function copyBlock(table: StoredTable, dialect: SqlDialect): SqlBlock {
  return makeCopyTable(table, dialect).flatMap(({ lines }) =>
    lines.map((line, index) => fixedSql(index + 1 < lines.length ? line : `${line};`)),
  );
}

/** The lines that make a table without its indexes; `head` says how and under which name. */
export function createTable(
  table: StoredTable,
  dialect: SqlDialect,
  { head }: { readonly head: string },
): SqlBlock {
  const { primaryKey, columns, retired = [] } = table;
  const definitions = [...columns, ...retired].map((column) =>
    columnDefinition(table, column, dialect),
  );
  const key = primaryKey.map((name) => columnName(table, name)).join(", ");
  const lines = primaryKey.length === 1 ? definitions : [...definitions, `PRIMARY KEY (${key})`];
  return [
    fixedSql(`${head} (`),
    ...lines.map((line, index) => fixedSql(`  ${line}${index + 1 < lines.length ? "," : ""}`)),
    fixedSql(");"),
  ];
}

/** A column as the statement has it that makes the table, or adds the column: with its key in SQLite. */
export function columnDefinition(
  table: StoredTable,
  { name, type, nullable }: StoredValue,
  dialect: SqlDialect,
): string {
  const isKey = table.primaryKey.length === 1 && table.primaryKey[0] === name;
  const key = table.foreignKeys.find((one) => one.column === name);
  return [
    columnName(table, name),
    columnTypeIn(dialect, type),
    ...(isKey ? ["PRIMARY KEY"] : []),
    ...(nullable ? [] : ["NOT NULL"]),
    ...(key === undefined || dialect === "postgres" ? [] : [referencesClause(key)]),
  ].join(" ");
}

function referencesClause({ table, key, onDelete }: ForeignKey): string {
  const action = onDelete === "cascade" ? " ON DELETE CASCADE" : "";
  return `REFERENCES ${sqlName(table)} (${sqlName(key)})${action}`;
}

function addedKeys(table: StoredTable): SqlText[] {
  return table.foreignKeys.map((key) =>
    fixedSql(`ALTER TABLE ${nameOf(table, table.name)} ${addedKey(key)};`),
  );
}

/** What an ALTER TABLE does to add a foreign key. */
export function addedKey(key: ForeignKey): string {
  const { name, column } = key;
  return `ADD CONSTRAINT ${sqlName(name)} FOREIGN KEY (${sqlName(column)}) ${referencesClause(key)}`;
}

function indexLines(table: StoredTable, index: StoredIndex, dialect: SqlDialect): SqlText[] {
  const create = index.unique ? "CREATE UNIQUE INDEX" : "CREATE INDEX";
  const head = `${create} ${nameOf(table, index.name)}`;
  const tail = `${indexTarget(table, index, dialect)};`;
  const isBroken = isOwnTable(table) && `${head} ${tail}`.length > WIDTH;
  return isBroken ? [fixedSql(head), fixedSql(`  ${tail}`)] : [fixedSql(`${head} ${tail}`)];
}

/** What an index is on: `ON "orders" ("price", "orderId")`. */
export function indexTarget(
  table: StoredTable,
  { searches, terms, descending = [] }: Pick<StoredIndex, "searches" | "terms" | "descending">,
  dialect: SqlDialect,
): string {
  const expressions = terms.map((term) => termExpression(table, term, dialect));
  const ordered = (expression: string, place: number): string =>
    indexed(expression) +
    (descending.includes(place) ? descendingIn(dialect, terms[place] ?? "") : "");
  const searched =
    searches === "order"
      ? `(${expressions.map(ordered).join(", ")})`
      : `USING gin ((CAST(${expressions.join(", ")} AS jsonb)))`;
  return `ON ${nameOf(table, table.name)} ${searched}`;
}

/** As a list is ordered (QRY-4): a common column is never null, and SQLite has nulls last where an index descends. */
function descendingIn(dialect: SqlDialect, term: string): string {
  const isCommon = COMMON_COLUMNS.some(({ name }) => name === term);
  return dialect === "sqlite" || isCommon ? " DESC" : " DESC NULLS LAST";
}

/** What is not a column by itself stands in brackets. */
function indexed(expression: string): string {
  return /^(?:"[^"]*"|[a-z_]+)$/.test(expression) ? expression : `(${expression})`;
}

/** For texts that are put together here from quoted names, expressions of quoted names, and fixed words. */
function fixedSql(text: string): SqlText {
  return text as SqlText;
}
