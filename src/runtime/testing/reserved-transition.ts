import type { ActionFacts, ResourceFacts } from "./resource-facts.js";
import { wayTo } from "./state-ways.js";

/** A transition that only an action makes. */
export interface ReservedTransition {
  /** Where the state stands. */
  readonly property: string;
  /** The states that updates lead a new entity through, to where the transition begins; none: it begins there. */
  readonly way: readonly string[];
  readonly to: string;
}

/** STA-1: the transition of an action's own that updates come to first; null where there is none. */
export function reservedTransition(
  facts: ResourceFacts,
  { leads }: ActionFacts,
): ReservedTransition | null {
  const { states } = facts;
  if (states === undefined || leads === undefined) return null;
  const { from, to } = leads;
  const own = from.filter(
    (state) => state !== to && states.transitions[state]?.includes(to) !== true,
  );
  const ways = own.flatMap((state) => {
    const way = wayTo({ ...facts, actions: [] }, state);
    return way === null ? [] : [way.map((step) => step.state)];
  });
  const [way] = ways.sort((one, other) => one.length - other.length);
  return way === undefined ? null : { property: states.property, way, to };
}
