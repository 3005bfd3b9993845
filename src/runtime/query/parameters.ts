import { truncate } from "../base/truncate.js";
import type { Report } from "../input/report.js";

/** The parameters of a query string, decoded: every name with its values in the order given. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

// RFC 3986 lets nothing else stand in a query without being encoded.
const NOT_PLAIN = /[^\x21-\x7e]/;
const NOT_ENCODED = "must be percent-encoded UTF-8";

/** Decodes a query string; a part that is not percent-encoded UTF-8 is an issue of its parameter (QRY-6). */
export function parseParameters(search: string, report: Report): Parameters {
  const parameters = new Map<string, string[]>();
  let start = 0;
  while (start < search.length) {
    const next = search.indexOf("&", start);
    const end = next === -1 ? search.length : next;
    if (end > start) addParameter(search.slice(start, end), parameters, report);
    start = end + 1;
  }
  return parameters;
}

function addParameter(part: string, parameters: Map<string, string[]>, report: Report): void {
  const equals = part.indexOf("=");
  const rawName = equals === -1 ? part : part.slice(0, equals);
  const name = rawName === "" ? null : decode(rawName);
  if (name === null) {
    report.add(truncate(part), rawName === "" ? "has no name" : NOT_ENCODED);
    return;
  }
  const value = equals === -1 ? "" : decode(part.slice(equals + 1));
  if (value === null) {
    report.add(truncate(name), NOT_ENCODED);
    return;
  }
  const values = parameters.get(name);
  if (values === undefined) parameters.set(name, [value]);
  else values.push(value);
}

/** Null if the text is not percent-encoded UTF-8. */
function decode(raw: string): string | null {
  if (NOT_PLAIN.test(raw)) return null;
  const spaced = raw.includes("+") ? raw.replaceAll("+", " ") : raw;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}
