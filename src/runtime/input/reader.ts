import type { JsonValue } from "./json.js";
import type { Report } from "./report.js";

/**
 * Turns what was sent into a value of the schema's type. Where it cannot, it adds one issue on `path`
 * and returns a harmless value of the right type: the report is thrown before anyone uses it.
 * Undefined, null and blank text are issues unless `nullable` or `list` takes them.
 */
export type Reader<T> = ReadValue<T> & SomeFunction;

type ReadValue<T> = (value: JsonValue | undefined, path: string, report: Report) => T;

/**
 * What every function has. Of a call such as `list(uuid())`, whose result is a function and nothing else, the compiler
 * infers no type for a function that stands beside it: `handle` of a route would not know its body.
 */
interface SomeFunction {
  readonly length: number;
}

/** A property that is never null: left out, null or blank is an issue (REP-2). */
export function required<T>(reader: Reader<T>): Reader<T> {
  // Every reader refuses all three by itself, so that items of a list are read by the same ones.
  return reader;
}

/** A property that may be null: left out, null or blank is null (REP-2). */
export function nullable<T>(reader: Reader<T>): Reader<T | null> {
  return (value, path, report) => (isAbsent(value) ? null : reader(value, path, report));
}

/** A property that has a default: left out, it is that (OPS-1). */
export function withDefault<T>(reader: Reader<T>, byDefault: T): Reader<T> {
  return (value, path, report) => (value === undefined ? byDefault : reader(value, path, report));
}

/** Whether nothing was sent: undefined, null, or a text of nothing but white space (REP-2). */
export function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (typeof value === "string" && isBlank(value));
}

/** Whether a text is empty or only white space. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every text starts with a visible ASCII character, and is not trimmed then.
  return !(first > 0x20 && first < 0x7f) && text.trim() === "";
}

/** The issue of a value that has another type than `expected`, which reads `a whole number`. */
export function wrongType(value: JsonValue | undefined, expected: string): string {
  if (value === undefined) return "is required";
  if (value === null) return "must not be null";
  if (typeof value === "string" && isBlank(value)) return "must not be empty";
  return `must be ${expected}, and is ${nameOfType(value)}`;
}

/** The issue of a value that is not a string of the wanted form, which reads `a UUID`. */
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
