import {
  canonicalDecimal,
  overlongSide,
  DECIMAL_DIGITS,
  decimalOfUnits,
  decimalParts,
  decimalUnits,
} from "../base/decimal.js";
import { counted } from "../base/texts.js";
import type { JsonValue } from "./json.js";
import { wrongType, type Reader, Problem, isAbsent } from "./reader.js";

/** The bounds of a number, all optional. */
export interface Bounds<N> {
  readonly minimum?: N;
  readonly maximum?: N;
  readonly exclusiveMinimum?: N;
  readonly exclusiveMaximum?: N;
  readonly multipleOf?: N;
}

/** Checks all bounds except `multipleOf`. */
function boundIssue<N extends number | bigint>(
  value: N,
  bounds: Bounds<N>,
  show: (bound: N) => string,
): string | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  if (minimum !== undefined && value < minimum) return `must be at least ${show(minimum)}`;
  if (maximum !== undefined && value > maximum) return `must be at most ${show(maximum)}`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return `must be more than ${show(exclusiveMinimum)}`;
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    return `must be less than ${show(exclusiveMaximum)}`;
  }
  return null;
}

/** Compares decimal digits: 0.07 is a multiple of 0.01. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const left = exact(value);
  const right = exact(divisor);
  const power = Math.min(left.power, right.power);
  return raised(left, power) % raised(right, power) === 0n;
}

/** A number as `digits` times ten to the `power`. */
interface Exact {
  readonly digits: bigint;
  readonly power: number;
}

/** The shortest text of a number has the digits that its sender wrote. */
function exact(value: number): Exact {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), power: Number(exponent) - fraction.length };
}

function raised({ digits, power }: Exact, to: number): bigint {
  return digits * 10n ** BigInt(power - to);
}

function boundedNumber(
  expected: string,
  kindIssue: (value: number) => string | null,
  bounds: Bounds<number>,
): Reader<number> {
  return (value, path, report) => {
    if (typeof value !== "number") {
      report.add(path, wrongType(value, expected));
      return 0;
    }
    const issue = kindIssue(value) ?? rangeIssue(value, bounds);
    if (issue !== null) report.add(path, issue);
    // Without -0.
    return issue !== null || value === 0 ? 0 : value;
  };
}

function rangeIssue(value: number, bounds: Bounds<number>): string | null {
  const { multipleOf } = bounds;
  if (multipleOf !== undefined && !isMultipleOf(value, multipleOf)) {
    return `must be a multiple of ${multipleOf}`;
  }
  return boundIssue(value, bounds, String);
}

/** A whole number within 53 bits; `1.0` is one, and `-0` is 0. */
export function integer(bounds: Bounds<number> = {}): Reader<number> {
  return boundedNumber("a whole number", wholeIssue, bounds);
}

export function wholeIssue(value: number): string | null {
  if (Number.isSafeInteger(value)) return null;
  return Number.isInteger(value) || !Number.isFinite(value)
    ? `must be a whole number between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`
    : "must be a whole number";
}

/** A finite number; `-0` is 0. */
export function number(bounds: Bounds<number> = {}): Reader<number> {
  return boundedNumber("a number", finiteIssue, bounds);
}

/** `1e999`, for example, does not fit into a double. */
export function finiteIssue(value: number): string | null {
  return Number.isFinite(value) ? null : "must be a number that 64 bits can hold";
}

/** Bounds are decimal texts of at most `scale` fraction digits. */
export interface DecimalRule extends Bounds<string> {
  readonly scale: number;
}

/** Reads a decimal from a string, and returns it with all its fraction digits: `"12.50"`. */
export function decimal(rule: DecimalRule): Reader<string> {
  const { scale } = rule;
  const bounds = scaledBounds(rule);
  const placeholder = decimalOfUnits(0n, scale);
  return (value, path, report) => {
    const read = readDecimal(value, scale);
    const issue = read instanceof Problem ? read.message : decimalRangeIssue(read, bounds, scale);
    if (issue === null && typeof read === "string") return read;
    if (issue !== null) report.add(path, issue);
    return placeholder;
  };
}

/** Returns the canonical text: fraction digits padded, no leading zeros, no negative zero. */
export function parseDecimal(text: string, scale: number): string | Problem {
  const parts = decimalParts(text);
  if (parts === null) return new Problem(`must be a decimal number, such as "${example(scale)}"`);
  const side = overlongSide(parts, scale);
  if (side === null) return canonicalDecimal(parts, scale);
  const { whole, fraction } = parts;
  if (side === "after") {
    const most = scale === 0 ? "no fraction digits" : `at most ${counted(scale, "fraction digit")}`;
    return new Problem(`must have ${most}, and has ${fraction.length}`);
  }
  const most = counted(DECIMAL_DIGITS - scale, "digit");
  return new Problem(`must have at most ${most} before the point, and has ${whole.length}`);
}

function readDecimal(value: JsonValue | undefined, scale: number): string | Problem {
  if (typeof value === "string" && !isAbsent(value)) return parseDecimal(value, scale);
  if (typeof value !== "number") return new Problem(wrongType(value, "a decimal string"));
  return new Problem(`must be sent as a string, such as "${example(scale)}"`);
}

/** The bounds in units of the last fraction digit. */
function scaledBounds({ scale, ...bounds }: DecimalRule): Bounds<bigint> | null {
  const entries = Object.entries(bounds);
  if (entries.length === 0) return null;
  return Object.fromEntries(
    entries.map(([name, bound]) => [name, decimalUnits(String(bound), scale)]),
  );
}

function decimalRangeIssue(
  value: string,
  bounds: Bounds<bigint> | null,
  scale: number,
): string | null {
  if (bounds === null) return null;
  const show = (bound: bigint): string => decimalOfUnits(bound, scale);
  const exact = decimalUnits(value, scale);
  const { multipleOf } = bounds;
  if (multipleOf !== undefined && exact % multipleOf !== 0n) {
    return `must be a multiple of ${show(multipleOf)}`;
  }
  return boundIssue(exact, bounds, show);
}

function example(scale: number): string {
  return decimalOfUnits(scale === 0 ? 12n : 125n * 10n ** BigInt(scale - 1), scale);
}
