import { COMMON_FIELDS, type CommonFields } from "../base/common-fields.js";
import { objectOfNulls } from "../base/texts.js";
import type { ParameterFilter } from "../query/filters.js";
import type { DialectName, SqlRow, SqlValue } from "./database.js";
import type { JsonReaders, JsonTable } from "./json-columns.js";
import type { LinkedReference, LinkedRows } from "./linked-rows.js";
import type { SearchedTexts, SearchTable } from "./search-sql.js";

/** How a property that can be filtered or sorted by stands in the table. */
export interface Column {
  /** SQL: a quoted column, or a path into the JSON of one, which each database has its own way to write. */
  readonly expression: string | Readonly<Record<DialectName, string>>;
  /** True for a column that is never null: a sort by it can then be read from its index in either direction. */
  readonly required?: boolean;
  /** True for an array: a filter asks whether it contains the value. */
  readonly contains?: boolean;
  /** The condition by which a list finds many of them at once: binds the filter's value; left out: the expression is it. */
  readonly listed?: Readonly<Record<DialectName, string>>;
  /** The list in whose items it stands, and the table of those (QRY-10); the expression is a column of that. */
  readonly items?: { readonly list: string; readonly table: string };
  /** True for what is embedded of another entity: it stands in a table that is joined (REP-4). */
  readonly joined?: boolean;
  /** Turns a filter's value into what the column holds; left out, the value is bound as it is. */
  readonly bind?: (value: string | number | boolean) => SqlValue;
  /** How a value is read that the service's own code looks for; left out: it looks for none. */
  readonly filter?: ParameterFilter;
}

/** How the service's own code looks for the common fields that a resource opens (QRY-1). */
type CommonFilters = Readonly<Record<string, ParameterFilter>>;

/** The part of a table that a list needs. */
export interface ListedTable {
  readonly name: string;
  readonly idProperty: string;
  /** What follows the table's name to reach the entities of which something is embedded (REP-4). */
  readonly joins?: string;
  readonly columns: Readonly<Record<string, Column>>;
  readonly commonFilters?: CommonFilters;
  readonly parent?: ParentTable;
  readonly searches?: readonly SearchTable[];
}

/** The table of what an entity belongs to, where a filter asks something of that (AUT-2). */
interface ParentTable {
  /** SQL: the column that leads there, with its table. */
  readonly reference: string;
  readonly table: ListedTable;
}

/** The table beside an entity's own in which each reference in a list or an object has a row, so that each points to something that exists. */
export interface LinkTable<Properties> {
  /** Its name. */
  readonly table: string;
  readonly idsOf: (properties: Properties) => readonly string[];
}

/** What keeps an entity from being deleted (CHD-4). */
interface Blocker {
  /** `tickets refer to it` */
  readonly reason: string;
  /** Binds the identifier of the entity; finds a row if the deletion is blocked. */
  readonly find: string;
}

/** How children are deleted with their parent that not everybody may delete who may delete that (AUT-2). */
export interface GuardedCascade {
  /** The plural of their resource. */
  readonly children: string;
  /** How their rules call what is deleted, before `owner` and `custom`; left out: `parent:`, since that is their parent. */
  readonly above?: `parent:${string}`;
  /** Finds one; binds the identifier of the parent. */
  readonly find: string;
  /** Finds one of somebody else's; binds the identifier of the parent and the caller's subject. */
  readonly findOthers: string;
  /** Binds the identifier of the parent. */
  readonly delete: string;
  /** Binds the identifier of the parent and the caller's subject. */
  readonly deleteOwn: string;
}

/** One stored entity: its SQL, and the way between rows and values. */
export interface EntityTable<Entity extends CommonFields, Properties> {
  readonly name: string;
  readonly entityType: string;
  readonly idProperty: string;
  /** The columns that hold what `encode` makes, in its order. */
  readonly written: readonly string[];
  /** Those of them that are read as text: a driver would round an integer of 64 bits. */
  readonly asText?: readonly string[];
  readonly joins?: string;
  /** SQL: the columns that are read of the entities that are joined. */
  readonly joined?: readonly string[];
  readonly blockers?: readonly Blocker[];
  /** What lets go of an entity that is deleted (`onDelete: setNull`): binds `lastModifiedValues`, the identifier. */
  readonly setNull?: readonly string[];
  /** What deletes the children of an entity, after those that go together have let go of each other: binds its identifier (CHD-4). */
  readonly cascades?: readonly (string | GuardedCascade)[];
  /** What announces the changes of others that a deletion makes (EVT-1): binds its time, and the identifier. */
  readonly announcements?: readonly string[];
  readonly links?: readonly LinkTable<Properties>[];
  /** What is searched in texts (QRY-7). */
  readonly searches?: readonly SearchedTexts<Properties>[];
  /** What is shown of others beside what the joins read. */
  readonly linked?: readonly LinkedReference[];
  /** Every path that can be filtered or sorted by. */
  readonly columns: Readonly<Record<string, Column>>;
  /** What else has an expression or a form of its own, for `context.sql`; without an expression: a column of that name. */
  readonly leaves?: Readonly<Record<string, Partial<Column>>>;
  readonly commonFilters?: CommonFilters;
  /** What it belongs to, where access asks the service's own code about that (AUT-2). */
  readonly parent?: ParentTable;
  readonly encode: (properties: Properties) => readonly SqlValue[];
  /** What the columns of objects hold; left out: there are none. */
  readonly json?: JsonTable;
  readonly decode: (row: SqlRow, linked: LinkedRows, json: JsonReaders) => Entity;
  readonly identify: (entity: Entity) => string;
  readonly assemble: (id: string, properties: Properties, common: CommonFields) => Entity;
}

/** What a file of an entity says of its table: the rest follows. */
type TableDescription<Entity extends CommonFields, Properties> = Omit<
  EntityTable<Entity, Properties>,
  "written" | "columns" | "encode" | "identify" | "assemble"
> & {
  /** Without an expression: a column of that name. */
  readonly columns: Readonly<Record<string, Omit<Column, "expression"> & Partial<Column>>>;
  /** By column, in the order of the table: what it holds of an entity. */
  readonly written: { readonly [Name in keyof Properties]-?: (all: Properties) => SqlValue };
  /** Embeds the current values of an entity where it refers to itself; left out: it shows nothing of itself. */
  readonly mirrored?: (entity: Entity) => Entity;
};

/** The table of an entity. */
export function tableOf<Entity extends CommonFields & Properties, Properties extends object>(
  description: TableDescription<Entity, Properties>,
): EntityTable<Entity, Properties> {
  const { idProperty, mirrored, name: table, written } = description;
  const columns = Object.keys(written) as (keyof Properties & string)[];
  const values = columns.map((column) => written[column]);
  const names = [idProperty, ...columns, ...COMMON_FIELDS];
  // A copy of an object that has every property: one that grows by computed names costs each write 0.5 us more.
  const blank = objectOfNulls(names);
  return {
    ...description,
    written: columns,
    // With its table: ORDER BY takes a bare name for what is selected under it, the text of a decimal.
    columns: Object.fromEntries(
      Object.entries(description.columns).map(([path, column]) => [
        path,
        { expression: `"${table}"."${path}"`, ...column },
      ]),
    ),
    encode: (properties) => values.map((value) => value(properties)),
    identify: (entity) => (entity as Readonly<Record<string, string>>)[idProperty] ?? "",
    assemble: (id, properties, common) => {
      const entity: Record<string, unknown> = { ...blank };
      entity[idProperty] = id;
      for (const name of columns) entity[name] = properties[name];
      for (const name of COMMON_FIELDS) entity[name] = common[name];
      // An entity is its identifier, its properties and the common fields.
      const whole = entity as Entity;
      return mirrored === undefined ? whole : mirrored(whole);
    },
  };
}

/** Which children of one parent may be deleted with it: all, those of the one who deletes it, or none. */
export type ChildRight = "all" | "own" | "none";

/** Which children of an entity its deletion may take along, by the plural of their resource. */
export type ChildRights = ReadonlyMap<string, ChildRight>;

/** To all of them. */
export const ALL_RIGHTS: ChildRights = new Map();

/** The columns of every table that say who created an entity, and who changed it last (ENT-1, ENT-2). */
export const CREATED = ["created_date", "created_subject_id", "created_user_principal_name"];
export const LAST_MODIFIED = CREATED.map((column) => column.replace("created", "last_modified"));

/** The column of every table that says how often a row was written. */
export const REVISION = "row_revision";

/** SQL: reads every column of a table, and what is embedded of others, without a condition. */
export function selectSql<Entity extends CommonFields, Properties>(
  table: EntityTable<Entity, Properties>,
): string {
  const { name, idProperty, written, asText = [], joins = "", joined = [] } = table;
  const own = [idProperty, ...written, ...CREATED, ...LAST_MODIFIED, REVISION].map((column) => {
    const read = `"${name}"."${column}"`;
    return asText.includes(column) ? `CAST(${read} AS TEXT) AS "${column}"` : read;
  });
  return `SELECT ${[...own, ...joined].join(", ")} FROM "${name}"${joins}`;
}
