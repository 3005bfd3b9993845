import type { SqlValue } from "./database.js";

/** The columns with objects, or lists of objects. */
export type JsonTable = Readonly<Record<string, JsonMembers | readonly JsonMembers[]>>;

export type JsonReaders = Readonly<Record<string, ReadShape>>;

/** The stored texts of columns with objects, by column. */
export type JsonTexts = Readonly<Record<string, SqlValue>>;

/** Reports missing members, each at most once a minute. */
export interface MissingMemberLog {
  readonly logger: { warn(text: string): void };
  readonly warnings: { isDue(text: string): boolean };
}

/** Logs instead of throwing: reads must continue, and an operator has to correct the rows. */
export function missingMemberLog(
  table: string,
  { logger, warnings }: MissingMemberLog,
): ReportMissing {
  return (path) => {
    const text =
      `Rows of ${table} lack ${path} inside their JSON: it is read as null, or as an empty list. ` +
      'Fill it by a migration of your own: "generator migration new <name>".';
    if (warnings.isDue(text)) logger.warn(text);
  };
}

interface JsonColumn {
  readonly name: string;
  readonly shape: JsonTable[string];
  /** Its index among the values of `encode`. */
  readonly place: number;
}

/** Reads the objects of a table's rows, and keeps members that it does not know. */
export class JsonColumns {
  readonly readers: JsonReaders;
  private readonly columns: readonly JsonColumn[];

  /** `written` are the names of the values of `encode`. */
  constructor(table: JsonTable = {}, written: readonly string[], lack: ReportMissing) {
    this.columns = Object.entries(table).map(([name, shape]) => {
      return { name, shape, place: written.indexOf(name) };
    });
    this.readers = Object.fromEntries(
      this.columns.map(({ name, shape }) => [name, shapeReader(shape, name, lack)]),
    );
  }

  textsIn(values: readonly SqlValue[]): JsonTexts {
    return Object.fromEntries(this.columns.map(({ name, place }) => [name, values[place] ?? null]));
  }

  /** Adds the unknown members of the texts that are replaced: those of removed properties stay until they are dropped. */
  withUnknownMembers(values: readonly SqlValue[], texts: JsonTexts = {}): readonly SqlValue[] {
    const made = [...values];
    for (const { name, place, shape } of this.columns) {
      made[place] = textWithUnknown(texts[name], values[place] ?? null, shape);
    }
    return made;
  }
}

function textWithUnknown(stored: SqlValue | undefined, next: SqlValue, shape: JsonShape): SqlValue {
  if (typeof stored !== "string" || typeof next !== "string" || stored === next) return next;
  return JSON.stringify(withUnknownMembers(JSON.parse(stored), JSON.parse(next), shape));
}

/** A shape, written like the JSON: null is a value, `[]` a list of them, and an object has these members in this order. */
type JsonShape = null | readonly JsonShape[] | JsonMembers;

interface JsonMembers {
  readonly [name: string]: JsonShape;
}

/** Reports the path of a missing member: `address.zip`. */
type ReportMissing = (path: string) => void;

/** Turns a parsed value into one of a shape: all members, in their order, and no others. */
export type ReadShape = (value: unknown) => unknown;

/** Missing members become null or `[]` (REP-2, REP-3). */
export function shapeReader(shape: JsonShape, path: string, lack: ReportMissing): ReadShape {
  if (isList(shape)) return itemsReader(shape, path, lack);
  return shape === null ? (value) => value : membersReader(shape, path, lack);
}

function itemsReader(
  [item = null]: readonly JsonShape[],
  path: string,
  lack: ReportMissing,
): ReadShape {
  const read = item === null ? null : shapeReader(item, path, lack);
  return (value) => {
    if (!Array.isArray(value)) return [];
    return read === null ? value : value.map(read);
  };
}

interface Member {
  readonly name: string;
  readonly path: string;
  readonly isList: boolean;
  readonly read: ReadShape | null;
}

function membersReader(shape: JsonMembers, path: string, lack: ReportMissing): ReadShape {
  const members = Object.entries(shape).map(([name, inner]): Member => {
    const at = `${path}.${name}`;
    const read = inner === null ? null : shapeReader(inner, at, lack);
    return { name, path: at, isList: isList(inner), read };
  });
  const deep = members.flatMap(({ name, read }) => (read === null ? [] : [{ name, read }]));
  return (value) => {
    if (!isObject(value)) return null;
    const whole = hasExactly(value, members) ? value : withMembers(value, members, lack);
    for (const { name, read } of deep) whole[name] = read(whole[name]);
    return whole;
  };
}

/** Nearly every value has these members in this order, and needs no copy. */
function hasExactly(value: JsonObject, members: readonly Member[]): boolean {
  let place = 0;
  for (const name in value) {
    if (members[place]?.name !== name) return false;
    place += 1;
  }
  return place === members.length;
}

function withMembers(
  value: JsonObject,
  members: readonly Member[],
  lack: ReportMissing,
): JsonObject {
  const whole: JsonObject = {};
  for (const { name, path, isList: isEmpty } of members) {
    if (value[name] === undefined) lack(path);
    whole[name] = value[name] ?? (isEmpty ? [] : null);
  }
  return whole;
}

/** Copies the members of a stored value that its shape does not have. */
export function withUnknownMembers(stored: unknown, next: unknown, shape: JsonShape): unknown {
  if (isList(shape)) return withUnknownItems(stored, next, shape[0] ?? null);
  if (shape === null || !isObject(stored) || !isObject(next)) return next;
  const known = Object.entries(shape).map(
    ([name, inner]) => [name, withUnknownMembers(stored[name], next[name], inner)] as const,
  );
  return { ...stored, ...Object.fromEntries(known) };
}

/** An unchanged item keeps its unknown members, wherever it is now. */
function withUnknownItems(stored: unknown, next: unknown, item: JsonShape): unknown {
  if (item === null || !Array.isArray(stored) || !Array.isArray(next)) return next;
  const read = shapeReader(item, "", () => undefined);
  // A map by text: comparing all pairs would be slow, and a caller chooses how many items there are.
  const left = new Map<string, unknown[]>();
  for (const one of stored as readonly unknown[]) {
    const text = JSON.stringify(read(one));
    const same = left.get(text);
    if (same === undefined) left.set(text, [one]);
    else same.push(one);
  }
  return next.map((one: unknown) => {
    const same = left.get(JSON.stringify(one))?.shift();
    return same === undefined ? one : withUnknownMembers(same, one, item);
  });
}

type JsonObject = Record<string, unknown>;

function isList(shape: JsonShape): shape is readonly JsonShape[] {
  return Array.isArray(shape);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
