import type { StatesModel } from "./states-model.js";

/** How a new entity comes to a state by updates alone, and what is allowed there (STA). */
export interface StateWay {
  readonly state: string;
  /** The states on the way, the last of them the one that it leads to; none: it begins there. */
  readonly states: readonly string[];
  readonly isUpdatable: boolean;
  readonly isDeletable: boolean;
}

/** The shortest way of updates to each state that they reach, in the order in which they are. */
export function stateWays({
  initial,
  transitions,
  updatableIn,
  deletableIn,
}: StatesModel): readonly StateWay[] {
  const ways = new Map<string, readonly string[]>([[initial, []]]);
  // What is added on the way is looked at as well.
  for (const [state, way] of ways) {
    const { to = [] } = transitions.find(({ from }) => from === state) ?? {};
    for (const next of to) if (!ways.has(next)) ways.set(next, [...way, next]);
  }
  return [...ways].map(([state, states]) => ({
    state,
    states,
    isUpdatable: updatableIn.includes(state),
    isDeletable: deletableIn.includes(state),
  }));
}
