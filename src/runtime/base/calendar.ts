const HYPHEN = 0x2d;

/** Whether a text is a real day of the years 1 to 9999, written `yyyy-MM-dd`. */
export function isCalendarDate(text: string): boolean {
  return text.length === 10 && isDayOfCalendar(text);
}

/** Whether the first ten characters of a text are a real day of the years 1 to 9999. */
export function isDayOfCalendar(text: string): boolean {
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

/** The number that stands from `start` to `end`; -1 if a character is not a digit. */
export function digits(text: string, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Whether a number is one of a range, both ends included. */
export function isBetween(value: number, minimum: number, maximum: number): boolean {
  return value >= minimum && value <= maximum;
}
