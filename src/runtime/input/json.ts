import { malformedRequest } from "../base/errors.js";
import { truncate } from "../base/texts.js";

export type JsonValue = string | number | boolean | null | JsonObject | JsonValue[];

/** An object as it was sent: nothing is known of its properties. */
export interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

// A byte order mark is kept, so that JSON.parse refuses it.
const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** LIM-1 */
interface JsonLimits {
  /** The object itself is 1. */
  readonly jsonDepth: number;
  /** Properties, and items of arrays. */
  readonly jsonValues: number;
}

/**
 * Reads a body that must be one JSON object. Throws `malformedRequest` for anything else: not UTF-8, not JSON, too deep or
 * with too many values (LIM-1), or with a duplicate name.
 */
export function parseJsonObject(bytes: Uint8Array, limits: JsonLimits): JsonObject {
  const text = decode(bytes);
  const { names, mayLose } = scan(text, limits);
  const value = parse(text, mayLose);
  if (!isJsonObject(value)) throw malformedRequest("The body must be a JSON object.");
  if (countNames(value) !== names) {
    throw malformedRequest(`The body names a property twice: ${findDuplicateName(text)}.`);
  }
  return value;
}

/** Whether a value is an object, and not a list or null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Edits the objects at a path, also in lists and in other objects. Edits nothing if there are none. `edit` gets the path of the
 * object as a prefix: `lines[0].`.
 */
export function editedAt(
  value: unknown,
  path: readonly string[],
  edit: (object: Members, at: string) => Members,
  at = "",
): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => editedAt(item, path, edit, `${at}[${index}]`));
  // An object, because it is neither null nor a list.
  const object = value as Members;
  const [step, ...rest] = path;
  const prefix = at === "" ? "" : `${at}.`;
  if (step === undefined) return edit(object, prefix);
  return { ...object, [step]: editedAt(object[step], rest, edit, prefix + step) };
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw malformedRequest("The body is not valid UTF-8.");
  }
}

/** Facts about the text of a body, found before it is parsed. */
interface Scanned {
  /** How many names its objects have. */
  readonly names: number;
  /** A number has an exponent, or more digits than a double keeps: a fraction could be lost. */
  readonly mayLose: boolean;
}

/**
 * Counts the names of all objects, which JSON.parse would merge, and bounds depth and values before it: an object of
 * 100,000 names costs it 150 ms.
 */
function scan(text: string, { jsonDepth, jsonValues }: JsonLimits): Scanned {
  let names = 0;
  let values = 0;
  let depth = 0;
  let mayLose = false;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        index = endOfString(text, index);
        break;
      case 0x3a: // :
        names++;
        break;
      case 0x2c: // ,
        values++;
        break;
      case 0x5b: // [
      case 0x7b: // {
        values++;
        if (++depth > jsonDepth) {
          throw malformedRequest(`The body is nested more than ${jsonDepth} levels deep.`);
        }
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x2e: // .
        mayLose ||= isLongFraction(text, index);
        break;
      case 0x45: // E
      case 0x65: // e
        mayLose = true;
    }
    if (values > jsonValues) {
      throw malformedRequest(`The body has more than ${jsonValues} values.`);
    }
  }
  return { names, mayLose };
}

/** Parses the text. A number whose fraction a double would lose becomes one that every reader refuses (ERR-4). */
function parse(text: string, mayLose: boolean): JsonValue {
  if (text.trim() === "") throw malformedRequest("The body is empty.");
  try {
    // JSON.parse makes nothing but JSON values.
    const value = JSON.parse(text) as JsonValue;
    if (!mayLose) return value;
    const readable = withoutLostFractions(text);
    return readable === text ? value : (JSON.parse(readable) as JsonValue);
  } catch (error) {
    throw malformedRequest(`The body is not valid JSON${placeOf(error)}.`);
  }
}

/** Where the parser stopped, if it says so; its own message would repeat the body. */
function placeOf(error: unknown): string {
  const position = error instanceof Error ? / at position (\d+)/.exec(error.message) : null;
  return position === null ? "" : ` from character ${Number(position[1]) + 1} on`;
}

/** Recursive: `scan` has bounded the depth. */
function countNames(value: JsonValue | undefined): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts = Array.isArray(value) ? value : Object.values(value);
  let names = parts === value ? 0 : parts.length;
  for (const part of parts) names += countNames(part);
  return names;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Without its sign. */
const NUMBER = /(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/y;
/** A double holds every number of so many digits exactly. */
const KEPT_DIGITS = 15;
/** Read as infinite, which no property takes. */
const TOO_LARGE = "1e999";

/** Returns the index of the quote that ends the string opened at `start`, or the text's length. */
function endOfString(text: string, start: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
}

/** Whether the number with a point at an index may have more digits than a double keeps. */
function isLongFraction(text: string, point: number): boolean {
  let [from, to] = [point, point];
  while (isDigit(text.charCodeAt(from - 1))) from--;
  while (isDigit(text.charCodeAt(to + 1))) to++;
  return to - from > KEPT_DIGITS;
}

/**
 * Replaces each number of a valid JSON text whose fraction a double would lose by `1e999`: `1e-400` would be read as 0,
 * `9007199254740991.4` as an integer.
 */
function withoutLostFractions(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (isDigit(code)) {
      NUMBER.lastIndex = index;
      const [sent = ""] = NUMBER.exec(text) ?? [];
      if (losesFraction(sent)) {
        parts.push(text.slice(kept, index), TOO_LARGE);
        kept = index + sent.length;
      }
      index += sent.length - 1;
    }
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(kept);
}

/** Whether a number without a sign has a fraction that a double would lose. */
export function losesFraction(text: string): boolean {
  if (!Number.isInteger(Number(text))) return false;
  NUMBER.lastIndex = 0;
  const [, whole = "", fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  const digits = whole + fraction;
  let significant = digits.length;
  while (significant > 0 && digits.charAt(significant - 1) === "0") significant -= 1;
  return significant > 0 && Number(exponent) + whole.length < significant;
}

/** The first name that an object of a valid JSON text has twice, quoted for a message. */
function findDuplicateName(text: string): string {
  const open: Set<string>[] = [];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // A list gets a set as well, so that both kinds of bracket close one.
    if (code === 0x7b || code === 0x5b) open.push(new Set());
    else if (code === 0x7d || code === 0x5d) open.pop();
    else if (code === QUOTE) {
      const end = endOfString(text, index);
      const name = isName(text, end) ? String(JSON.parse(text.slice(index, end + 1))) : null;
      const names = open.at(-1);
      if (name !== null && names?.has(name) === true) return JSON.stringify(truncate(name));
      if (name !== null) names?.add(name);
      index = end;
    }
  }
  return "unknown";
}

/** Whether a colon follows the string that ends at `end`. */
function isName(text: string, end: number): boolean {
  let next = end + 1;
  while (" \t\r\n".includes(text.charAt(next)) && next < text.length) next++;
  return text.charAt(next) === ":";
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
