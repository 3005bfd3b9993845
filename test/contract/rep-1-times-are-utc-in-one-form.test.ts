import { expect, test } from "vitest";
import { at, expectFields, resultsOf } from "./support/errors.js";
import { DEPTHS } from "./support/full-bodies.js";
import { propertiesOf } from "./support/names.js";
import { startService } from "./support/service.js";

const FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const service = await startService();
const atMidnight = await startService("contract", {
  clock: () => Date.parse("2026-05-01T00:00:00.000Z"),
});

const TIMES = [
  "2024-02-29T23:59:59.999Z",
  "2000-02-29T00:00:00.000Z",
  "1970-01-01T00:00:00.000Z",
  "0001-01-01T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  "2026-03-29T02:30:00.000Z",
];

const NO_TIMES = [
  { value: "2024-02-29", what: "a date alone" },
  { value: "2024-02-29T23:59:59Z", what: "no milliseconds" },
  { value: "2024-02-29T23:59:59.9Z", what: "one digit of a second" },
  { value: "2024-02-29T23:59:59.999999Z", what: "six digits of a second" },
  { value: "2024-02-29T23:59:59.999", what: "no zone" },
  { value: "2024-02-29T23:59:59.999z", what: "a small z" },
  { value: "2024-02-29t23:59:59.999Z", what: "a small t" },
  { value: "2024-02-29 23:59:59.999Z", what: "a space for the T" },
  { value: "2024-02-29T23:59:59,999Z", what: "a comma" },
  { value: "2024-02-29T23:59:59.999+00:00", what: "a zone of numbers" },
  { value: "2024-02-29T23:59:59.999+01:00", what: "another zone" },
  { value: "2023-02-29T00:00:00.000Z", what: "29 February of a common year" },
  { value: "1900-02-29T00:00:00.000Z", what: "29 February of 1900" },
  { value: "2024-04-31T00:00:00.000Z", what: "31 April" },
  { value: "2024-13-01T00:00:00.000Z", what: "a 13th month" },
  { value: "2024-00-01T00:00:00.000Z", what: "a month 0" },
  { value: "2024-01-00T00:00:00.000Z", what: "a day 0" },
  { value: "0000-01-01T00:00:00.000Z", what: "a year 0" },
  { value: "2024-01-01T24:00:00.000Z", what: "24 o'clock" },
  { value: "2024-01-01T00:60:00.000Z", what: "a minute 60" },
  { value: "2024-06-30T23:59:60.000Z", what: "a leap second" },
  { value: "+002024-01-01T00:00:00.000Z", what: "a year of six digits" },
  { value: "2024-02-29T23:59:59.99aZ", what: "a letter of a millisecond" },
  { value: "2024-02-29T23:59:59.-01Z", what: "a sign of a millisecond" },
  { value: "2024-02-29T2a:59:59.999Z", what: "a letter of an hour" },
  { value: "2024-W09-4T00:00:00.000Z", what: "a week" },
  { value: " 2024-01-01T00:00:00.000Z", what: "a space before it" },
  { value: "2024-01-01T00:00:00.000Z\n", what: "a line break behind it" },
  { value: "２024-01-01T00:00:00.000Z", what: "a digit of another script" },
  { value: "yesterday", what: "a word" },
  { value: 1709251199999, what: "milliseconds" },
  { value: true, what: "a boolean" },
  { value: {}, what: "an object" },
  { value: ["2024-02-29T23:59:59.999Z"], what: "a list" },
];

test.each(DEPTHS)("a UTC time is answered as it was sent $depth", async (place) => {
  for (const since of TIMES) {
    const crate = await service.create("/api/v1/crates", place.bodyWith({ since }));
    expect(at(crate, `${place.path}since`)).toBe(since);
    const read = await service.read(`/api/v1/crates/${String(crate["crateId"])}`);
    expect(at(read, `${place.path}since`)).toBe(since);
  }
});

test.each(DEPTHS)(
  "any other form, and a day that no calendar has, is refused $depth",
  async (place) => {
    for (const { value, what } of NO_TIMES) {
      const body = place.bodyWith({ since: value });
      const answer = await service.send("POST", "/api/v1/crates", { body });
      expect(answer.status, what).toBe(400);
      expectFields(answer, `${place.prefix}since`);
    }
  },
);

test("a list of times takes the same form, and names the item that is wrong", async () => {
  const crate = await service.create("/api/v1/crates", { title: "t", dates: TIMES });
  expect(crate["dates"]).toEqual(TIMES);
  for (const { value, what } of NO_TIMES) {
    const body = { title: "t", dates: [...TIMES, value] };
    const answer = await service.send("POST", "/api/v1/crates", { body });
    expect(answer.status, what).toBe(400);
    expectFields(answer, `dates[${TIMES.length}]`);
  }
});

test("an update takes the same form", async () => {
  const { crateId } = await service.create("/api/v1/crates", { title: "t", spot: { since: null } });
  const path = `/api/v1/crates/${String(crateId)}`;
  const wrong = { since: "2024-02-29", spot: { since: "2024-02-30T00:00:00.000Z" } };
  expectFields(await service.send("PATCH", path, { body: wrong }), "since", "spot.since");
  const right = { spot: { since: "2024-02-29T00:00:00.000Z" } };
  const answer = await service.send("PATCH", path, { body: right });
  expect(at(answer.json, "spot.since")).toBe(right.spot.since);
});

test("a filter takes the same form", async () => {
  const startDate = "2024-02-29T23:59:59.999Z";
  const { widgetId } = await service.create("/api/v1/widgets", { name: "drill", startDate });
  const found = resultsOf(await service.read(`/api/v1/widgets?startDate=${startDate}`));
  expect(found.map((widget) => widget["widgetId"])).toEqual([widgetId]);
  for (const text of [
    "2024-02-29",
    "2023-02-29T00:00:00.000Z",
    "2024-02-29T23:59:59.999%2B00:00",
  ]) {
    expectFields(await service.send("GET", `/api/v1/widgets?startDate=${text}`), "startDate");
  }
});

test("the service writes its own times in that form, also where milliseconds end in noughts", async () => {
  const widget = await atMidnight.create("/api/v1/widgets", { name: "drill" });
  expect(widget["createdDate"]).toBe("2026-05-01T00:00:00.000Z");
  const answers = [widget, await service.create("/api/v1/logs", { line: "a line" })];
  const dates = answers
    .flatMap(propertiesOf)
    .filter(({ name }) => /^(created|last).*Date$/.test(name));
  expect(dates).toHaveLength(4);
  for (const { value } of dates) expect(value).toMatch(FORM);
});

test("text that looks like a time is text", async () => {
  const note = "2024-02-29";
  expect((await service.create("/api/v1/widgets", { name: "drill", note }))["note"]).toBe(note);
});
