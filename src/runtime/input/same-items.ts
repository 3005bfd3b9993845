import { isJsonObject, type JsonValue } from "./json.js";
import type { Reader } from "./reader.js";

/**
 * Which of the stored items each sent one is, by texts that are equal for equal items: the one in the same place first, else
 * the first that no other is. Undefined: none.
 */
export function sameItems(
  sent: readonly string[],
  stored: readonly string[],
): (number | undefined)[] {
  const isFree = stored.map(() => true);
  const byText = new Map<string, number[]>();
  // Backwards, so that the first one of equals is taken first.
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
 * Reads a list of objects in which only the service's own code writes what stands at `paths`: an item that a client sends as
 * it is stored is that one, and keeps what was written (ENT-4). Of any other item, nothing is written yet.
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

/** Items, of which each that is stored but for what stands at `paths` is the stored one. */
function withWritten<Item>(
  items: readonly Item[],
  stored: readonly Item[],
  paths: readonly string[],
): Item[] {
  const textIn = (item: Item): string => textOf(without(item as JsonValue, paths));
  const same = sameItems(items.map(textIn), stored.map(textIn));
  return items.map((item, index) => stored[same[index] ?? -1] ?? item);
}

/**
 * What own code has made, with what stands at `paths` as it is stored: whatever differs then is what a client could have
 * changed as well (STA-3).
 */
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

/** A copy without what stands at these paths, which lead through lists. */
function without(value: JsonValue, paths: readonly string[]): JsonValue {
  if (paths.length === 0) return value;
  if (Array.isArray(value)) return value.map((item) => without(item, paths));
  if (!isJsonObject(value)) return value;
  const left = Object.entries(value).filter(([name]) => !paths.includes(name));
  return Object.fromEntries(
    left.map(([name, inner]) => [name, inner && without(inner, pathsBelow(name, paths))]),
  );
}

/** What stands below a name, with the path from there. */
function pathsBelow(name: string, paths: readonly string[]): readonly string[] {
  return paths
    .filter((path) => path.startsWith(`${name}.`))
    .map((path) => path.slice(name.length + 1));
}

/** A text that is equal for equal items, in whatever order their properties stand. */
export function textOf(item: unknown): string {
  // Texts and numbers have one form: only what holds others needs to be looked through.
  if (typeof item !== "object") return JSON.stringify(item);
  return JSON.stringify(item, (_name, value: JsonValue) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(byName)) : value,
  );
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
