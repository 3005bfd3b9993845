import { createHash } from "node:crypto";

/** How a service keeps its entities: everything one has to know to read what another release has written. */
export interface StorageModel {
  /** Of this description itself. */
  readonly format: 1;
  /** In the order in which they are made. */
  readonly tables: readonly StoredTable[];
  /** Those that stand in the database, and that nothing reads or writes any more. */
  readonly retired?: readonly StoredTable[];
}

/** One table, the same in both databases. */
export interface StoredTable {
  readonly name: string;
  /** Entities of one resource, the members of a list of references, texts as they are searched (QRY-7), items of a list (QRY-10), answers to requests with a key (OPS-12), or events (EVT-1). */
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

/** What a column, or an item of a list, holds. */
export interface HeldValue {
  readonly type: ColumnType;
  readonly encoding: Encoding;
  /** What a validator asks of it; missing where nobody put it on record. Values are read the same whatever stands here. */
  readonly bounds?: ColumnBounds;
}

/** `{ maxLength: 40, minLength: 1 }`; sorted by name. */
export type ColumnBounds = Readonly<Record<string, string | number | boolean>>;

/** What a column holds; each database has its own name for it. JSON is the text of an object or an array. */
export type ColumnType = "text" | "integer" | "real" | "boolean" | "json";

/** How a value is written down. A kind adds what else one has to know: `{ form: "decimal", scale: 2 }`. */
export interface Encoding {
  /** The kind that wrote it. */
  readonly form: string;
  /** All that it can be, sorted. */
  readonly values?: readonly string[];
  /** What an object holds, sorted by name. */
  readonly members?: readonly StoredValue[];
  /** Members that stand in texts that were written before, and that nothing reads any more. */
  readonly retired?: readonly StoredValue[];
  /** What a list holds. */
  readonly items?: HeldValue;
  readonly [detail: string]: unknown;
}

/** A column whose values stand in another table, too. */
export interface ForeignKey {
  readonly name: string;
  readonly column: string;
  readonly table: string;
  readonly key: string;
  readonly onDelete: "refuse" | "cascade";
}

/** An index, in those of the databases that have it. */
export interface StoredIndex {
  readonly name: string;
  readonly unique: boolean;
  /** Ordered by its terms, or by what a list contains. */
  readonly searches: "order" | "content";
  /** Columns, and leaves of JSON columns: `deliveryAddress.state`. */
  readonly terms: readonly string[];
  /** The places of the terms that descend, nulls last; left out: none does. */
  readonly descending?: readonly number[];
  readonly databases: readonly ("sqlite" | "postgres")[];
}

/** The SHA-256 of a storage model: the same for the same storage, in whatever order it is told. */
export function storageFingerprint(model: StorageModel): string {
  return createHash("sha256").update(inOrder(model)).digest("hex");
}

/** Compact JSON, with what has a name in the order of the names: the order of columns and tables means nothing. */
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
