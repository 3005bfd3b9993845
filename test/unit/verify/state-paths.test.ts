import { expect, test } from "vitest";
import { beginningOf, statePath, type Ways } from "../../../src/verify/state-paths.js";
import { NOBODY } from "../../../src/verify/caller.js";
import type { LeadingAction } from "../../../src/verify/leading-actions.js";
import { NO_TIMES, TIME } from "../../../src/verify/time-text.js";

/** An action as the way through the states asks for it. */
function leadingFrom(states: readonly string[], leadsTo: string): LeadingAction {
  const action = {
    name: `to${leadsTo.toUpperCase()}`,
    description: "",
    on: "entity",
    path: "",
    input: { kind: "object", typeName: "", localName: "", properties: [] },
    answers: "nothing",
    answer: { kind: "object", typeName: "", localName: "", properties: [] },
    embeds: { input: [], answer: [] },
    states,
    leadsTo,
    access: [],
    emits: null,
  } as const;
  return { action, leadsTo, actor: NOBODY, input: [] };
}

test("the shortest way through the states is found, or none", () => {
  const states = {
    property: "status",
    initial: "a",
    initials: ["a", "e"],
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
  const stepsTo = (goal: string, ways?: Ways) =>
    statePath(states, "a", (state) => state === goal, ways)?.map(({ state, by }) =>
      by === null ? state : `${by.action.name}: ${state}`,
    );
  expect(stepsTo("d")).toEqual(["b", "d"]);
  expect(stepsTo("e")).toBeUndefined();
  expect(beginningOf(states, (state) => state === "d")).toBe("a");
  expect(beginningOf(states, (state) => state === "e")).toBe("e");
  const leading = [leadingFrom(["b"], "e"), leadingFrom(["a"], "d")];
  expect(stepsTo("d", { leading })).toEqual(["b", "d"]);
  expect(stepsTo("d", { leading, isFixed: true })).toEqual(["toD: d"]);
  expect(stepsTo("e", { leading })).toEqual(["b", "toE: e"]);
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
