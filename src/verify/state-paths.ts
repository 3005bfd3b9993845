import type { StatesModel } from "../model/states-model.js";

/** The states that lead from one state to another, without the first; null if none do. */
export function statePath(
  states: StatesModel,
  from: string,
  isGoal: (state: string) => boolean,
): readonly string[] | null {
  const seen = new Set([from]);
  let paths: readonly (readonly string[])[] = [[]];
  while (paths.length > 0) {
    const found = paths.find((path) => isGoal(path.at(-1) ?? from));
    if (found !== undefined) return found;
    paths = paths.flatMap((path) =>
      followersOf(states, path.at(-1) ?? from)
        .filter((state) => !seen.has(state))
        .map((state) => {
          seen.add(state);
          return [...path, state];
        }),
    );
  }
  return null;
}

/** The states that can follow a state. */
export function followersOf({ transitions }: StatesModel, state: string): readonly string[] {
  return transitions.find(({ from }) => from === state)?.to ?? [];
}
