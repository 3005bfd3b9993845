import type { StatesModel } from "../model/states-model.js";
import type { LeadingAction } from "./leading-actions.js";

/** How an entity comes from one state to the next. */
export interface StateStep {
  readonly state: string;
  /** Null: by an update. */
  readonly by: LeadingAction | null;
}

/** What leads on from a state. */
export interface Ways {
  /** Left out: updates do, along the transitions. */
  readonly isFixed?: boolean;
  /** What actions do beside them; left out: nothing. */
  readonly leading?: readonly LeadingAction[];
}

/** The steps that lead from one state to another, null if none do; actions, which own code can refuse, only where updates do not. */
export function statePath(
  states: StatesModel,
  from: string,
  isGoal: (state: string) => boolean,
  { isFixed = false, leading = [] }: Ways = {},
): readonly StateStep[] | null {
  const updated = (state: string): readonly StateStep[] =>
    isFixed ? [] : followersOf(states, state).map((next) => ({ state: next, by: null }));
  const led = (state: string): readonly StateStep[] =>
    leading
      .filter(({ action }) => action.states?.includes(state) === true)
      .map((by) => ({ state: by.leadsTo, by }));
  return (
    shortest(from, isGoal, updated) ??
    shortest(from, isGoal, (state) => [...updated(state), ...led(state)])
  );
}

/** The initial state from which a wanted one is reached, the default first; null where none leads there. */
export function beginningOf(
  states: StatesModel,
  isGoal: (state: string) => boolean,
  ways?: Ways,
): string | null {
  const leads = (one: string): boolean => statePath(states, one, isGoal, ways) !== null;
  return states.initials.find(leads) ?? null;
}

function shortest(
  from: string,
  isGoal: (state: string) => boolean,
  stepsFrom: (state: string) => readonly StateStep[],
): readonly StateStep[] | null {
  const seen = new Set([from]);
  let paths: readonly (readonly StateStep[])[] = [[]];
  while (paths.length > 0) {
    const found = paths.find((path) => isGoal(path.at(-1)?.state ?? from));
    if (found !== undefined) return found;
    paths = paths.flatMap((path) =>
      stepsFrom(path.at(-1)?.state ?? from)
        .filter(({ state }) => !seen.has(state))
        .map((step) => {
          seen.add(step.state);
          return [...path, step];
        }),
    );
  }
  return null;
}

/** The states that can follow a state by an update. */
export function followersOf({ transitions }: StatesModel, state: string): readonly string[] {
  return transitions.find(({ from }) => from === state)?.to ?? [];
}
