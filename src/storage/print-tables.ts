import type {
  ForeignKey,
  StorageModel,
  StoredIndex,
  StoredTable,
  StoredValue,
} from "#kernel/store/storage-model";
import { sqlName, type SqlText } from "../naming/encoders.js";
import { WIDTH } from "../naming/doc.js";
import { COMMON_COLUMNS } from "./own-columns.js";
import { columnTypeIn, type SqlDialect } from "./sql-dialect.js";
import { columnName, nameOf, termExpression } from "./sql-names.js";

/** Lines of SQL that stand together: a table with its indexes, or the foreign keys. */
export type SqlBlock = readonly SqlText[];

/** The statements that make all tables of a service. */
export function printTables({ tables }: StorageModel, dialect: SqlDialect): readonly SqlBlock[] {
  const isOwn = ({ holds }: StoredTable): boolean => holds === "answers";
  // PostgreSQL knows no table that is made later: what refers to others is added when all are there.
  const keys = dialect === "sqlite" ? [] : tables.flatMap(addedKeys);
  return [
    ...tables.filter((table) => !isOwn(table)).map((table) => tableBlock(table, dialect)),
    ...(keys.length === 0 ? [] : [keys]),
    ...tables.filter(isOwn).map((table) => tableBlock(table, dialect)),
  ];
}

function tableBlock(table: StoredTable, dialect: SqlDialect): SqlBlock {
  const { primaryKey, columns, indexes } = table;
  const definitions = columns.map((column) => definition(table, column, dialect));
  const key = primaryKey.map((name) => columnName(table, name)).join(", ");
  const lines = primaryKey.length === 1 ? definitions : [...definitions, `PRIMARY KEY (${key})`];
  return [
    fixedSql(`CREATE TABLE ${nameOf(table, table.name)} (`),
    ...lines.map((line, index) => fixedSql(`  ${line}${index + 1 < lines.length ? "," : ""}`)),
    fixedSql(");"),
    ...indexes
      .filter(({ databases }) => databases.includes(dialect))
      .flatMap((index) => indexLines(table, index, dialect)),
  ];
}

function definition(table: StoredTable, column: StoredValue, dialect: SqlDialect): string {
  const { name, type, nullable } = column;
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
  return table.foreignKeys.map((key) => {
    const added = `FOREIGN KEY (${sqlName(key.column)}) ${referencesClause(key)}`;
    return fixedSql(
      `ALTER TABLE ${nameOf(table, table.name)} ADD CONSTRAINT ${sqlName(key.name)} ${added};`,
    );
  });
}

function indexLines(table: StoredTable, index: StoredIndex, dialect: SqlDialect): SqlText[] {
  const { name, unique, searches, terms, descending = [] } = index;
  const create = unique ? "CREATE UNIQUE INDEX" : "CREATE INDEX";
  const expressions = terms.map((term) => termExpression(table, term, dialect));
  const ordered = (expression: string, place: number): string =>
    indexed(expression) +
    (descending.includes(place) ? descendingIn(dialect, terms[place] ?? "") : "");
  const searched =
    searches === "order"
      ? `(${expressions.map(ordered).join(", ")})`
      : `USING gin ((CAST(${expressions.join(", ")} AS jsonb)))`;
  const head = `${create} ${nameOf(table, name)}`;
  const tail = `ON ${nameOf(table, table.name)} ${searched};`;
  const isBroken = table.holds === "answers" && `${head} ${tail}`.length > WIDTH;
  return isBroken ? [fixedSql(head), fixedSql(`  ${tail}`)] : [fixedSql(`${head} ${tail}`)];
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
