import { isMap, isScalar, parseDocument, type Pair, type YAMLMap } from "yaml";

/**
 * The text of a JSON file in which a text in one of its sections has another value, or is new there; every other byte stays
 * as it is. Null where the file is not an object, or the section is not one.
 */
export function withJsonText(
  text: string,
  section: string,
  entry: { readonly key: string; readonly value: string },
): string | null {
  const document = parseDocument(text, { uniqueKeys: false });
  const root = document.contents;
  if (!isMap(root) || document.errors.length > 0) return null;
  const line = `${JSON.stringify(entry.key)}: ${JSON.stringify(entry.value)}`;
  const found = pairOf(root, section);
  if (found === undefined) {
    const margin = marginOf(text, root.items[0]);
    const lines = `${JSON.stringify(section)}: {\n${margin}${margin}${line}\n${margin}}`;
    return inserted(text, root, lines);
  }
  const inner = found.value;
  if (!isMap(inner)) return null;
  const own = pairOf(inner, entry.key)?.value;
  if (own === undefined) return inserted(text, inner, line);
  if (!isScalar(own) || typeof own.value !== "string") return null;
  const [start, end] = rangeOf(own);
  return text.slice(0, start) + JSON.stringify(entry.value) + text.slice(end);
}

/** The text of a JSON file without an entry of one of its sections; null where there is none. */
export function withoutJsonText(text: string, section: string, key: string): string | null {
  const root = parseDocument(text, { uniqueKeys: false }).contents;
  const inner = isMap(root) ? pairOf(root, section)?.value : undefined;
  if (!isMap(inner)) return null;
  const at = inner.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === key);
  const [before, own, after] = [inner.items[at - 1], inner.items[at], inner.items[at + 1]];
  if (own === undefined) return null;
  // With the comma and the white space that part it from the entry before, or else from the one after.
  const start = before === undefined ? rangeOf(own.key)[0] : rangeOf(before.value)[1];
  const end = before === undefined && after ? rangeOf(after.key)[0] : rangeOf(own.value)[1];
  return text.slice(0, start) + text.slice(end);
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

/** Below the last entry, on a line like its own; an empty object is opened. */
function inserted(text: string, map: YAMLMap, lines: string): string {
  const last = map.items.at(-1);
  const [start, end] = rangeOf(map);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  if (last === undefined) {
    const margin = /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", start) + 1))?.[0] ?? "";
    const opened = ["{", `${margin}  ${lines}`, `${margin}}`].join(lineEnd);
    return text.slice(0, start) + opened + text.slice(end);
  }
  const [, at] = rangeOf(last.value);
  return `${text.slice(0, at)},${lineEnd}${marginOf(text, last)}${lines}${text.slice(at)}`;
}

/** The white space before an entry on its line. */
function marginOf(text: string, pair: Pair | undefined): string {
  const [start] = rangeOf(pair?.key);
  const line = text.slice(text.lastIndexOf("\n", start) + 1, start);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** From its first character to the one after its last. */
function rangeOf(node: unknown): readonly [number, number] {
  const has = typeof node === "object" && node !== null && "range" in node;
  const range: unknown = has ? node.range : null;
  return Array.isArray(range) ? [Number(range[0]), Number(range[1])] : [0, 0];
}
