import type { JsonValue, ResourceFacts } from "./resource-facts.js";
import type { Samples } from "./test-app.js";

/** What bodies of a resource hold. */
export function valuesFor(
  facts: ResourceFacts,
  samples: Samples,
): Readonly<Record<string, JsonValue>> {
  // A new entity begins in its initial state.
  const { [facts.states?.property ?? ""]: _state, ...values } = givenFor(facts, samples);
  return values;
}

/** The state that is given for what others refer to; null: that in which it begins. */
export function stateFor(facts: ResourceFacts, samples: Samples): string | null {
  const state = givenFor(facts, samples)[facts.states?.property ?? ""];
  return state === undefined || state === facts.states?.initial ? null : String(state);
}

/** What is given for a resource in every version, and in its own: under `orders` and `v1/orders`. */
function givenFor({ path }: ResourceFacts, samples: Samples): Readonly<Record<string, JsonValue>> {
  const [version = "", plural = ""] = path.split("/").slice(-2);
  return { ...samples[plural], ...samples[`${version}/${plural}`] };
}
