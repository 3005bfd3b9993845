/**
 * Readers turn values of JSON into values of the schema's types, and report mistakes (ERR-4). This file has readers of
 * simple types; others are in numbers.ts, text.ts and lists.ts, those of whole bodies in objects.ts and bodies.ts.
 * This folder does not use HTTP, the store or custom code.
 */
import { parseIdentifier } from "../base/identifiers.js";
import { isTimestamp } from "../base/time.js";
import { type JsonValue, isJsonObject } from "./json.js";
import type { Report } from "./report.js";

/** The reason why a string could not be read, for functions that have no report to add an issue to. */
export class Problem {
  constructor(
    /** Without the property's name: `must be true or false`. */
    readonly message: string,
  ) {}
}

/**
 * Reads a value of JSON. If it cannot, it adds one issue on `path` and returns a placeholder of the right type, which is
 * never used, because the report is thrown first. Undefined, null and blank text are issues, except for `nullable` and `list`.
 */
export type Reader<T> = ReadValue<T> & SomeFunction;

type ReadValue<T> = (value: JsonValue | undefined, path: string, report: Report) => T;

/**
 * Makes a reader more than a plain function type. Otherwise the compiler would not infer a type for `handle` of a
 * route with `body: list(uuid())`.
 */
interface SomeFunction {
  readonly length: number;
}

/** REP-2: a missing, null or blank value is an issue. */
export function required<T>(reader: Reader<T>): Reader<T> {
  // Readers refuse all three themselves, because items of lists are read by them as well.
  return reader;
}

/** REP-2: a missing, null or blank value is null. */
export function nullable<T>(reader: Reader<T>): Reader<T | null> {
  return (value, path, report) => (isAbsent(value) ? null : reader(value, path, report));
}

/** OPS-1: a missing value is the default. */
export function withDefault<T>(reader: Reader<T>, byDefault: T): Reader<T> {
  return (value, path, report) => (value === undefined ? byDefault : reader(value, path, report));
}

/** REP-2: undefined, null and blank text count as missing. */
export function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (typeof value === "string" && isBlank(value));
}

export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Trimming is slow, and nearly every text starts with a visible ASCII character.
  return !(first > 0x20 && first < 0x7f) && text.trim() === "";
}

/** `expected` is a phrase such as `a whole number`. */
export function wrongType(value: JsonValue | undefined, expected: string): string {
  if (value === undefined) return "is required";
  if (value === null) return "must not be null";
  if (typeof value === "string" && isBlank(value)) return "must not be empty";
  return `must be ${expected}, and is ${nameOfType(value)}`;
}

/** `form` is a phrase such as `a UUID`. */
export function wrongForm(value: JsonValue | undefined, form: string): string {
  const visible = typeof value === "string" && !isBlank(value);
  return visible ? `must be ${form}` : wrongType(value, "a string");
}

function nameOfType(value: Exclude<JsonValue, null>): string {
  if (typeof value === "string") return "a string";
  if (typeof value === "number") return "a number";
  if (typeof value === "boolean") return "a boolean";
  return Array.isArray(value) ? "a list" : "an object";
}

/** A reader for each property of an object. */
export type PropertyReaders<T> = { readonly [Name in keyof T]: Reader<T[Name]> };

/** Reads these properties, and leaves all others out. */
export function shape<T extends object>(readers: PropertyReaders<T>): Reader<T> {
  const names = Object.keys(readers) as (keyof T & string)[];
  return (value, path, report) => {
    const isRead = isJsonObject(value);
    if (!isRead) report.add(path, wrongType(value, "an object"));
    const object = isRead ? value : {};
    const before = path === "" ? "" : `${path}.`;
    const read: Record<string, unknown> = {};
    for (const name of names) {
      // A value that is not an object has one issue, instead of one for each property.
      read[name] = isRead ? readers[name](object[name], before + name, report) : null;
    }
    // There is a reader for each name of T.
    return read as T;
  };
}

/** Reads true or false, and no string. */
export function boolean(): Reader<boolean> {
  return (value, path, report) => {
    if (typeof value === "boolean") return value;
    report.add(path, wrongType(value, "true or false"));
    return false;
  };
}

const MOST_LISTED = 20;

/** Reads one of these strings (NAM-4). */
export function oneOf<const V extends string>(values: readonly [V, ...V[]]): Reader<V> {
  const byText = new Map<string, V>(values.map((value) => [value, value]));
  return (value, path, report) => {
    const sent = typeof value === "string" ? value : "";
    const chosen = byText.get(sent);
    if (chosen !== undefined) return chosen;
    report.add(path, wrongForm(value, choiceForm(values, report.suggestion(sent, values))));
    return values[0];
  };
}

/** `one of open, pending, closed`, with the advice behind it. */
export function choiceForm(values: readonly string[], advice: string): string {
  const listed = values.slice(0, MOST_LISTED).join(", ");
  const more = values.length - MOST_LISTED;
  return `one of ${listed}${more > 0 ? ` and ${more} more` : ""}${advice}`;
}

export const UUID_FORM = 'a UUID, such as "0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f"';

/** Accepts upper case, and returns lower case (IDN-4). */
export function uuid(): Reader<string> {
  return (value, path, report) => {
    const identifier = typeof value === "string" ? parseIdentifier(value) : null;
    if (identifier !== null) return identifier;
    report.add(path, wrongForm(value, UUID_FORM));
    return "00000000-0000-0000-0000-000000000000";
  };
}

export const TIMESTAMP_FORM =
  'a UTC time in the form yyyy-MM-ddTHH:mm:ss.SSSZ, such as "2024-02-29T23:59:59.999Z"';

/** Reads a UTC time of the form yyyy-MM-ddTHH:mm:ss.SSSZ (REP-1). */
export function timestamp(): Reader<string> {
  return (value, path, report) => {
    if (typeof value === "string" && isTimestamp(value)) return value;
    report.add(path, wrongForm(value, TIMESTAMP_FORM));
    return "1970-01-01T00:00:00.000Z";
  };
}
