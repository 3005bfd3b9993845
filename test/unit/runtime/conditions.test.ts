import { expect, test } from "vitest";
import { filtersOf, type Asking, type DayCondition } from "#runtime/query/conditions";

/** In Berlin it is 00:30 of 10 March. */
const asking: Asking = {
  clock: () => Date.parse("2026-03-09T23:30:00.000Z"),
  caller: { subject: { subjectId: "ann" }, isAnonymous: false },
};

function condition(given: Partial<DayCondition>): DayCondition {
  return {
    ...{ path: "due", contains: false, values: [], orNull: false, comparison: "anyOf" },
    ...{ days: [0], timeZone: "Europe/Berlin", isDate: true },
    ...given,
  };
}

test("today is a date beside others, in the time zone of the condition", () => {
  const [here] = filtersOf([condition({ values: ["2026-01-01"], orNull: true })], asking);
  expect(here).toEqual({
    ...{ path: "due", contains: false, orNull: true, comparison: "anyOf" },
    values: ["2026-01-01", "2026-03-10"],
  });
  const [elsewhere] = filtersOf([condition({ timeZone: "UTC", days: [-30, 1] })], asking);
  expect(elsewhere).toMatchObject({ values: ["2026-02-07", "2026-03-10"] });
});

test.each([
  ["atLeast", "atLeast", "2026-03-09T23:00:00.000Z"],
  ["lessThan", "lessThan", "2026-03-09T23:00:00.000Z"],
  ["moreThan", "atLeast", "2026-03-10T23:00:00.000Z"],
  ["atMost", "lessThan", "2026-03-10T23:00:00.000Z"],
] as const)("a timestamp is %s today if it is %s %s", (comparison, size, time) => {
  const filters = filtersOf([{ any: [[condition({ comparison, isDate: false })]] }], asking);
  expect(filters).toMatchObject([{ any: [[{ comparison: size, values: [time] }]] }]);
});
