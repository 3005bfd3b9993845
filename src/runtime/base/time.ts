/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Clock = () => number;

/** Milliseconds since a moment that only this process knows. Unlike a `Clock`, it is never set back or forward. */
export type Stopwatch = () => number;

/** The time that has passed since this process began. */
export const processTime: Stopwatch = () => performance.now();

const FIRST_MILLISECOND = -62_135_596_800_000;
const LAST_MILLISECOND = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** `2026-03-10T12:00:00.` */
const SECONDS_LENGTH = 20;

/** Milliseconds since 1970 as the contract writes a time (REP-1). Throws for what is not of the years 1 to 9999. */
export function formatTimestamp(milliseconds: number): string {
  if (!(milliseconds >= FIRST_MILLISECOND && milliseconds <= LAST_MILLISECOND)) {
    throw new RangeError(
      `The clock is outside the years 1 to 9999: ${milliseconds} ms since 1970.`,
    );
  }
  return new Date(milliseconds).toISOString();
}

/** Likewise, for times that are mostly of the same second as the one before: those are not taken apart again. */
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
