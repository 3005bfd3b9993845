import { formatTimestamp } from "./time.js";

const DAY_MILLISECONDS = 86_400_000;

/** The clocks of no time zone were ever further from UTC. */
const FURTHEST_MILLISECONDS = 16 * 3_600_000;

/** By time zone, of which a service has one; making a formatter costs more than using it. */
const FORMATTERS = new Map<string, Intl.DateTimeFormat>();

/** The names of time zones; each may have others, which are known as well. */
export function timeZoneNames(): readonly string[] {
  return Intl.supportedValuesOf("timeZone");
}

/** Whether a text is the name of a time zone, which a distance such as `+01:00` is not. */
export function isTimeZone(text: string): boolean {
  try {
    return /^[a-z]/i.test(text) && formatterFor(text) !== undefined;
  } catch {
    return false;
  }
}

/** The date in a time zone: `2026-03-10`. */
export function dateIn(timeZone: string, time: number): string {
  return formatTimestamp(wallClock(timeZone, time)).slice(0, 10);
}

/** The date a number of days after another one, or before it where the number is negative. */
export function addDays(date: string, days: number): string {
  return formatTimestamp(Date.parse(date) + days * DAY_MILLISECONDS).slice(0, 10);
}

/** The first time whose date in a time zone is not before the date. */
export function startOfDay(timeZone: string, date: string): number {
  const midnight = Date.parse(date);
  const isReached = (time: number): boolean => wallClock(timeZone, time) >= midnight;
  const dayBefore = midnight - DAY_MILLISECONDS;
  // Clocks that are set back over midnight show it twice: this is the first time.
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

/** What a clock on the wall shows, to the second, as if it were UTC. */
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
