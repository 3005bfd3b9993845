import { expect, test } from "vitest";
import { statePath } from "../../../src/verify/state-paths.js";
import { NO_TIMES, TIME } from "../../../src/verify/time-text.js";

test("the shortest way through the states is found, or none", () => {
  const states = {
    property: "status",
    initial: "a",
    transitions: [
      { from: "a", to: ["b", "c"] },
      { from: "b", to: ["d"] },
      { from: "c", to: ["b", "d"] },
      { from: "d", to: [] },
      { from: "e", to: ["a"] },
    ],
    updatableIn: [],
    deletableIn: [],
  };
  expect(statePath(states, "a", (state) => state === "a")).toEqual([]);
  expect(statePath(states, "a", (state) => state === "d")).toEqual(["b", "d"]);
  expect(statePath(states, "a", (state) => state === "e")).toBeNull();
});

test("what is told to be no time is none", () => {
  expect("2024-02-29T23:59:59.999Z").toMatch(TIME);
  const inOtherForm = NO_TIMES.filter((text) => !TIME.test(text));
  // The others are days that no calendar has.
  expect(NO_TIMES.filter((text) => !inOtherForm.includes(text))).toEqual([
    "2023-02-29T00:00:00.000Z",
    "2024-04-31T00:00:00.000Z",
  ]);
});
