const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Ten years: a longer window would exclude nothing. */
const LONGEST = 3660 * 86_400_000;

/** The milliseconds of a duration such as `24h` (s, m, h, d, w); null for any other text, and above ten years. */
export function durationMilliseconds(text: unknown): number | null {
  const match = typeof text === "string" ? /^([1-9][0-9]{0,8})([smhdw])$/.exec(text) : null;
  const milliseconds = Number(match?.[1]) * (UNITS[match?.[2] ?? ""] ?? Number.NaN);
  return milliseconds <= LONGEST ? milliseconds : null;
}

/** A day that is counted from today: `30 days before today`. */
export function dayWords(days: number): string {
  if (days === 0) return "today";
  const count = Math.abs(days);
  return `${count} ${count === 1 ? "day" : "days"} ${days < 0 ? "before" : "after"} today`;
}
