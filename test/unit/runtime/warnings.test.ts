import { expect, test } from "vitest";
import { Warnings } from "#runtime/http/log";

test("each warning is due once in a minute, in each service", () => {
  let now = 0;
  const clock = (): number => now;
  const warnings = new Warnings(clock);
  const due = (text: string): boolean => warnings.isDue(text);
  expect(["one", "one", "another"].map(due)).toEqual([true, false, true]);
  expect(new Warnings(clock).isDue("one")).toBe(true);
  now = 59_999;
  expect(due("one")).toBe(false);
  now = 60_000;
  expect(["one", "one"].map(due)).toEqual([true, false]);
});
