import { truncate } from "../base/truncate.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Without its sign. */
const NUMBER = /(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/y;
/** Of so many digits a double keeps each. */
const KEPT_DIGITS = 15;
/** Read as infinite, which no property takes. */
const TOO_LARGE = "1e999";

/** The index of the quote that ends the string opened at `start`; the text's length where none does. */
export function endOfString(text: string, start: number): number {
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
export function isLongFraction(text: string, point: number): boolean {
  let [from, to] = [point, point];
  while (isDigit(text.charCodeAt(from - 1))) from--;
  while (isDigit(text.charCodeAt(to + 1))) to++;
  return to - from > KEPT_DIGITS;
}

/**
 * The text, with `1e999` for each number of a valid JSON text that a reader would take for a whole one where it is not:
 * `1e-400` for 0, `9007199254740991.4` for an integer.
 */
export function withoutLostFractions(text: string): string {
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

/** Whether a number without a sign is read as a whole one, and is not. */
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
export function findDuplicateName(text: string): string {
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
