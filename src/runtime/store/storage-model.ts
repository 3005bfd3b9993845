import { createHash } from "node:crypto";

import { StartRefusal } from "../base/errors.js";
import type { Database } from "./database.js";
import type { Migration, RecordedMigration, StorageRecord } from "./migrations/migration.js";

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
    if (Array.isArray(value)) return value.every(isNamed) ? value.toSorted(compareNames) : value;
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

function compareNames(a: Named, b: Named): number {
  return a.name < b.name ? -1 : 1;
}

type NamedDatabase = Pick<Database, "name">;

/** More of them would hide the suggested fix. */
const MOST_CHANGES = 8;

/**
 * Refuses a database whose values would be misread. Returns true if the recorded model differs without harm; the caller must
 * then record the new one. Only the first migration of an older service has such a model. Throws `StartRefusal`.
 */
export function checkStorage(
  database: NamedDatabase,
  { storage }: Migration,
  recorded: RecordedMigration,
): boolean {
  if (storage === null) return false;
  if (recorded.storage === null) {
    throw new StartRefusal(
      "The database was made by a release of the generator that did not record how values are stored. " +
        `They might be read differently from how they were written. ${suggestedFix(database)}`,
    );
  }
  if (recorded.storage.fingerprint === storage.fingerprint) return false;
  const [before, after] = [modelOf(recorded.storage), modelOf(storage)];
  if (before === null || after === null) return false;
  const changes = harmfulChanges(storageDifferences(before, after));
  if (changes.length > 0) {
    throw new StartRefusal(
      `The database was made for other schemas: ${listed(changes)}. ${suggestedFix(database)}`,
    );
  }
  return true;
}

function listed(changes: readonly string[]): string {
  const rest = changes.length - MOST_CHANGES;
  const shown = changes.slice(0, MOST_CHANGES).join("; ");
  return rest > 0 ? `${shown}; and ${rest} more` : shown;
}

function suggestedFix(database: NamedDatabase): string {
  return `${resetAdvice(database)}; otherwise start the release that it was made for.`;
}

export function resetAdvice({ name }: NamedDatabase): string {
  return `In development "npm run db:reset -- ${name}" deletes it and everything in it`;
}

/** Null means that only the names of tables are recorded. */
function modelOf({ model }: StorageRecord): StorageModel | null {
  // Recorded by a service when it applied the migration, or just read from the folder of the migration.
  const read = JSON.parse(model) as Partial<StorageModel>;
  return read.format === undefined ? null : (read as StorageModel);
}

interface StorageDifference {
  /** `orders.price` */
  readonly place: string;
  /** `scale 2 -> 3` */
  readonly change: string;
  /** True if the later release correctly reads the values of the earlier one. */
  readonly isHarmless: boolean;
}

/** Compares two storage models, table by table. Ignores the order of tables, columns and members, on which no read depends. */
export function storageDifferences(
  before: StorageModel,
  after: StorageModel,
): readonly StorageDifference[] {
  if (before.format !== after.format) {
    return [difference("storage", `format ${before.format} -> ${after.format}`)];
  }
  return byName("", before.tables, after.tables, tableDifferences);
}

/** Returns the differences that are not harmless, in the form `orders.price: scale 2 -> 3`. */
export function harmfulChanges(differences: readonly StorageDifference[]): readonly string[] {
  return differences
    .filter(({ isHarmless }) => !isHarmless)
    .map(({ place, change }) => `${place}: ${change}`);
}

function tableDifferences(
  table: string,
  before: StoredTable,
  after: StoredTable,
): StorageDifference[] {
  return [
    ...byName(`${table}.`, before.columns, after.columns, valueDifferences),
    ...changed(`primary key of ${table}`, before.primaryKey, after.primaryKey),
    ...byName("foreign key ", before.foreignKeys, after.foreignKeys, changed),
    ...byName("index ", before.indexes, after.indexes, changed),
  ];
}

function valueDifferences(
  place: string,
  before: StoredValue,
  after: StoredValue,
): StorageDifference[] {
  const nullability = ({ nullable }: StoredValue): string =>
    nullable ? "may be null" : "is never null";
  return [
    ...(before.nullable === after.nullable
      ? []
      : [difference(place, `${nullability(before)} -> ${nullability(after)}`)]),
    ...heldDifferences(place, before, after),
  ];
}

type HeldForm = Pick<StoredValue, "type" | "encoding">;

function heldDifferences(place: string, before: HeldForm, after: HeldForm): StorageDifference[] {
  const [old, now] = [before.encoding, after.encoding];
  if (old.form !== now.form) return [difference(place, `${old.form} -> ${now.form}`)];
  return [
    ...(before.type === after.type ? [] : [difference(place, `${before.type} -> ${after.type}`)]),
    ...detailDifferences(place, old, now),
    ...allowedDifferences(place, old.values ?? [], now.values ?? []),
    ...byName(`${place}.`, old.members ?? [], now.members ?? [], valueDifferences),
    ...(old.items && now.items ? heldDifferences(`${place}[]`, old.items, now.items) : []),
  ];
}

function detailDifferences(place: string, before: Encoding, after: Encoding): StorageDifference[] {
  const [old, now] = [detailsOf(before), detailsOf(after)];
  return Object.keys({ ...old, ...now })
    .filter((name) => old[name] !== now[name])
    .map((name) => difference(place, `${name} ${textOf(old[name])} -> ${textOf(now[name])}`));
}

function detailsOf(encoding: Encoding): Readonly<Record<string, unknown>> {
  const { form: _form, values: _values, members: _members, items: _items, ...details } = encoding;
  return details;
}

function textOf(detail: unknown): string {
  return detail === undefined ? "unknown" : String(detail);
}

function allowedDifferences(
  place: string,
  before: readonly string[],
  after: readonly string[],
): StorageDifference[] {
  const gone = before.filter((value) => !after.includes(value));
  const added = after.filter((value) => !before.includes(value));
  return [
    ...gone.map((value) => difference(place, `value ${value} is gone`)),
    ...added.map((value) => ({ ...difference(place, `value ${value} is new`), isHarmless: true })),
  ];
}

function changed(place: string, before: unknown, after: unknown): StorageDifference[] {
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [difference(place, "has changed")];
}

function byName<Item extends Named>(
  prefix: string,
  before: readonly Item[],
  after: readonly Item[],
  compare: (place: string, before: Item, after: Item) => readonly StorageDifference[],
): StorageDifference[] {
  const old = new Map(before.map((item) => [item.name, item]));
  const now = new Set(after.map(({ name }) => name));
  const kept = after.flatMap((item) => {
    const was = old.get(item.name);
    const place = prefix + item.name;
    return was === undefined ? [difference(place, "is new")] : compare(place, was, item);
  });
  const gone = before.filter(({ name }) => !now.has(name));
  return [...kept, ...gone.map(({ name }) => difference(prefix + name, "is gone"))];
}

function difference(place: string, change: string): StorageDifference {
  return { place, change, isHarmless: false };
}
