import { digits, isBetween, isDayOfCalendar } from "./calendar.js";

const COLON = 0x3a;
const POINT = 0x2e;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;

/** Whether a text is a time of the contract: `yyyy-MM-ddTHH:mm:ss.SSSZ`, on a real day (REP-1). */
export function isTimestamp(text: string): boolean {
  return (
    text.length === 24 &&
    text.charCodeAt(10) === LETTER_T &&
    text.charCodeAt(13) === COLON &&
    text.charCodeAt(16) === COLON &&
    text.charCodeAt(19) === POINT &&
    text.charCodeAt(23) === LETTER_Z &&
    isDayOfCalendar(text) &&
    isBetween(digits(text, 11, 13), 0, 23) &&
    isBetween(digits(text, 14, 16), 0, 59) &&
    isBetween(digits(text, 17, 19), 0, 59) &&
    digits(text, 20, 23) >= 0
  );
}
