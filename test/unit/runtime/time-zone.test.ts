import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, dateIn, startOfDay } from "#runtime/base/time";

const MINUTE = 60_000;
const ZONES = Intl.supportedValuesOf("timeZone");

/** The same without the runtime: Swedes write dates as ISO 8601 does. */
function swedishDate(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone });
  return (time) => format.format(time);
}

/** Every minute of the 40 hours before the start has an earlier date, and so has the millisecond before it. */
function expectFirst(timeZone: string, day: string): void {
  const start = startOfDay(timeZone, day);
  const dateAt = swedishDate(timeZone);
  expect(dateAt(start) >= day, `${timeZone} ${day}`).toBe(true);
  expect(dateAt(start - 1) < day, `${timeZone} ${day}`).toBe(true);
  for (let minute = 1; minute <= 40 * 60; minute += 1) {
    if (dateAt(start - minute * MINUTE) >= day) expect.fail(`${timeZone} ${day}: ${minute} min`);
  }
}

test.each([
  ["UTC", "2026-03-10", "2026-03-10T00:00:00.000Z", 24],
  ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z", 23],
  ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00.000Z", 25],
  ["Pacific/Kiritimati", "2026-03-10", "2026-03-09T10:00:00.000Z", 24],
  ["Pacific/Pago_Pago", "2026-03-10", "2026-03-10T11:00:00.000Z", 24],
  // Midnight does not exist.
  ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z", 23],
  ["Africa/Cairo", "2023-04-28", "2023-04-27T22:00:00.000Z", 23],
  // The day before has lost its last half hour, and this one its first.
  ["America/Toronto", "1919-03-31", "1919-03-31T04:30:00.000Z", 23.5],
  // Midnight comes twice.
  ["America/St_Johns", "2006-10-29", "2006-10-29T02:30:00.000Z", 25],
  // The day does not exist.
  ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z", 0],
])("in %s, %s begins at %s and has %d hours", (timeZone, day, start, hours) => {
  const [begin, end] = [startOfDay(timeZone, day), startOfDay(timeZone, addDays(day, 1))];
  expect(new Date(begin).toISOString()).toBe(start);
  expect((end - begin) / (60 * MINUTE)).toBe(hours);
  expectFirst(timeZone, day);
});

test("a day begins with the first instant that has its date, in every time zone", () => {
  const day = fc.date({
    min: new Date("1950-01-01"),
    max: new Date("2060-01-01"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), day, (timeZone, time) => {
      expectFirst(timeZone, time.toISOString().slice(0, 10));
    }),
  );
});

test("the date in a time zone is the one that Intl writes", () => {
  const time = fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2100, 0) });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), time, (timeZone, now) => {
      expect(dateIn(timeZone, now)).toBe(swedishDate(timeZone)(now));
    }),
  );
});

test.each([
  ["2024-02-28", 1, "2024-02-29"],
  ["2024-03-01", -1, "2024-02-29"],
  ["2026-12-31", 30, "2027-01-30"],
  ["0099-12-31", 1, "0100-01-01"],
])("%s and %d days are %s", (date, days, want) => {
  expect(addDays(date, days)).toBe(want);
});
