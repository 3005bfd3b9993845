import type { Act } from "./actions.js";
import type { Yaml } from "./yaml.js";

type Transitions = Readonly<Record<string, readonly string[]>>;

/** An action that says from where it leads to a state. */
interface Way {
  readonly states?: readonly string[];
  readonly leadsTo: string;
}

/** States whose updates do not do what the first action does that can do it alone. */
export function reserved(states: Yaml | null, acts: readonly Act[]): Yaml | null {
  if (states === null) return null;
  const transitions = states["transitions"] as Transitions;
  const ways = acts.flatMap(({ yaml }) =>
    yaml["leadsTo"] === undefined ? [] : [yaml as unknown as Way],
  );
  const without = ways
    .map((way) => withoutWay(transitions, way))
    .find((left) => isReached(left, ways) && ways.every((way) => isAllowed(left, way)));
  return without === undefined ? states : { ...states, transitions: without };
}

function withoutWay(transitions: Transitions, { states = [], leadsTo }: Way): Transitions {
  const entries = Object.entries(transitions).map(([from, next]) => [
    from,
    states.includes(from) ? next.filter((one) => one !== leadsTo) : next,
  ]);
  return Object.fromEntries(entries) as Transitions;
}

function isReached(transitions: Transitions, ways: readonly Way[]): boolean {
  const reached = new Set(Object.keys(transitions).slice(0, 1));
  for (const state of reached) {
    for (const next of transitions[state] ?? []) reached.add(next);
    for (const { states, leadsTo } of ways) if (states?.includes(state)) reached.add(leadsTo);
  }
  return Object.keys(transitions).every((state) => reached.has(state));
}

/** Without states, an action needs a transition that leads where it does. */
function isAllowed(transitions: Transitions, { states, leadsTo }: Way): boolean {
  return states !== undefined || Object.values(transitions).some((next) => next.includes(leadsTo));
}
