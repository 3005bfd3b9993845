import { isMap, isScalar, parseDocument, type YAMLMap } from "yaml";

/**
 * The text of service.yaml in which a version has another status; every other byte stays as it is, comments and order
 * with it. Expects a text that `load` has found no mistake in.
 */
export function withVersionStatus(text: string, version: string, status: string): string {
  const root = parseDocument(text).contents;
  const versions = isMap(root) ? valueAt(root, "versions") : undefined;
  if (!isMap(versions)) return appended(text, `versions:\n  ${version}: ${status}\n`);
  const value = valueAt(versions, version);
  if (value === undefined) return inserted(text, versions, `${version}: ${status}`);
  const written = isMap(value) ? valueAt(value, "status") : value;
  return isScalar(written) ? replaced(text, written.range, status) : text;
}

function valueAt(map: YAMLMap, key: string): unknown {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key)?.value ?? undefined;
}

function replaced(
  text: string,
  range: readonly number[] | null | undefined,
  value: string,
): string {
  const [start = 0, end = 0] = range ?? [];
  return text.slice(0, start) + value + text.slice(end);
}

function appended(text: string, lines: string): string {
  return text === "" || text.endsWith("\n") ? text + lines : `${text}\n${lines}`;
}

/** After the last entry: on a line of its own, or within the braces. */
function inserted(text: string, map: YAMLMap, entry: string): string {
  const last = map.items.at(-1);
  const start = isScalar(last?.key) ? (last.key.range?.[0] ?? 0) : 0;
  if (map.flow === true) {
    const close = text.lastIndexOf("}", (map.range?.[1] ?? text.length) - 1);
    const before = text.slice(0, close).trimEnd();
    const separator = map.items.length === 0 || before.endsWith(",") ? " " : ", ";
    return `${before}${separator}${entry} ${text.slice(close)}`;
  }
  const margin = text.slice(text.lastIndexOf("\n", start) + 1, start);
  const value = last?.value;
  const end = typeof value === "object" && value !== null && "range" in value ? value.range : null;
  const from = Array.isArray(end) ? Number(end[1]) : start;
  const at = text.slice(0, from).endsWith("\n") ? from : lineEnd(text, from);
  return `${appended(text.slice(0, at), "")}${margin}${entry}\n${text.slice(at)}`;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end + 1;
}
