import {
  canonicalDecimal,
  crowdedSide,
  DECIMAL_DIGITS,
  decimalOfUnits,
  decimalParts,
  decimalUnits,
} from "../base/exact-decimal.js";
import { boundIssue, type Bounds } from "./bounds.js";
import type { JsonValue } from "./json.js";
import { Problem } from "./problem.js";
import { isAbsent, wrongType, type Reader } from "./reader.js";

/** An exact number with `scale` fraction digits; its bounds are decimal texts of at most that scale. */
export interface DecimalRule extends Bounds<string> {
  readonly scale: number;
}

/** Reads a decimal from a string, exactly, and writes it with all its fraction digits: `"12.50"`. */
export function decimal(rule: DecimalRule): Reader<string> {
  const { scale } = rule;
  const bounds = scaledBounds(rule);
  const placeholder = decimalOfUnits(0n, scale);
  return (value, path, report) => {
    const read = readDecimal(value, scale);
    const issue = read instanceof Problem ? read.message : rangeIssue(read, bounds, scale);
    if (issue === null && typeof read === "string") return read;
    if (issue !== null) report.add(path, issue);
    return placeholder;
  };
}

/** A text as a decimal of that scale: fraction digits padded, leading zeros gone, no negative zero. */
export function parseDecimal(text: string, scale: number): string | Problem {
  const parts = decimalParts(text);
  if (parts === null) return new Problem(`must be a decimal number, such as "${example(scale)}"`);
  const side = crowdedSide(parts, scale);
  if (side === null) return canonicalDecimal(parts, scale);
  const { whole, fraction } = parts;
  if (side === "after") {
    const most = scale === 0 ? "no fraction digits" : `at most ${count(scale, "fraction digit")}`;
    return new Problem(`must have ${most}, and has ${fraction.length}`);
  }
  const most = count(DECIMAL_DIGITS - scale, "digit");
  return new Problem(`must have at most ${most} before the point, and has ${whole.length}`);
}

function readDecimal(value: JsonValue | undefined, scale: number): string | Problem {
  if (typeof value === "string" && !isAbsent(value)) return parseDecimal(value, scale);
  if (typeof value !== "number") return new Problem(wrongType(value, "a decimal string"));
  return new Problem(`must be sent as a string, such as "${example(scale)}"`);
}

/** The bounds as whole numbers of the last fraction digit; null where there are none. */
function scaledBounds({ scale, ...bounds }: DecimalRule): Bounds<bigint> | null {
  const entries = Object.entries(bounds);
  if (entries.length === 0) return null;
  return Object.fromEntries(
    entries.map(([name, bound]) => [name, decimalUnits(String(bound), scale)]),
  );
}

function rangeIssue(value: string, bounds: Bounds<bigint> | null, scale: number): string | null {
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

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
