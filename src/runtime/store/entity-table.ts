import { COMMON_FIELDS, type CommonFields } from "../base/common-fields.js";
import { objectOfNulls } from "../base/texts.js";
import type { ParameterFilter } from "../query/filters.js";
import { TENANT } from "../query/tenant.js";
import type { DialectName, SqlRow, SqlValue } from "./database.js";
import type { JsonReaders, JsonTable } from "./json-columns.js";
import type { LinkedReference, LinkedRows } from "./rows.js";
import type { SearchedTexts, SearchTable } from "./search-sql.js";

/** The SQL of a property that can be filtered or sorted by. */
export interface Column {
  /** SQL: a quoted column, or a path into a JSON column, which each database writes differently. */
  readonly expression: string | Readonly<Record<DialectName, string>>;
  /** True for a column that is never null: its index supports a sort in either direction. */
  readonly required?: boolean;
  /** True for an array: a filter asks whether it contains the value. */
  readonly contains?: boolean;
  /** The condition in lists, which finds many entities at once; binds the filter's value. Defaults to a test of `expression`. */
  readonly listed?: Readonly<Record<DialectName, string>>;
  /** For a property of list items: the list, and the table of its items, which has the column (QRY-10). */
  readonly items?: { readonly list: string; readonly table: string };
  /** True for a value embedded from another entity, whose table has to be joined (REP-4). */
  readonly joined?: boolean;
  /** Turns a filter's value into its stored form. Defaults to `plainValue`. */
  readonly bind?: (value: string | number | boolean) => SqlValue;
  /** Reads a value to filter by. If absent, the table offers no filter for the property. */
  readonly filter?: ParameterFilter;
}

type CommonFilters = Readonly<Record<string, ParameterFilter>>;

export interface ListedTable {
  readonly name: string;
  readonly idProperty: string;
  readonly hasTenant?: boolean;
  /** SQL after the table's name that joins the tables of embedded values (REP-4). */
  readonly joins?: string;
  readonly columns: Readonly<Record<string, Column>>;
  readonly commonFilters?: CommonFilters;
  readonly parent?: ParentTable;
  readonly searches?: readonly SearchTable[];
}

/** The table of an entity's parent, for filters with conditions on the parent (AUT-2). */
interface ParentTable {
  /** SQL: the column that refers to the parent, with its table. */
  readonly reference: string;
  readonly table: ListedTable;
}

/** A table with a row for each reference in a list or an object, so that the database checks that its target exists. */
export interface LinkTable<Properties> {
  readonly table: string;
  readonly idsOf: (properties: Properties) => readonly string[];
}

interface Blocker {
  /** `tickets refer to it` */
  readonly reason: string;
  /** Finds a row if the deletion is blocked. Binds the identifier of the entity. */
  readonly find: string;
}

/**
 * The deletion of children with their parent, if a caller who may delete the parent may lack the right to delete them (AUT-2).
 */
export interface GuardedCascade {
  /** The plural of their resource. */
  readonly children: string;
  /** The prefix by which their access rules refer to the deleted entity, before `owner` and `custom`. Defaults to `parent:`. */
  readonly above?: `parent:${string}`;
  /** Finds a child. Binds the identifier of the parent. */
  readonly find: string;
  /** Finds a child that another subject created. Binds the identifier of the parent and the caller's subject. */
  readonly findOthers: string;
  /** Binds the identifier of the parent. */
  readonly delete: string;
  /** Binds the identifier of the parent and the caller's subject. */
  readonly deleteOwn: string;
}

export interface EntityTable<Entity extends CommonFields, Properties> {
  readonly name: string;
  readonly entityType: string;
  readonly idProperty: string;
  /** AUT-4: each row belongs to a tenant. Defaults to false. */
  readonly hasTenant?: boolean;
  /** The columns of the values of `encode`, in its order. */
  readonly written: readonly string[];
  /** Columns of `written` that are read as text, since a driver would round an integer of 64 bits. */
  readonly asText?: readonly string[];
  readonly joins?: string;
  /** SQL: the selected columns of joined tables. */
  readonly joined?: readonly string[];
  readonly blockers?: readonly Blocker[];
  /**
   * Statements that clear references to a deleted entity (`onDelete: setNull`). They bind `lastModifiedValues` and the
   * identifier.
   */
  readonly setNull?: readonly string[];
  /**
   * Statements that delete the children (CHD-4), preceded by statements that clear the references between them. They bind the
   * identifier of the deleted entity.
   */
  readonly cascades?: readonly (string | GuardedCascade)[];
  /**
   * Statements that insert the events of other entities that a deletion changes or deletes (EVT-1). They bind its time and the
   * identifier.
   */
  readonly announcements?: readonly string[];
  readonly links?: readonly LinkTable<Properties>[];
  readonly searches?: readonly SearchedTexts<Properties>[];
  /** References whose embedded values no join can read. */
  readonly linked?: readonly LinkedReference[];
  readonly columns: Readonly<Record<string, Column>>;
  /**
   * Further properties with an expression or a stored form of their own, for `context.sql`. `expression` defaults to the column
   * of that name.
   */
  readonly leaves?: Readonly<Record<string, Partial<Column>>>;
  readonly commonFilters?: CommonFilters;
  /** Present if access rules ask custom code about the parent (AUT-2). */
  readonly parent?: ParentTable;
  readonly encode: (properties: Properties) => readonly SqlValue[];
  readonly json?: JsonTable;
  readonly decode: (row: SqlRow, linked: LinkedRows, json: JsonReaders) => Entity;
  readonly identify: (entity: Entity) => string;
  readonly assemble: (id: string, properties: Properties, common: CommonFields) => Entity;
}

/** The part of a table that a generated file describes; `tableOf` derives the rest. */
type TableDescription<Entity extends CommonFields, Properties> = Omit<
  EntityTable<Entity, Properties>,
  "written" | "columns" | "encode" | "identify" | "assemble"
> & {
  /** `expression` defaults to the column of that name. */
  readonly columns: Readonly<Record<string, Omit<Column, "expression"> & Partial<Column>>>;
  /** Encoders by column, in the order of the table. */
  readonly written: { readonly [Name in keyof Properties]-?: (all: Properties) => SqlValue };
  /** Updates the embedded values of references from the entity to itself. If absent, it embeds none of its own values. */
  readonly mirrored?: (entity: Entity) => Entity;
};

/** Completes the description of a table with what follows from it: names of columns, encoding and assembly. */
export function tableOf<Entity extends CommonFields & Properties, Properties extends object>(
  description: TableDescription<Entity, Properties>,
): EntityTable<Entity, Properties> {
  const { idProperty, mirrored, name: table, written } = description;
  const columns = Object.keys(written) as (keyof Properties & string)[];
  const values = columns.map((column) => written[column]);
  const names = [idProperty, ...columns, ...COMMON_FIELDS];
  // Copying an object that has all properties is faster: adding computed names to an empty one costs each write 0.5 us more.
  const blank = objectOfNulls(names);
  return {
    ...description,
    written: columns,
    // Qualified, since ORDER BY takes a bare name for the selected alias, which is text for a decimal.
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
      // An entity consists of its identifier, its properties and the common fields.
      const whole = entity as Entity;
      return mirrored === undefined ? whole : mirrored(whole);
    },
  };
}

/** The children of one parent that may be deleted with it: all, those that the caller created, or none. */
export type ChildRight = "all" | "own" | "none";

/** Rights by the plural of the children's resource. If one is absent, all of its children may be deleted. */
export type ChildRights = ReadonlyMap<string, ChildRight>;

export const ALL_RIGHTS: ChildRights = new Map();

/** The columns of every table of entities for the creation and the last change (ENT-1, ENT-2). */
export const CREATED = ["created_date", "created_subject_id", "created_user_principal_name"];
export const LAST_MODIFIED = CREATED.map((column) => column.replace("created", "last_modified"));

/** The column of every table of entities that counts the writes of a row. */
export const REVISION = "row_revision";

/** Returns SQL that reads all columns of a table and the joined columns, without a condition. */
export function selectSql<Entity extends CommonFields, Properties>(
  table: EntityTable<Entity, Properties>,
): string {
  const { name, idProperty, hasTenant = false, written, asText = [] } = table;
  const { joins = "", joined = [] } = table;
  const tenant = hasTenant ? [TENANT] : [];
  const columns = [idProperty, ...written, ...CREATED, ...LAST_MODIFIED, REVISION, ...tenant];
  const own = columns.map((column) => {
    const read = `"${name}"."${column}"`;
    return asText.includes(column) ? `CAST(${read} AS TEXT) AS "${column}"` : read;
  });
  return `SELECT ${[...own, ...joined].join(", ")} FROM "${name}"${joins}`;
}
