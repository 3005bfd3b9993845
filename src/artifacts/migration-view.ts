import { sha256 } from "../files/hash.js";
import { sqlName, type SqlText } from "../naming/encoders.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel, ResourceModel, ServiceModel } from "../model/service-model.js";
import { leavesOf, queriedLeaves } from "./nested.js";
import { columnTypeIn, sqlExpression, type SqlDialect } from "./sql-dialect.js";

/** What `service/migration.sql.hbs` sees. */
export interface MigrationView {
  /** The type of every text that the service writes by itself. */
  readonly textType: SqlText;
  readonly revisionType: SqlText;
  readonly tables: readonly TableView[];
}

interface TableView {
  readonly table: SqlText;
  readonly identifier: SqlText;
  readonly columns: readonly { readonly definition: SqlText }[];
  readonly indexes: readonly { readonly statement: SqlText }[];
}

/** PostgreSQL refuses an entry of a B-tree of more than 2,704 bytes: 4 for each character, and the identifier. */
const INDEXED_CHARACTERS = 600;

/** The tables of a service that has none yet, for SQLite. */
export function sqliteMigrationView(service: ServiceModel): MigrationView {
  return migrationView(service, "sqlite");
}

/** Likewise, for PostgreSQL. */
export function postgresMigrationView(service: ServiceModel): MigrationView {
  return migrationView(service, "postgres");
}

function migrationView({ versions }: ServiceModel, dialect: SqlDialect): MigrationView {
  return {
    textType: fixedSql(columnTypeIn(dialect, "text")),
    revisionType: fixedSql(columnTypeIn(dialect, "integer")),
    tables: versions.flatMap(({ resources }) =>
      resources.map((resource) => tableView(resource, dialect)),
    ),
  };
}

function tableView(resource: ResourceModel, dialect: SqlDialect): TableView {
  const { name, properties } = resource;
  return {
    table: sqlName(name.table),
    identifier: sqlName(name.idProperty),
    columns: properties.map((property) => ({ definition: columnDefinition(property, dialect) })),
    indexes: [
      ...indexedLeaves(resource).flatMap((leaf) => leafIndexes(resource, leaf, dialect)),
      ...commonIndexes(resource).map((column) => ({
        statement: indexStatement(name.table, {
          // Without the ending that the index of a nested property `created.date` has.
          index: shortened(`${name.table}_${column}`),
          columns: `"${column}", ${sqlName(name.idProperty)}`,
        }),
      })),
    ],
  };
}

/** The dates are sortable (QRY-4); who created an entity is a filter where owners see their own only (AUT-2). */
function commonIndexes({ access }: ResourceModel): string[] {
  const dates = ["created_date", "last_modified_date"];
  return access.read.includes("owner") ? [...dates, "created_subject_id"] : dates;
}

function columnDefinition({ name, type, nullable }: PropertyModel, dialect: SqlDialect): SqlText {
  const columnType = columnTypeIn(dialect, kindOf(type).columnType(type));
  return fixedSql(`${sqlName(name)} ${columnType}${nullable ? "" : " NOT NULL"}`);
}

/** The leaves that are unique, and those that statements filter or sort by. */
function indexedLeaves(resource: ResourceModel): PropertyModel[] {
  const queried = queriedLeaves(resource);
  return leavesOf(resource.properties).filter((leaf) => leaf.unique || queried.includes(leaf));
}

/**
 * A unique property gets a unique index; a filterable or sortable one an index that ends on the identifier,
 * as every sort does (QRY-4).
 */
function leafIndexes(
  resource: ResourceModel,
  leaf: PropertyModel,
  dialect: SqlDialect,
): { readonly statement: SqlText }[] {
  const { unique, type, path } = leaf;
  const expression = sqlExpression(leaf, dialect);
  const indexed = path.includes(".") ? `(${expression})` : expression;
  const { table, idProperty } = resource.name;
  const index = shortened(`${table}_${path.replaceAll(".", "_")}_index`);
  if (unique) return [{ statement: indexStatement(table, { index, columns: indexed, unique }) }];
  if (type.kind === "array") return arrayIndexes(table, { index, columns: expression }, dialect);
  if (!fitsIndex(leaf, dialect)) return [];
  const columns = `${indexed}, ${sqlName(idProperty)}`;
  return [{ statement: indexStatement(table, { index, columns }) }];
}

/** An array is searched through its JSON: no index of SQLite serves that, an inverted one of PostgreSQL does. */
function arrayIndexes(
  table: string,
  { index, columns }: Index,
  dialect: SqlDialect,
): { readonly statement: SqlText }[] {
  if (dialect === "sqlite") return [];
  const searched = `USING gin ((CAST(${columns} AS jsonb)))`;
  return [
    { statement: fixedSql(`CREATE INDEX ${sqlName(index)} ON ${sqlName(table)} ${searched};`) },
  ];
}

/** Without an index a filter by a long text is slower; with one the text could not be stored. */
function fitsIndex({ type }: PropertyModel, dialect: SqlDialect): boolean {
  return dialect === "sqlite" || type.kind !== "string" || type.maxLength <= INDEXED_CHARACTERS;
}

interface Index {
  readonly index: string;
  readonly columns: string;
  readonly unique?: boolean;
}

function indexStatement(table: string, { index, columns, unique = false }: Index): SqlText {
  const create = unique ? "CREATE UNIQUE INDEX" : "CREATE INDEX";
  return fixedSql(`${create} ${sqlName(index)} ON ${sqlName(table)} (${columns});`);
}

/** PostgreSQL cuts a name at 63 bytes: a longer one ends in a hash, so that no two are the same. */
function shortened(name: string): string {
  if (name.length <= 63) return name;
  return `${name.slice(0, 52)}_${sha256(name).slice(0, 10)}`;
}

/** For texts that are put together here from quoted names, expressions of quoted names, and fixed words. */
function fixedSql(text: string): SqlText {
  return text as SqlText;
}
