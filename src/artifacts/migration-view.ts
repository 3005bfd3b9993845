import { sha256 } from "../files/hash.js";
import { sqlName, type SqlText } from "../naming/encoders.js";
import type { ResourceName } from "../naming/resource-name.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ReferenceTarget } from "../kinds/reference/reference-type.js";
import type { EntityModel } from "../model/entity-model.js";
import { leavesOf } from "../model/leaves.js";
import type { ServiceModel } from "../model/service-model.js";
import { queriedLeaves, referencesOf } from "./nested.js";
import { offers } from "./offers.js";
import { isJoined, leafExpression, linkedReferences, linkName } from "./reference-sql.js";
import { columnTypeIn, type SqlDialect } from "./sql-dialect.js";

/** What `service/migration.sql.hbs` sees. */
export interface MigrationView {
  /** The type of every text that the service writes by itself. */
  readonly textType: SqlText;
  readonly revisionType: SqlText;
  readonly tables: readonly TableView[];
  /** What refers to tables that may come later. */
  readonly constraints: readonly { readonly statement: SqlText }[];
  /** OPS-12: something is created; no table of a resource has two underscores before its properties begin. */
  readonly keepsAnswers: boolean;
}

interface TableView {
  readonly table: SqlText;
  readonly identifier: SqlText;
  readonly columns: readonly { readonly definition: SqlText }[];
  readonly indexes: readonly { readonly statement: SqlText }[];
  /** Beside it, for each list of references. */
  readonly links: readonly LinkTableView[];
}

interface LinkTableView {
  readonly table: SqlText;
  readonly owner: SqlText;
  readonly other: SqlText;
  readonly index: SqlText;
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

function migrationView({ entities, versions }: ServiceModel, dialect: SqlDialect): MigrationView {
  const resources = versions.flatMap((version) => version.resources);
  return {
    textType: fixedSql(columnTypeIn(dialect, "text")),
    revisionType: fixedSql(columnTypeIn(dialect, "integer")),
    tables: entities.map((entity) => tableView(entity, dialect)),
    constraints: dialect === "sqlite" ? [] : entities.flatMap(constraints),
    keepsAnswers: resources.some((resource) => offers(resource).creates),
  };
}

function tableView(entity: EntityModel, dialect: SqlDialect): TableView {
  const { name, properties } = entity;
  return {
    table: sqlName(name.table),
    identifier: sqlName(name.idProperty),
    columns: properties.map((property) => ({ definition: columnDefinition(property, dialect) })),
    links: linkedReferences(entity).map((reference) => linkView(entity, reference, dialect)),
    indexes: [
      ...indexedLeaves(entity).flatMap((leaf) => leafIndexes(entity, leaf, dialect)),
      ...commonIndexes(entity).map((column) => ({
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
function commonIndexes({ isFilteredByCreator }: EntityModel): string[] {
  const dates = ["created_date", "last_modified_date"];
  return isFilteredByCreator ? [...dates, "created_subject_id"] : dates;
}

function columnDefinition(property: PropertyModel, dialect: SqlDialect): SqlText {
  const { name, type, nullable } = property;
  const columnType = columnTypeIn(dialect, kindOf(type).columnType(type));
  const target = type.kind === "reference" ? type.target : null;
  const reference = target === null ? "" : inlineReference(target.name, dialect);
  return fixedSql(`${sqlName(name)} ${columnType}${nullable ? "" : " NOT NULL"}${reference}`);
}

function referencesClause({ table, idProperty }: ResourceName): string {
  return `REFERENCES ${sqlName(table)} (${sqlName(idProperty)})`;
}

/** SQLite takes no other; PostgreSQL knows no table that is created later, and gets them at the end. */
function inlineReference(target: ResourceName, dialect: SqlDialect): string {
  return dialect === "sqlite" ? ` ${referencesClause(target)}` : "";
}

/** The foreign keys of a table and of its link tables. */
function constraints(entity: EntityModel): { readonly statement: SqlText }[] {
  const { name } = entity;
  return referencesOf(entity).flatMap(({ property, type: { target }, isList }) => {
    if (target === null) return [];
    if (!isList) return [constraint(name.table, property.name, target.name)];
    const link = linkName(name.table, property.name);
    return [
      constraint(link, "owner_id", name, " ON DELETE CASCADE"),
      constraint(link, "other_id", target.name),
    ];
  });
}

function constraint(
  table: string,
  column: string,
  target: ResourceName,
  action = "",
): { readonly statement: SqlText } {
  const name = sqlName(shortened(`${table}_${column}_reference`));
  const key = `FOREIGN KEY (${sqlName(column)}) ${referencesClause(target)}${action}`;
  return { statement: fixedSql(`ALTER TABLE ${sqlName(table)} ADD CONSTRAINT ${name} ${key};`) };
}

function linkView(
  { name }: EntityModel,
  { property, target }: { readonly property: PropertyModel; readonly target: ReferenceTarget },
  dialect: SqlDialect,
): LinkTableView {
  const table = linkName(name.table, property.name);
  const text = `${columnTypeIn(dialect, "text")} NOT NULL`;
  const own = inlineReference(name, dialect);
  const cascading = own === "" ? "" : `${own} ON DELETE CASCADE`;
  return {
    table: sqlName(table),
    owner: fixedSql(`owner_id ${text}${cascading}`),
    other: fixedSql(`other_id ${text}${inlineReference(target.name, dialect)}`),
    index: indexStatement(table, { index: shortened(`${table}_index`), columns: "other_id" }),
  };
}

/** The leaves that are unique, those that statements filter or sort by, and whom they refer to. */
function indexedLeaves(entity: EntityModel): PropertyModel[] {
  const queried = queriedLeaves(entity);
  const references = referencesOf(entity).filter(({ type }) => type.target !== null);
  const identifiers = references.map(({ type }) => type.identifier.path);
  return leavesOf(entity.properties).filter(
    ({ unique, path }) =>
      unique || identifiers.includes(path) || queried.some((leaf) => leaf.path === path),
  );
}

/**
 * A unique property gets a unique index; a filterable or sortable one an index that ends on the identifier,
 * as every sort does (QRY-4).
 */
function leafIndexes(
  entity: EntityModel,
  leaf: PropertyModel,
  dialect: SqlDialect,
): { readonly statement: SqlText }[] {
  const { unique, type, path } = leaf;
  // What is embedded of another has its index there.
  if (isJoined(entity, leaf)) return [];
  const expression = leafExpression(leaf, entity, { dialect });
  const isName = /^"[^"]*"$/.test(expression);
  const indexed = isName ? expression : `(${expression})`;
  const { table, idProperty } = entity.name;
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
