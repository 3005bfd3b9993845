import { sha256 } from "../files/hash.js";
import { sqlName, type SqlText } from "../naming/encoders.js";
import type { ResourceName } from "../naming/resource-name.js";
import { kindOf } from "../kinds/kinds.js";
import type {
  PropertyModel,
  ReferenceTarget,
  ResourceModel,
  ServiceModel,
} from "../model/service-model.js";
import { leavesOf, queriedLeaves, referencesOf } from "./nested.js";
import { isJoined, linkedReferences, linkName } from "./reference-sql.js";
import { sqlExpression } from "./store-view.js";

/** What `service/migration.sql.hbs` sees. */
export interface MigrationView {
  readonly tables: readonly TableView[];
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

/** The tables of a service that has none yet. */
export function initialMigrationView({ versions }: ServiceModel): MigrationView {
  return { tables: versions.flatMap(({ resources }) => resources.map(tableView)) };
}

function tableView(resource: ResourceModel): TableView {
  const { name, properties } = resource;
  return {
    table: sqlName(name.table),
    identifier: sqlName(name.idProperty),
    columns: properties.map((property) => ({ definition: columnDefinition(property) })),
    links: linkedReferences(resource).map((reference) => linkView(resource, reference)),
    indexes: [
      ...indexedLeaves(resource).flatMap((leaf) => leafIndexes(resource, leaf)),
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

function columnDefinition({ name, type, nullable }: PropertyModel): SqlText {
  const column = `${sqlName(name)} ${kindOf(type).columnType(type)}${nullable ? "" : " NOT NULL"}`;
  const target = type.kind === "reference" ? type.target : null;
  // Quoted names and fixed words.
  return `${column}${target === null ? "" : ` ${referencesClause(target.name)}`}` as SqlText;
}

function referencesClause({ table, idProperty }: ResourceName): string {
  return `REFERENCES ${sqlName(table)} (${sqlName(idProperty)})`;
}

function linkView(
  { name }: ResourceModel,
  { property, target }: { readonly property: PropertyModel; readonly target: ReferenceTarget },
): LinkTableView {
  const table = linkName(name.table, property.name);
  return {
    table: sqlName(table),
    owner: referencesClause(name) as SqlText,
    other: referencesClause(target.name) as SqlText,
    index: indexStatement(table, { index: shortened(`${table}_index`), columns: "other_id" }),
  };
}

/** The leaves that are unique, those that statements filter or sort by, and whom they refer to. */
function indexedLeaves(resource: ResourceModel): PropertyModel[] {
  const queried = queriedLeaves(resource);
  const references = referencesOf(resource).filter(({ type }) => type.target !== null);
  const identifiers = references.map(({ type }) => type.identifier.path);
  return leavesOf(resource.properties).filter(
    ({ unique, path }) =>
      unique || identifiers.includes(path) || queried.some((leaf) => leaf.path === path),
  );
}

/**
 * A unique property gets a unique index; a filterable or sortable one an index that ends on the identifier,
 * as every sort does (QRY-4). An array is searched through its JSON, which no index of SQLite serves.
 */
function leafIndexes(
  resource: ResourceModel,
  leaf: PropertyModel,
): { readonly statement: SqlText }[] {
  const { unique, type, path } = leaf;
  // What is embedded of another has its index there.
  if (isJoined(resource, leaf)) return [];
  const expression = sqlExpression(leaf, resource);
  const isName = /^"[^"]*"$/.test(expression);
  const indexed = isName ? expression : `(${expression})`;
  const { table, idProperty } = resource.name;
  const index = shortened(`${table}_${path.replaceAll(".", "_")}_index`);
  if (unique) return [{ statement: indexStatement(table, { index, columns: indexed, unique }) }];
  if (type.kind === "array") return [];
  const columns = `${indexed}, ${sqlName(idProperty)}`;
  return [{ statement: indexStatement(table, { index, columns }) }];
}

interface Index {
  readonly index: string;
  readonly columns: string;
  readonly unique?: boolean;
}

function indexStatement(table: string, { index, columns, unique = false }: Index): SqlText {
  const create = unique ? "CREATE UNIQUE INDEX" : "CREATE INDEX";
  // Quoted names, expressions of quoted names, and fixed words.
  return `${create} ${sqlName(index)} ON ${sqlName(table)} (${columns});` as SqlText;
}

/** PostgreSQL cuts a name at 63 bytes: a longer one ends in a hash, so that no two are the same. */
function shortened(name: string): string {
  if (name.length <= 63) return name;
  return `${name.slice(0, 52)}_${sha256(name).slice(0, 10)}`;
}
