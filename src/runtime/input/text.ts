import { counted } from "../base/texts.js";
import { FORMATS, type TextFormat } from "./formats.js";
import { isBlank, wrongType, type Reader } from "./reader.js";

/** Lengths are in Unicode code points (LIM-1). */
export interface TextRule {
  readonly minLength?: number;
  readonly maxLength: number;
  /** Must not have the flags `g` and `y`, which keep state between texts. */
  readonly pattern?: RegExp;
  readonly format?: TextFormat;
}

// PostgreSQL stores no NUL, and half a surrogate pair is not a character.
const NOT_STORABLE = /[\0\ud800-\udfff]/u;

/** The issue of a longer text is its length, and not its format. */
const LONGEST_OF_FORMAT = 100;

/** White space is kept. */
export function text(rule: TextRule): Reader<string> {
  return (value, path, report) => {
    const issue = typeof value === "string" ? textIssue(value, rule) : wrongType(value, "a string");
    if (issue !== null) report.add(path, issue);
    return typeof value === "string" ? value : "";
  };
}

/** The issue of a text that cannot be stored, or null. */
export function storageIssue(value: string): string | null {
  if (!NOT_STORABLE.test(value)) return null;
  return value.includes("\0")
    ? "must not contain the character NUL"
    : "must not contain half of a surrogate pair";
}

function textIssue(value: string, rule: TextRule): string | null {
  if (isBlank(value)) return "must not be empty";
  const length = lengthIssue(value, rule);
  // `must be a date` helps more than a length, for example for a timestamp.
  if (length !== null)
    return value.length > LONGEST_OF_FORMAT ? length : (formatIssue(value, rule) ?? length);
  return storageIssue(value) ?? formIssue(value, rule);
}

/** Counts code points only if the number of UTF-16 units does not decide. */
function lengthIssue(value: string, { minLength = 0, maxLength }: TextRule): string | null {
  const units = value.length;
  if (units <= maxLength && units >= 2 * minLength) return null;
  const length = countCodePoints(value);
  if (length > maxLength) {
    return `must be at most ${counted(maxLength, "character")} long, and is ${length}`;
  }
  if (length < minLength) {
    return `must be at least ${counted(minLength, "character")} long, and is ${length}`;
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
