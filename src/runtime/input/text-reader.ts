import { FORMATS, type TextFormat } from "./formats.js";
import { isBlank, wrongType, type Reader } from "./reader.js";

/** The bounds of a text; lengths are Unicode code points (LIM-1). */
export interface TextRule {
  readonly minLength?: number;
  readonly maxLength: number;
  /** Without the flags `g` and `y`, which would make it remember the text before. */
  readonly pattern?: RegExp;
  readonly format?: TextFormat;
}

// No database stores NUL in a text, and half a pair of surrogates is not a character.
const NOT_STORABLE = /[\0\ud800-\udfff]/u;

/** What is longer is said to be too long, in whatever form. */
const MOST_OF_A_FORM = 100;

/** Reads a text and leaves it as it was sent, white space included. */
export function text(rule: TextRule): Reader<string> {
  return (value, path, report) => {
    const issue = typeof value === "string" ? textIssue(value, rule) : wrongType(value, "a string");
    if (issue !== null) report.add(path, issue);
    return typeof value === "string" ? value : "";
  };
}

/** What is wrong with a text that no database could store, or null. */
export function storageIssue(value: string): string | null {
  if (!NOT_STORABLE.test(value)) return null;
  return value.includes("\0")
    ? "must not contain the character NUL"
    : "must not contain half of a surrogate pair";
}

function textIssue(value: string, rule: TextRule): string | null {
  if (isBlank(value)) return "must not be empty";
  const length = lengthIssue(value, rule);
  // A timestamp is not a date, whatever its length.
  if (length !== null)
    return value.length > MOST_OF_A_FORM ? length : (formatIssue(value, rule) ?? length);
  return storageIssue(value) ?? formIssue(value, rule);
}

/** Counts code points only where the number of UTF-16 units leaves the answer open. */
function lengthIssue(value: string, { minLength = 0, maxLength }: TextRule): string | null {
  const units = value.length;
  if (units <= maxLength && units >= 2 * minLength) return null;
  const length = countCodePoints(value);
  if (length > maxLength) {
    return `must be at most ${characters(maxLength)} long, and is ${length}`;
  }
  if (length < minLength) {
    return `must be at least ${characters(minLength)} long, and is ${length}`;
  }
  return null;
}

function formIssue(value: string, rule: TextRule): string | null {
  const { pattern } = rule;
  if (pattern !== undefined && !pattern.test(value)) {
    return `must match the pattern ${pattern.source}`;
  }
  return formatIssue(value, rule);
}

function formatIssue(value: string, { format }: TextRule): string | null {
  if (format === undefined || FORMATS[format].matches(value)) return null;
  return `must be ${FORMATS[format].description}`;
}

function countCodePoints(value: string): number {
  let count = value.length;
  for (let index = 0; index < value.length - 1; index++) {
    if (isHigh(value.charCodeAt(index)) && isLow(value.charCodeAt(index + 1))) {
      count--;
      index++;
    }
  }
  return count;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function characters(count: number): string {
  return count === 1 ? "1 character" : `${count} characters`;
}
