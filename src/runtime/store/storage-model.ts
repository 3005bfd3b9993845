import { createHash } from "node:crypto";

/** The stored form of a service's entities: all facts that another release needs to read them. */
export interface StorageModel {
  /** The version of this format. */
  readonly format: 1;
  /** In the order of their creation. */
  readonly tables: readonly StoredTable[];
  /** Tables that still exist, but that nothing reads or writes any more. */
  readonly retired?: readonly StoredTable[];
}

/** A table, the same in both databases. */
export interface StoredTable {
  readonly name: string;
  /**
   * Entities of a resource, references in lists and objects, searched texts (QRY-7), items of a list (QRY-10), responses to
   * requests with an idempotency key (OPS-12), or events (EVT-1).
   */
  readonly holds: "entities" | "links" | "search" | "items" | "answers" | "events";
  readonly columns: readonly StoredValue[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly indexes: readonly StoredIndex[];
  /** Columns that nothing reads or writes any more; they may be null. */
  readonly retired?: readonly StoredValue[];
}

/** A column, or a member of an object in a JSON column. */
export interface StoredValue extends HeldValue {
  readonly name: string;
  readonly nullable: boolean;
}

export interface HeldValue {
  readonly type: ColumnType;
  readonly encoding: Encoding;
  /** Limits that a validator enforces; absent if nothing recorded them. They do not affect how values are read. */
  readonly bounds?: ColumnBounds;
}

/** `{ maxLength: 40, minLength: 1 }`; sorted by name. */
export type ColumnBounds = Readonly<Record<string, string | number | boolean>>;

/** The type of a column; each database has its own name for it. JSON is the text of an object or an array. */
export type ColumnType = "text" | "integer" | "real" | "boolean" | "json";

/** The encoding of a value. Its kind adds further details: `{ form: "decimal", scale: 2 }`. */
export interface Encoding {
  /** The kind that encoded it. */
  readonly form: string;
  /** All possible values, sorted. */
  readonly values?: readonly string[];
  /** The members of an object, sorted by name. */
  readonly members?: readonly StoredValue[];
  /** Members that older texts still contain, but that nothing reads any more. */
  readonly retired?: readonly StoredValue[];
  readonly items?: HeldValue;
  readonly [detail: string]: unknown;
}

export interface ForeignKey {
  readonly name: string;
  readonly column: string;
  readonly table: string;
  readonly key: string;
  readonly onDelete: "refuse" | "cascade";
}

export interface StoredIndex {
  readonly name: string;
  readonly unique: boolean;
  /** The order of its terms, or the content of a list. */
  readonly searches: "order" | "content";
  /** Columns, and leaves of JSON columns: `deliveryAddress.state`. */
  readonly terms: readonly string[];
  /** Positions of the descending terms, with nulls last. Defaults to none. */
  readonly descending?: readonly number[];
  readonly databases: readonly ("sqlite" | "postgres")[];
}

/** Returns the SHA-256 of a storage model, which does not depend on the order of tables and columns. */
export function storageFingerprint(model: StorageModel): string {
  return createHash("sha256").update(inOrder(model)).digest("hex");
}

/** Returns compact JSON. Sorts named items, since the order of columns and tables means nothing. */
function inOrder(model: StorageModel): string {
  return JSON.stringify(model, (_key, value: unknown) => {
    if (Array.isArray(value)) return value.every(isNamed) ? value.toSorted(byName) : value;
    return typeof value === "object" && value !== null ? sortedByKey(value) : value;
  });
}

function sortedByKey(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Named {
  readonly name: string;
}

function isNamed(value: unknown): value is Named {
  return typeof value === "object" && value !== null && "name" in value;
}

function byName(a: Named, b: Named): number {
  return a.name < b.name ? -1 : 1;
}
