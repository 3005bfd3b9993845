import { StartRefusal } from "../base/errors.js";
import type { Database, StorageLog } from "./database.js";
import type { Migration, RecordedMigration, StorageRecord } from "./migrations/migration.js";
import type { StorageModel, Encoding, StoredTable, StoredValue } from "./storage-model.js";

type NamedDatabase = Pick<Database, "name">;

/** More of them would hide the suggested fix. */
const MOST_CHANGES = 8;

/**
 * Refuses a database whose values would be misread. Returns true if it was created under another storage model with the same
 * meaning, which this one has to replace on record: only the first migration of an older service has such a model. Throws
 * `StartRefusal`.
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

/** Returns the differences that keep stored values from being read, as sentences: `orders.price: scale 2 -> 3`. */
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

interface Named {
  readonly name: string;
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

type StorageTrouble = "locked" | "files" | "unwritable" | "damaged" | "overloaded";

/** Reports the beginning and the end of each trouble once, and not for every request. */
export class StorageReport {
  /** Null before there is a log; troubles are not reported until then. */
  log: StorageLog | null = null;
  private readonly known = new Set<StorageTrouble>();

  /** Returns true the first time. */
  began(trouble: StorageTrouble): boolean {
    if (this.known.has(trouble)) return false;
    this.known.add(trouble);
    return true;
  }

  reportTrouble(trouble: StorageTrouble, message: string): void {
    if (this.began(trouble)) this.log?.error(message);
  }

  /** Logs the message if one of the troubles had begun. */
  ended(message: string, ...troubles: readonly StorageTrouble[]): void {
    if (this.known.size === 0) return;
    const over = troubles.filter((trouble) => this.known.delete(trouble));
    if (over.length > 0) this.log?.info(message);
  }
}
