/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Clock = () => number;

/** Milliseconds since some moment. Unlike a `Clock`, it is never set back or forward. */
export type Stopwatch = () => number;

export const processTime: Stopwatch = () => performance.now();

const FIRST_MILLISECOND = -62_135_596_800_000;
const LAST_MILLISECOND = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** `2026-03-10T12:00:00.` */
const SECONDS_LENGTH = 20;

/** REP-1. Throws outside the years 1 to 9999. */
export function formatTimestamp(milliseconds: number): string {
  if (!(milliseconds >= FIRST_MILLISECOND && milliseconds <= LAST_MILLISECOND)) {
    throw new RangeError(
      `The clock is outside the years 1 to 9999: ${milliseconds} ms since 1970.`,
    );
  }
  return new Date(milliseconds).toISOString();
}

/** A faster `formatTimestamp` for times that mostly fall into the same second as the last one. */
export function timestampWriter(): (milliseconds: number) => string {
  let second = NaN;
  let start = "";
  return (milliseconds) => {
    const exact = Math.trunc(milliseconds);
    const now = Math.floor(exact / 1000);
    if (now !== second) {
      start = formatTimestamp(exact).slice(0, SECONDS_LENGTH);
      second = now;
    }
    return `${start}${String(exact - now * 1000).padStart(3, "0")}Z`;
  };
}

const COLON = 0x3a;
const POINT = 0x2e;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;

/** `yyyy-MM-ddTHH:mm:ss.SSSZ` on a real day (REP-1). */
export function isTimestamp(text: string): boolean {
  return (
    text.length === 24 &&
    text.charCodeAt(10) === LETTER_T &&
    text.charCodeAt(13) === COLON &&
    text.charCodeAt(16) === COLON &&
    text.charCodeAt(19) === POINT &&
    text.charCodeAt(23) === LETTER_Z &&
    startsWithDate(text) &&
    isBetween(digits(text, 11, 13), 0, 23) &&
    isBetween(digits(text, 14, 16), 0, 59) &&
    isBetween(digits(text, 17, 19), 0, 59) &&
    digits(text, 20, 23) >= 0
  );
}

const HYPHEN = 0x2d;

/** `yyyy-MM-dd`, a real day of the years 1 to 9999. */
export function isCalendarDate(text: string): boolean {
  return text.length === 10 && startsWithDate(text);
}

/** Looks at the first ten characters only. */
function startsWithDate(text: string): boolean {
  if (text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN) return false;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  return (
    year >= 1 &&
    isBetween(month, 1, 12) &&
    isBetween(digits(text, 8, 10), 1, daysOfMonth(year, month))
  );
}

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** -1 if a character is not a digit. */
function digits(text: string, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function isBetween(value: number, minimum: number, maximum: number): boolean {
  return value >= minimum && value <= maximum;
}

const DAY_MILLISECONDS = 86_400_000;

/** No time zone was ever further from UTC. */
const FURTHEST_MILLISECONDS = 16 * 3_600_000;

/** Making a formatter costs more than using it. */
const FORMATTERS = new Map<string, Intl.DateTimeFormat>();

export function timeZoneNames(): readonly string[] {
  return Intl.supportedValuesOf("timeZone");
}

/** An offset such as `+01:00` is not the name of a time zone. */
export function isTimeZone(text: string): boolean {
  try {
    return /^[a-z]/i.test(text) && formatterFor(text) !== undefined;
  } catch {
    return false;
  }
}

/** `2026-03-10` */
export function dateIn(timeZone: string, time: number): string {
  return formatTimestamp(wallClock(timeZone, time)).slice(0, 10);
}

export function addDays(date: string, days: number): string {
  return formatTimestamp(Date.parse(date) + days * DAY_MILLISECONDS).slice(0, 10);
}

/** The first instant of a date in a time zone. */
export function startOfDay(timeZone: string, date: string): number {
  const midnight = Date.parse(date);
  const isReached = (time: number): boolean => wallClock(timeZone, time) >= midnight;
  const dayBefore = midnight - DAY_MILLISECONDS;
  // Clocks that are set back over midnight show it twice; this is the first time.
  const usual = midnight + dayBefore - wallClock(timeZone, dayBefore);
  if (isReached(usual) && !isReached(usual - 1)) return usual;
  let [before, reached] = [midnight - FURTHEST_MILLISECONDS, midnight + FURTHEST_MILLISECONDS];
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (isReached(middle)) reached = middle;
    else before = middle;
  }
  return reached;
}

/** The local time of a time zone, to the second, as if it were UTC. */
function wallClock(timeZone: string, time: number): number {
  const parts = formatterFor(timeZone).formatToParts(time);
  const shown = Object.fromEntries(parts.map(({ type, value }) => [type, value.padStart(2, "0")]));
  const { year = "", month, day, hour, minute, second } = shown;
  return Date.parse(`${year.padStart(4, "0")}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATTERS.get(timeZone);
  if (known !== undefined) return known;
  const date = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const time = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
  const made = new Intl.DateTimeFormat("en-US", { timeZone, ...date, ...time });
  FORMATTERS.set(timeZone, made);
  return made;
}
