import type { ActionFacts, ResourceFacts, StatesFacts } from "./resource-facts.js";

/** How an entity comes from one state to the next. */
export interface StateStep {
  readonly state: string;
  /** The action that leads there; left out: an update does. */
  readonly by?: ActionFacts;
}

/** The states that one can follow in a step. */
type StepsFrom = (state: string) => readonly StateStep[];

/** The shortest way of a new entity to a state, by updates where they lead there, else by actions too; null: none does. */
export function wayTo(facts: ResourceFacts, state: string): readonly StateStep[] | null {
  const { states, actions = [], operations } = facts;
  if (states === undefined) return null;
  const updated: StepsFrom = (from) =>
    operations.includes("update") ? updatesFrom(states, from) : [];
  const led: StepsFrom = (from) =>
    actions.flatMap((by) => (by.leads?.from.includes(from) ? [{ state: by.leads.to, by }] : []));
  const ways = waysFrom(states.initial, updated);
  return (
    ways.get(state) ??
    waysFrom(states.initial, (from) => [...updated(from), ...led(from)]).get(state) ??
    null
  );
}

function updatesFrom({ transitions }: StatesFacts, from: string): readonly StateStep[] {
  return (transitions[from] ?? []).map((state) => ({ state }));
}

/** The shortest way to each state that steps lead to. */
function waysFrom(
  initial: string,
  stepsFrom: StepsFrom,
): ReadonlyMap<string, readonly StateStep[]> {
  const ways = new Map<string, readonly StateStep[]>([[initial, []]]);
  // What is added on the way is looked at as well.
  for (const [state, way] of ways) {
    for (const step of stepsFrom(state)) {
      if (!ways.has(step.state)) ways.set(step.state, [...way, step]);
    }
  }
  return ways;
}
