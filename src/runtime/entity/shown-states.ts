import type { StateChecks } from "./repository-rules.js";
import type { StateMachine } from "./states.js";

/** The same states, called in refusals as an older version shows them (VER-2). */
export function shownAs<Properties, State extends string>(
  states: StateMachine<Properties>,
  { toShown }: { readonly toShown: (state: State) => string },
): StateChecks<Properties> {
  // What is stored is one of the states of the entity.
  return states.shownAs((state) => toShown(state as State));
}
