import { counted } from "../base/texts.js";
import { isJsonObject, type JsonValue } from "./json.js";
import { wrongType, type Reader } from "./reader.js";

/** The bounds of a list (LIM-1). */
export interface ListRule {
  readonly minItems?: number;
  /** Default 1,000 (LIM-1). */
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

const MOST_ITEMS = 1_000;

/** A missing or null list is `[]` before bounds are checked (REP-3). Items are never null. */
export function list<T>(readItem: Reader<T>, rule: ListRule = {}): Reader<T[]> {
  return (value, path, report) => {
    const sent = value ?? [];
    if (!Array.isArray(sent)) {
      report.add(path, wrongType(sent, "a list"));
      return [];
    }
    const issue = lengthIssue(sent.length, rule);
    if (issue !== null) {
      report.add(path, issue);
      return [];
    }
    const places = rule.uniqueItems === true ? new Map<unknown, number>() : null;
    const items: T[] = [];
    for (let index = 0; index < sent.length; index++) {
      const place = `${path}[${index}]`;
      const issues = report.size;
      const item = readItem(sent[index], place, report);
      items.push(item);
      // The placeholder of an unreadable item equals no other item.
      if (places === null || report.size > issues) continue;
      const earlier = firstPlace(places, item, index);
      if (earlier !== index) report.add(place, `must not repeat item [${earlier}]`);
    }
    return items;
  };
}

/** Returns the index of the first item equal to this one. Remembers a new item, and returns its own index. */
function firstPlace(places: Map<unknown, number>, item: unknown, index: number): number {
  // Readers write properties in one order, so equal objects have the same text.
  const key = typeof item === "object" ? JSON.stringify(item) : item;
  const earlier = places.get(key);
  if (earlier !== undefined) return earlier;
  places.set(key, index);
  return index;
}

function lengthIssue(
  length: number,
  { minItems = 0, maxItems = MOST_ITEMS }: ListRule,
): string | null {
  if (length < minItems)
    return `must have at least ${counted(minItems, "item")}, and has ${length}`;
  if (length > maxItems) return `must have at most ${counted(maxItems, "item")}, and has ${length}`;
  return null;
}

/**
 * Matches each sent item with the index of an equal stored one: the one in the same place if possible, otherwise the first
 * that is not taken. Items are compared by text; see `canonicalText`.
 */
export function sameItems(
  sent: readonly string[],
  stored: readonly string[],
): (number | undefined)[] {
  const isFree = stored.map(() => true);
  const byText = new Map<string, number[]>();
  // Backwards, so that `pop` returns the first of equal items.
  for (let index = stored.length - 1; index >= 0; index -= 1) {
    const text = stored[index] ?? "";
    const equals = byText.get(text);
    if (equals === undefined) byText.set(text, [index]);
    else equals.push(index);
  }
  return sent.map((text, index) => {
    const equals = byText.get(text) ?? [];
    const isHere = stored[index] === text && isFree[index] === true;
    let found = isHere ? index : equals.pop();
    while (found !== undefined && isFree[found] === false) found = equals.pop();
    if (found !== undefined) isFree[found] = false;
    return found;
  });
}

/**
 * Reads a list of objects in which only custom code writes the properties at `paths`. An item keeps the stored values of an
 * item that is equal in all other properties (ENT-4).
 */
export function keepingWritten<Item>(
  read: Reader<Item[]>,
  stored: readonly Item[] | undefined,
  paths: readonly string[],
): Reader<Item[]> {
  return (value, path, report) => {
    const sent = read(value, path, report);
    return stored === undefined || report.isOwn ? sent : withWritten(sent, stored, paths);
  };
}

/** Replaces items by stored ones that differ at `paths` at most. */
function withWritten<Item>(
  items: readonly Item[],
  stored: readonly Item[],
  paths: readonly string[],
): Item[] {
  const textIn = (item: Item): string => canonicalText(without(item as JsonValue, paths));
  const same = sameItems(items.map(textIn), stored.map(textIn));
  return items.map((item, index) => stored[same[index] ?? -1] ?? item);
}

/** Restores the properties at `paths`, so that the remaining differences are ones a client could make (STA-3). */
export function asStored<Value>(next: Value, stored: Value, paths: readonly string[]): Value {
  return restored(next, stored, paths) as Value;
}

function restored(next: unknown, stored: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(next) && Array.isArray(stored)) return withWritten(next, stored, paths);
  if (!isObject(next) || !isObject(stored)) return next;
  const names = new Set(paths.map((path) => path.split(".")[0] ?? path));
  const kept = [...names].map((name) => {
    const below = pathsBelow(name, paths);
    return [name, paths.includes(name) ? stored[name] : restored(next[name], stored[name], below)];
  });
  return { ...next, ...Object.fromEntries(kept) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Copies a value without the properties at these paths, which can lead through lists. */
function without(value: JsonValue, paths: readonly string[]): JsonValue {
  if (paths.length === 0) return value;
  if (Array.isArray(value)) return value.map((item) => without(item, paths));
  if (!isJsonObject(value)) return value;
  const left = Object.entries(value).filter(([name]) => !paths.includes(name));
  return Object.fromEntries(
    left.map(([name, inner]) => [name, inner && without(inner, pathsBelow(name, paths))]),
  );
}

function pathsBelow(name: string, paths: readonly string[]): readonly string[] {
  return paths
    .filter((path) => path.startsWith(`${name}.`))
    .map((path) => path.slice(name.length + 1));
}

/** Returns a string that is the same for equal items, whatever the order of their properties. */
export function canonicalText(item: unknown): string {
  if (typeof item !== "object") return JSON.stringify(item);
  return JSON.stringify(item, (_name, value: JsonValue) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(byName)) : value,
  );
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
