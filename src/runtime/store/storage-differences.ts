import type { Encoding, StorageModel, StoredTable, StoredValue } from "./storage-model.js";

/** One thing that differs between two storage models. */
export interface StorageDifference {
  /** `orders.price` */
  readonly place: string;
  /** `scale 2 -> 3` */
  readonly change: string;
  /** What the earlier release stored reads the same in the later one. */
  readonly isHarmless: boolean;
}

/**
 * What differs from `before` to `after`, table by table. The order of tables, columns and members is not told: nothing
 * is read by it.
 */
export function storageDifferences(
  before: StorageModel,
  after: StorageModel,
): readonly StorageDifference[] {
  if (before.format !== after.format) {
    return [difference("storage", `format ${before.format} -> ${after.format}`)];
  }
  return byName("", before.tables, after.tables, tableDifferences);
}

/** Those that keep what is stored from being read, as sentences: `orders.price: scale 2 -> 3`. */
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

type Held = Pick<StoredValue, "type" | "encoding">;

function heldDifferences(place: string, before: Held, after: Held): StorageDifference[] {
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

/** What only one kind knows of: `scale 2 -> 3`. */
function detailDifferences(place: string, before: Encoding, after: Encoding): StorageDifference[] {
  const [old, now] = [detailsOf(before), detailsOf(after)];
  return Object.keys({ ...old, ...now })
    .filter((name) => old[name] !== now[name])
    .map((name) => difference(place, `${name} ${told(old[name])} -> ${told(now[name])}`));
}

function detailsOf(encoding: Encoding): Readonly<Record<string, unknown>> {
  const { form: _form, values: _values, members: _members, items: _items, ...details } = encoding;
  return details;
}

function told(detail: unknown): string {
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

interface Named {
  readonly name: string;
}

/** Compares what has the same name, and tells what only one side has. */
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
